// What readers type, and what is read of it.

import assert from "node:assert/strict";
import test from "node:test";

import { COUNTS } from "#lessons/kit/drills/judge.js";
import { readShape } from "#lessons/kit/drills/shapes.js";
import { readNumber } from "#lessons/kit/figures/kit.js";

test("a number is read with comma or point, any minus sign, spaces, as a fraction", () => {
  const same = {
    1.5: ["1.5", "1,5", " 1.5 ", "+1.5", "3/2", "3 / 2", "0,75/0,5", "1 . 5", "15e-1"],
    "-0.5": ["-0.5", "−0.5", "–0,5", "-.5", "- 1/2", "−1/2", "1/−2", "-0.50"],
    1024: ["1024", "1 024", "1\u00a0024", "1\u202f024", "1024."],
    0: ["0", "-0", "0/3", "0.0"],
  };
  for (const [value, texts] of Object.entries(same))
    for (const text of texts) assert.ok(readNumber(text) === Number(value), text);
});

test("text that is not a number is not read", () => {
  for (const text of [
    ..."x 1/0 1/2/3 1,2,3 1.2.3 0x10 -- . / - e5 1e NaN <b>1</b> 1;2 ½ one 1/ /2".split(" "),
    "",
    "</script><script>alert(1)</script>",
  ])
    assert.equal(readNumber(text), undefined, text);
});

test("in a count, a comma or a point may separate thousands", () => {
  for (const text of ["1,024", "1.024", "1024", "1 024"]) assert.equal(COUNTS.read(text), 1024);
  assert.equal(COUNTS.read("1,024,000"), 1024000);
  assert.equal(COUNTS.read("1,5"), 1.5);
  assert.equal(COUNTS.read("x"), undefined);
});

test("a shape is read with any separator between its sizes", () => {
  for (const text of ["(2, 3)", "2 3", "2,3", "2×3", "2 x 3", "[2, 3]", " ( 2 , 3 , ) "])
    assert.equal(readShape(text), "(2, 3)", text);
  for (const text of ["5", "(5,)", "(5)"]) assert.equal(readShape(text), "(5,)", text);
  for (const text of ["no", "No", " does not fit ", "-"]) assert.equal(readShape(text), "no");
  for (const text of ["", "two", "2 3 x", "(2, 3", "<b>2</b>", "−2 3", "2.5 3"])
    assert.equal(readShape(text), undefined, text);
});
