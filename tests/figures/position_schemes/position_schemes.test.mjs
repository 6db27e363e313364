import assert from "node:assert/strict";
import test from "node:test";

import { frequencies, sinusoid } from "../../../transformer_lite/figures/kit/math.js";
import {
  compute,
  verdict,
} from "../../../transformer_lite/figures/position_schemes/position_schemes.js";
import shared from "../../../transformer_lite/figures/position_schemes/position_schemes.json" with {
  type: "json",
};
import {
  bucket,
  rotate,
  scoresAt,
} from "../../../transformer_lite/figures/position_schemes/scheme_scores.js";
import { close, modelOf } from "../kit/compare.mjs";

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

test("content and position part add up to the score", () => {
  for (const scheme of shared.schemes) {
    const { content, position, sum } = compute(modelOf({ ...STATE, scheme, shift: 1 }));
    close(
      content.map((row, i) => row.map((x, j) => x + position[i][j])),
      sum,
    );
  }
});

test("schemes that see distances do not notice a move", () => {
  const { change } = compute(modelOf({ ...STATE, shift: 9 }));
  const still = shared.schemes.filter((_, i) => change[i][2] < 1e-9);
  assert.deepEqual(still, ["none", "Shaw", "T5", "RoPE", "ALiBi"]);
});

test("a learned table ends where its rows end", () => {
  const scores = scoresAt(modelOf(STATE), "learned", 2);
  assert.deepEqual(
    scores.map((row) => row.map(Number.isNaN)),
    [
      [false, false, true],
      [false, false, true],
      [true, true, true],
    ],
  );
  assert.ok(scoresAt(modelOf(STATE), "learned", 1).flat().every(Number.isFinite));
});

test("rotate turns pairs of halves and keeps lengths", () => {
  close(rotate([1, 0, 0, 0], 1), [Math.cos(1), 0, Math.sin(1), 0]);
  close(rotate([0, 1, 0, 0], 1), [0, Math.cos(0.01), 0, Math.sin(0.01)]);
  close(Math.hypot(...rotate([2, 3, 4, 1], 77)), Math.hypot(2, 3, 4, 1));
});

test("sinusoids start at 0, 1, 0, 1; past and future have their own buckets", () => {
  close(sinusoid(0, frequencies(4)), [0, 1, 0, 1]);
  assert.deepEqual([-2, -1, 0, 1, 2].map(bucket), [2, 1, 0, 5, 6]);
});

test("the verdict says whether scores have changed", () => {
  assert.match(at({}), /^RoPE: the sentence stands at positions 0 to 2\./);
  assert.match(
    at({ shift: 5 }),
    /^RoPE, at positions 5 to 7: no score has changed\. Unchanged: none, Shaw, T5, RoPE, ALiBi\.$/,
  );
  assert.match(
    at({ shift: 5, scheme: "sinusoidal" }),
    /: scores have changed by up to \d\.\d+\. Unchanged: none/,
  );
  assert.match(
    at({ shift: 2, scheme: "learned" }),
    /: the table ends at position 3, so there are scores missing\./,
  );
});
