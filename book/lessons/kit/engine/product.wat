;; C += A B for float32 matrices, four columns of C at a time.
;;
;; All arguments are in bytes, except the sizes: C has $rows rows and $columns columns, and $inner is
;; the number of columns of A. Element (i, p) of A is at $a + i·$a_down + p·$a_right, so a transposed
;; A needs no copy. The rows of B and C have no gaps inside.
(module
  (import "engine" "memory" (memory 1))
  (func (export "add_product")
    (param $c i32) (param $a i32) (param $b i32)
    (param $rows i32) (param $inner i32) (param $columns i32)
    (param $c_down i32) (param $a_down i32) (param $a_right i32) (param $b_down i32)
    (local $j i32) (local $end i32) (local $p i32) (local $ap i32) (local $bp i32) (local $cj i32)
    (local $x v128) (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local $sum f32)
    (local.set $end (i32.shl (local.get $columns) (i32.const 2)))
    (block $done
      (loop $next_row
        (br_if $done (i32.eqz (local.get $rows)))
        (local.set $j (i32.const 0))
        ;; sixteen columns
        (block $no_sixteen
          (loop $sixteen
            (br_if $no_sixteen
              (i32.gt_u (i32.add (local.get $j) (i32.const 64)) (local.get $end)))
            (local.set $cj (i32.add (local.get $c) (local.get $j)))
            (local.set $sum0 (v128.load (local.get $cj)))
            (local.set $sum1 (v128.load offset=16 (local.get $cj)))
            (local.set $sum2 (v128.load offset=32 (local.get $cj)))
            (local.set $sum3 (v128.load offset=48 (local.get $cj)))
            (local.set $p (local.get $inner))
            (local.set $ap (local.get $a))
            (local.set $bp (i32.add (local.get $b) (local.get $j)))
            (loop $along
              (local.set $x (v128.load32_splat (local.get $ap)))
              (local.set $sum0 (f32x4.add (local.get $sum0)
                (f32x4.mul (local.get $x) (v128.load (local.get $bp)))))
              (local.set $sum1 (f32x4.add (local.get $sum1)
                (f32x4.mul (local.get $x) (v128.load offset=16 (local.get $bp)))))
              (local.set $sum2 (f32x4.add (local.get $sum2)
                (f32x4.mul (local.get $x) (v128.load offset=32 (local.get $bp)))))
              (local.set $sum3 (f32x4.add (local.get $sum3)
                (f32x4.mul (local.get $x) (v128.load offset=48 (local.get $bp)))))
              (local.set $ap (i32.add (local.get $ap) (local.get $a_right)))
              (local.set $bp (i32.add (local.get $bp) (local.get $b_down)))
              (br_if $along (local.tee $p (i32.sub (local.get $p) (i32.const 1)))))
            (v128.store (local.get $cj) (local.get $sum0))
            (v128.store offset=16 (local.get $cj) (local.get $sum1))
            (v128.store offset=32 (local.get $cj) (local.get $sum2))
            (v128.store offset=48 (local.get $cj) (local.get $sum3))
            (local.set $j (i32.add (local.get $j) (i32.const 64)))
            (br $sixteen)))
        ;; four columns
        (block $no_four
          (loop $four
            (br_if $no_four (i32.gt_u (i32.add (local.get $j) (i32.const 16)) (local.get $end)))
            (local.set $cj (i32.add (local.get $c) (local.get $j)))
            (local.set $sum0 (v128.load (local.get $cj)))
            (local.set $p (local.get $inner))
            (local.set $ap (local.get $a))
            (local.set $bp (i32.add (local.get $b) (local.get $j)))
            (loop $along
              (local.set $sum0 (f32x4.add (local.get $sum0)
                (f32x4.mul (v128.load32_splat (local.get $ap)) (v128.load (local.get $bp)))))
              (local.set $ap (i32.add (local.get $ap) (local.get $a_right)))
              (local.set $bp (i32.add (local.get $bp) (local.get $b_down)))
              (br_if $along (local.tee $p (i32.sub (local.get $p) (i32.const 1)))))
            (v128.store (local.get $cj) (local.get $sum0))
            (local.set $j (i32.add (local.get $j) (i32.const 16)))
            (br $four)))
        ;; the columns that are left, one at a time
        (block $no_one
          (loop $one
            (br_if $no_one (i32.ge_u (local.get $j) (local.get $end)))
            (local.set $cj (i32.add (local.get $c) (local.get $j)))
            (local.set $sum (f32.load (local.get $cj)))
            (local.set $p (local.get $inner))
            (local.set $ap (local.get $a))
            (local.set $bp (i32.add (local.get $b) (local.get $j)))
            (loop $along
              (local.set $sum (f32.add (local.get $sum)
                (f32.mul (f32.load (local.get $ap)) (f32.load (local.get $bp)))))
              (local.set $ap (i32.add (local.get $ap) (local.get $a_right)))
              (local.set $bp (i32.add (local.get $bp) (local.get $b_down)))
              (br_if $along (local.tee $p (i32.sub (local.get $p) (i32.const 1)))))
            (f32.store (local.get $cj) (local.get $sum))
            (local.set $j (i32.add (local.get $j) (i32.const 4)))
            (br $one)))
        (local.set $c (i32.add (local.get $c) (local.get $c_down)))
        (local.set $a (i32.add (local.get $a) (local.get $a_down)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $next_row)))))
