import assert from "node:assert/strict";
import test from "node:test";

import { compute, newsText } from "#lessons/the_cat_sat/attention_explorer/attention_explorer.js";
import { modelOf } from "../../kit/figures/kit/compare.mjs";

test("newsText names where a token looks most, and its output", () => {
  const vectors = [
    [1, 0, 1, 0],
    [0, 1, 0, 1],
    [1, 1, 1, 1],
  ];
  const results = compute(modelOf({ vectors, scaled: true, temperature: 1, causal: false }));
  assert.equal(
    newsText(results, ["The", "CAT", "SAT"], 1),
    "CAT gives most weight to CAT and SAT, 0.4223 each; its output is [0.5777, 0.8446, 0.5777, 0.8446].",
  );
});
