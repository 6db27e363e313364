import assert from "node:assert/strict";
import test from "node:test";

import { resized, verdict } from "#lessons/scaling/softmax_lab/softmax_lab.js";
import shared from "#lessons/scaling/softmax_lab/softmax_lab.json" with { type: "json" };
import { compute } from "#lessons/scaling/softmax_lab/softmax_math.js";
import { modelOf } from "../../kit/figures/compare.mjs";

const lab = (changes) => compute(modelOf({ logits: [3, 2], d_k: 4, temperature: 1, ...changes }));

test("verdict says what the best key gets", () => {
  const said = (changes) => verdict(lab(changes), changes.d_k ?? 4);
  assert.equal(said({ d_k: 1 }), "At width 1 the root is 1: the two columns agree.");
  assert.equal(said({}), "At width 4, key 1 gets 0.8808 unscaled and 0.7311 scaled.");
  assert.match(said({ logits: [-5, 5] }), /key 2 gets 1 unscaled/);
});

test("a row of keys is cut, or continued with further ones", () => {
  assert.deepEqual(resized([1, 1, 1], 2), [1, 1]);
  assert.deepEqual(resized([1, 1], 4), [1, 1, 0.5, -1]);
  assert.equal(resized([], 99).length, shared.keys.max);
});
