import assert from "node:assert/strict";
import test from "node:test";

import {
  compute,
  placeText,
  wayText,
} from "../../../transformer_lite/figures/head_splitter/head_math.js";
import { close, modelOf } from "../kit/compare.mjs";

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

test("placeText names the word that the number is wrongly given to", () => {
  const { results, state } = figure();
  assert.equal(
    placeText(results, state),
    "22 is feature 2 of CAT, at offset 1 · 8 + 2 = 10. " +
      "View and transpose put it in head 0, row CAT, place 2. " +
      "The view alone puts it in head 0, row SAT, place 2: attention takes it for a number of SAT.",
  );
});

test("placeText tells a wrong head from a wrong word", () => {
  const { results, state } = figure({ token: 0, feature: 4 });
  assert.deepEqual(results.places.slice(1, 3), [
    [1, 0],
    [0, 1],
  ]);
  assert.match(placeText(results, state), /for a number of CAT\.$/);
  const first = figure({
    tokens: ["a", "b"],
    embeddings: WORDS.embeddings.slice(1),
    d_model: 8,
    num_heads: 4,
    token: 0,
    query: 0,
    feature: 4,
  });
  assert.deepEqual(first.results.places.slice(1, 3), [
    [2, 1],
    [0, 0],
  ]);
  assert.match(placeText(first.results, first.state), /: the right row, in the wrong head\.$/);
});

test("wayText says how much of the number arrives, and where", () => {
  const { results, state } = figure();
  const [, [weight], [product]] = results.way;
  close(product, 22 * weight);
  assert.match(
    wayText(results, state),
    /^In head 0, SAT gives CAT a weight of 0\.\d+, so [\d.]+ of the 22 reaches column 2 of SAT/,
  );
});
