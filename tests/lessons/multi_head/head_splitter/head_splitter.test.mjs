import assert from "node:assert/strict";
import test from "node:test";

import { compute, pathText } from "#lessons/multi_head/head_splitter/head_math.js";
import { close, modelOf } from "../../kit/figures/compare.mjs";

const WORDS = {
  tokens: ["The", "CAT", "SAT"],
  d_model: 8,
  num_heads: 2,
  token: 1,
  feature: 2,
  query: 2,
  embeddings: [
    [1, 0, 1, 0, 1, 1, 0, 0],
    [0, 1, 0, 1, 0, 1, 1, 0],
    [1, 1, 1, 1, 0, 0, 1, 1],
  ],
};
const figure = (changes = {}) => {
  const state = { ...WORDS, ...changes };
  return { state, results: compute(modelOf(state)) };
};

test("the indices of a wrong split differ in the token and in the head", () => {
  assert.deepEqual(figure({ token: 0, feature: 4 }).results.places.slice(1, 3), [
    [1, 0],
    [0, 1],
  ]);
  const first = figure({
    tokens: ["a", "b"],
    embeddings: WORDS.embeddings.slice(1),
    num_heads: 4,
    token: 0,
    query: 0,
    feature: 4,
  });
  assert.deepEqual(first.results.places.slice(1, 3), [
    [2, 1],
    [0, 0],
  ]);
});

test("pathText says how much of the number arrives, and where", () => {
  const { results, state } = figure();
  const [, [weight], [product]] = results.way;
  close(product, 22 * weight);
  assert.match(
    pathText(results, state),
    /^In head 0, SAT gives CAT a weight of 0\.\d+, so [\d.]+ of the 22 reaches column 2 of SAT/,
  );
});
