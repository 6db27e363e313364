import assert from "node:assert/strict";
import test from "node:test";

import {
  address,
  compute,
  headOf,
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

test("an address leads to the followed number, right and wrong", () => {
  for (let offset = 0; offset < 24; offset += 1) {
    const { results } = figure({ token: Math.floor(offset / 8), feature: offset % 8 });
    const number = results.way[0][0];
    const { split, viewed } = address(offset, 3, 2, 4);
    assert.equal(results.split[split[1] * 3 + split[2]][split[3]], number);
    assert.equal(results.viewed[viewed[1] * 3 + viewed[2]][viewed[3]], number);
    assert.equal(split[4], offset % 8, "the right split brings a number back to its own column");
  }
});

test("with one head the view alone is right", () => {
  const { results, state } = figure({ num_heads: 1 });
  assert.deepEqual(results.split, results.viewed);
  assert.match(placeText(results, state), /The view alone puts it there, too\.$/);
});

test("headOf takes neighboring columns of every row", () => {
  assert.deepEqual(
    headOf(
      [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
      ],
      1,
      2,
    ),
    [
      [3, 4],
      [7, 8],
    ],
  );
});

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
