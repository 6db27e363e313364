import assert from "node:assert/strict";
import test from "node:test";

import { arc } from "#lessons/rotary_positions/rotary_arrows/arrows_drawing.js";
import { compute, scoreText } from "#lessons/rotary_positions/rotary_arrows/rotary_arrows.js";
import { modelOf } from "../../kit/figures/compare.mjs";

const state = (changes) => ({ query: 3, key: 1, omega: 0.5, ...changes });
const arrows = (changes) => compute(modelOf(state(changes)));

test("the arc goes the short way round", () => {
  const sweep = (from, to) => Number(arc(from, to).split(" ")[5]);
  assert.equal(sweep(0, 1), 0);
  assert.equal(sweep(1, 0), 1);
  assert.equal(sweep(3, -3), 0); // across the left
});

test("scoreText says what the score depends on", () => {
  assert.equal(
    scoreText(state(), arrows()),
    "Query at 3, key at 1: offset −2. Relative to the query, the key has turned by −1 radian, " +
      "and the score is 2.613.",
  );
  assert.match(scoreText(state({ key: 3 }), arrows({ key: 3 })), /offset 0\. .* as at 0\.$/);
});
