import assert from "node:assert/strict";
import test from "node:test";

import {
  allText,
  compute,
  sortUnits,
  tokenText,
} from "#lessons/feed_forward/feed_forward_lab/feed_forward_lab.js";
import { modelOf } from "../../kit/figures/compare.mjs";

const CHAPTER = {
  tokens: ["Je", "suis"],
  vectors: [
    [2, -1],
    [-1, 2],
  ],
  up: [
    [1, 0, -1, 1],
    [0, 1, 1, 1],
  ],
  up_bias: [-1, 0, 1, 0],
  down: [
    [1, 1],
    [0, 1],
    [-0.5, 0.5],
    [1, 0.5],
  ],
  down_bias: [-1, 0.5],
  activation: "relu",
  selected: 0,
};
const lab = (changes) => compute(modelOf({ ...CHAPTER, ...changes }));

test("the text names the units that are on and off", () => {
  assert.deepEqual(sortUnits([1, 0, 0, 2]), { on: [1, 4], off: [2, 3] });
  assert.equal(
    tokenText("Je", [1, 0, 0, 1], [1, 2]),
    "Je: units 1 and 4 are on, units 2 and 3 are off; output [1, 2].",
  );
  assert.equal(
    tokenText("a", [0, 3], [0.5, 0]),
    "a: unit 2 is on, unit 1 is off; output [0.5, 0].",
  );
  assert.match(
    tokenText("a", [0, 0], [1, 2]),
    /every unit is off, so the output is b₂; output \[1, 2\]/,
  );
  assert.match(tokenText("a", [0.5, -1, 3], [1, 2]), /every unit is active/);
  assert.match(tokenText("a", [1, 2, 3, 0], [1, 2]), /units 1, 2 and 3 are on, unit 4 is off/);
});

test("the text says that both maps are one only without an activation", () => {
  assert.match(
    allText(CHAPTER.tokens, lab({ activation: "none" }), "none"),
    /one matrix and one bias\.$/,
  );
  assert.doesNotMatch(allText(CHAPTER.tokens, lab({}), "relu"), /one matrix/);
});
