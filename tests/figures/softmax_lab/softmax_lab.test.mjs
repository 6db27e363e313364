import assert from "node:assert/strict";
import test from "node:test";

import { resized, verdict } from "../../../transformer_lite/figures/softmax_lab/softmax_lab.js";
import shared from "../../../transformer_lite/figures/softmax_lab/softmax_lab.json" with {
  type: "json",
};
import {
  compute,
  entropy,
  gradientNorm,
} from "../../../transformer_lite/figures/softmax_lab/softmax_math.js";
import { close, modelOf } from "../kit/compare.mjs";

const lab = (changes) => compute(modelOf({ logits: [3, 2], d_k: 4, temperature: 1, ...changes }));

test("it begins with the scores 6 and 4, and 3 and 2 after the division", () => {
  const { scores, weights } = lab({});
  close(scores, [
    [6, 3],
    [4, 2],
  ]);
  assert.deepEqual(
    weights.map((row) => row.map((w) => w.toFixed(2))),
    [
      ["0.88", "0.73"],
      ["0.12", "0.27"],
    ],
  );
});

test("the width changes the raw column and leaves the scaled one alone", () => {
  const [narrow, wide] = [lab({ d_k: 1 }), lab({ d_k: 1024 })];
  for (const name of ["scores", "weights", "measures"]) {
    close(
      wide[name].map((row) => row[1]),
      narrow[name].map((row) => row[1]),
    );
    close(
      narrow[name].map((row) => row[0]),
      narrow[name].map((row) => row[1]),
    );
  }
  assert.ok(wide.measures[2][0] < 1e-10 && wide.measures[2][1] > 0.3);
});

test("doubling temperature and scores together changes no weight", () => {
  close(
    lab({ logits: [4, -2, 1], temperature: 4 }).weights,
    lab({ logits: [2, -1, 0.5], temperature: 2 }).weights,
  );
});

test("entropy goes from 0 to ln n, and 0 ln 0 is 0", () => {
  assert.equal(entropy([1, 0, 0]), -0);
  close(entropy([0.25, 0.25, 0.25, 0.25]), Math.log(4));
});

test("the gradient norm is largest, a half, for two equal weights, and 0 for a decided softmax", () => {
  close(gradientNorm([0.5, 0.5]), 0.5);
  assert.equal(gradientNorm([0, 1]), 0);
  assert.ok(gradientNorm([0.6, 0.4]) < 0.5 && gradientNorm([0.4, 0.3, 0.3]) < 0.5);
});

test("the curve passes through the present gradient norm", () => {
  const { curve, measures } = lab({ d_k: 64, logits: [1, 0.5, -1] });
  close(curve[shared.widths.indexOf(64)], measures[2]);
});

test("verdict says which softmax is saturated", () => {
  const said = (changes) => verdict(lab(changes), changes.d_k ?? 4);
  assert.equal(said({ d_k: 1 }), "At width 1 the root is 1: the two columns agree.");
  assert.match(
    said({}),
    /^At width 4, key 1 gets 0\.8808 unscaled and 0\.7311 scaled\. Both can learn/,
  );
  assert.match(
    said({ d_k: 256 }),
    /Unscaled, the softmax is saturated: gradient norm 0 against 0\.3932\.$/,
  );
  assert.match(said({ logits: [-5, 5] }), /key 2 gets 1 unscaled .* Both are saturated/);
});

test("a row of keys is cut, or continued with further ones", () => {
  assert.deepEqual(resized([1, 1, 1], 2), [1, 1]);
  assert.deepEqual(resized([1, 1], 4), [1, 1, 0.5, -1]);
  assert.equal(resized([], 99).length, shared.keys.max);
});
