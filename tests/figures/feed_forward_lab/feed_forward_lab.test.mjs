import assert from "node:assert/strict";
import test from "node:test";

import {
  allText,
  compute,
  sortUnits,
  tokenText,
} from "../../../transformer_lite/figures/feed_forward_lab/feed_forward_lab.js";
import {
  ACTIVATIONS,
  erf,
} from "../../../transformer_lite/figures/feed_forward_lab/feed_forward_math.js";
import { close, modelOf } from "../kit/compare.mjs";

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

test("the chapter's token, by hand", () => {
  const { before, hidden, output, residual } = lab({});
  assert.deepEqual(before[0], [1, -1, -2, 1]);
  assert.deepEqual(hidden[0], [1, 0, 0, 1]);
  assert.deepEqual(output, [
    [1, 2],
    [-2, 5],
  ]);
  assert.deepEqual(residual, [
    [3, 1],
    [-3, 7],
  ]);
});

test("erf at known points, on both sides and far out", () => {
  close(
    [erf(0), erf(0.5), erf(-1), erf(3), erf(5.9), erf(7), erf(-40)],
    [0, 0.5204998778130465, -0.8427007929497149, 0.9999779095030014, 1, 1, -1],
  );
});

test("the GELU is close to the ReLU far from 0 and lets a little through below it", () => {
  close([ACTIVATIONS.gelu(-9), ACTIVATIONS.gelu(9)], [0, 9]);
  assert.ok(ACTIVATIONS.gelu(-1) < -0.1);
});

test("what the units add, with the second bias, sums to the output", () => {
  for (const activation of ["relu", "gelu", "none"]) {
    const { parts, output } = lab({ activation, selected: 1 });
    close(
      output[1],
      [0, 1].map((d) => parts.reduce((sum, row) => sum + row[d], 0)),
    );
  }
});

test("a token's numbers do not depend on the other token", () => {
  const other = lab({
    vectors: [
      [2, -1],
      [3, 3],
    ],
  });
  assert.deepEqual(other.output[0], lab({}).output[0]);
  assert.notDeepEqual(other.output[1], lab({}).output[1]);
});

test("with nothing between the maps, the middle of two tokens goes to the middle of their outputs", () => {
  const { output } = lab({
    activation: "none",
    vectors: [
      [2, -1],
      [-1, 2],
    ],
  });
  const middle = lab({
    activation: "none",
    vectors: [
      [0.5, 0.5],
      [0, 0],
    ],
  }).output[0];
  close(
    middle,
    output[0].map((x, d) => (x + output[1][d]) / 2),
  );
});

test("the words name the units that are on and off", () => {
  assert.deepEqual(sortUnits([1, 0, 0, 2]), { on: [1, 4], off: [2, 3] });
  assert.equal(
    tokenText("Je", [1, 0, 0, 1], [1, 2]),
    "Je: units 1 and 4 are on, units 2 and 3 pass nothing; output [1, 2].",
  );
  assert.equal(
    tokenText("a", [0, 3], [0.5, 0]),
    "a: unit 2 is on, unit 1 passes nothing; output [0.5, 0].",
  );
  assert.match(
    tokenText("a", [0, 0], [1, 2]),
    /every unit is off, so only b₂ is left; output \[1, 2\]/,
  );
  assert.match(tokenText("a", [0.5, -1, 3], [1, 2]), /every unit passes something/);
  assert.match(
    tokenText("a", [1, 2, 3, 0], [1, 2]),
    /units 1, 2 and 3 are on, unit 4 passes nothing/,
  );
});

test("only without an activation do the words say that the maps are one", () => {
  assert.match(allText(CHAPTER.tokens, lab({ activation: "none" }), "none"), /one matrix\.$/);
  assert.doesNotMatch(allText(CHAPTER.tokens, lab({}), "relu"), /one matrix/);
});
