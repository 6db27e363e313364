import assert from "node:assert/strict";
import test from "node:test";

import { compute, followedText, wayText } from "#lessons/multi_head/head_splitter/head_math.js";
import splitter from "#lessons/multi_head/head_splitter/head_splitter.js";
import { close, modelOf } from "../../kit/figures/kit/compare.mjs";
import { rendered } from "../../kit/figures/kit/fake_document.mjs";

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

test("followedText names the number, and not where it is", () => {
  const { results, state } = figure();
  assert.equal(
    followedText(results, state),
    "Followed: 22, feature 2 of CAT. It is framed in all three.",
  );
});

test("the places tell a wrong word from a wrong head", () => {
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

test("wayText says how much of the number arrives, and where", () => {
  const { results, state } = figure();
  const [, [weight], [product]] = results.way;
  close(product, 22 * weight);
  assert.match(
    wayText(results, state),
    /^In head 0, SAT gives CAT a weight of 0\.\d+, so [\d.]+ of the 22 reaches column 2 of SAT/,
  );
});

test("in all three tables the followed number is framed, wherever it is", () => {
  for (const token of [0, 1, 2])
    for (let feature = 0; feature < 8; feature += 1) {
      const { results, state } = figure({ token, feature });
      const { el, stop } = rendered(splitter, state);
      const framed = el.marked("td", "hs-followed");
      const numbers = framed.slice(0, 3).map((cell) => Number(cell.textContent));
      assert.deepEqual(numbers, Array(3).fill(results.values[token][feature]));
      stop();
    }
});
