import assert from "node:assert/strict";
import test from "node:test";

import {
  compute,
  newsText,
  scaleFactor,
} from "../../../transformer_lite/figures/attention_explorer/attention_explorer.js";
import { modelOf } from "../kit/compare.mjs";

test("scaleFactor divides by √d and by the temperature", () => {
  assert.equal(scaleFactor(4, true, 1), 0.5);
  assert.equal(scaleFactor(4, false, 1), 1);
  assert.equal(scaleFactor(16, true, 2), 0.125);
  assert.equal(scaleFactor(9, false, 0.5), 2);
});

test("newsText names where a token looks most, and its output", () => {
  const vectors = [
    [1, 0, 1, 0],
    [0, 1, 0, 1],
    [1, 1, 1, 1],
  ];
  const results = compute(modelOf({ vectors, scaled: true, temperature: 1, causal: false }));
  assert.equal(
    newsText(results, ["The", "CAT", "SAT"], 1),
    "CAT gives most weight to CAT, 0.4223; its output is [0.5777, 0.8446, 0.5777, 0.8446].",
  );
});
