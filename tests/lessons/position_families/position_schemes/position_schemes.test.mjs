import assert from "node:assert/strict";
import test from "node:test";

import { compute, verdict } from "#lessons/position_families/position_schemes/position_schemes.js";
import { modelOf } from "../../kit/figures/compare.mjs";

const STATE = {
  tokens: ["The", "CAT", "SAT"],
  embeddings: [
    [1, 0, 1, 0],
    [0, 1, 0, 1],
    [1, 1, 1, 1],
  ],
  scheme: "RoPE",
  shift: 0,
  learned: [
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 1],
  ],
  vectors: [
    [0, 1, 0, 1],
    [0, 0, 0, 0],
    [0, -1, 0, -1],
  ],
  numbers: [0.5, 1, 0.25, 0, 0, -0.5, -1, -1.5],
};
const at = (changes) => {
  const state = { ...STATE, ...changes };
  return verdict(compute(modelOf(state)), state);
};

test("the verdict says whether scores have changed", () => {
  assert.match(at({}), /^RoPE: the sentence is at positions 0 to 2\./);
  assert.match(
    at({ shift: 5 }),
    /^RoPE, at positions 5 to 7: no score has changed\. Unchanged: none, Shaw, T5, RoPE, ALiBi\.$/,
  );
  assert.match(
    at({ shift: 5, scheme: "sinusoidal" }),
    /: the scores have changed by up to \d\.\d+\. Unchanged: none/,
  );
  assert.match(
    at({ shift: 2, scheme: "learned" }),
    /: the table ends at position 3, so some scores do not exist\./,
  );
});
