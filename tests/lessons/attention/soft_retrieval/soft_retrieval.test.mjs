import assert from "node:assert/strict";
import test from "node:test";

import { inside } from "#lessons/attention/soft_retrieval/plane.js";
import { hull } from "#lessons/attention/soft_retrieval/plane_math.js";
import { compute, foundText, winners } from "#lessons/attention/soft_retrieval/soft_retrieval.js";
import { modelOf } from "../../kit/figures/compare.mjs";

const WORDS = ["river", "swam", "cash", "the"];
const FIRST = {
  places: [
    [3, 0],
    [2, 0],
    [0, 3],
    [0, 0],
  ],
  query: [1, 1],
  sharpness: 1,
  values: "keys",
};
const look = (changes) => compute(modelOf({ ...FIRST, ...changes }));

test("foundText names one winner, two, or none", () => {
  assert.equal(
    foundText(look({ query: [1, 0] }), WORDS),
    "The largest weight, 0.6815, goes to “river”. The mixture is [2.5457, 0.1018].",
  );
  assert.match(
    foundText(look({}), WORDS),
    /^The largest weight, 0\.\d+, goes to “river” and “cash”\. /,
  );
  assert.match(foundText(look({ sharpness: 0 }), WORDS), /^All weights are equal, 0\.25\. /);
});

test("winners are all positions with the largest weight", () => {
  assert.deepEqual([winners([0.1, 0.6, 0.3]), winners([0.4, 0.2, 0.4])], [[1], [0, 2]]);
});

test("inside keeps a point in the plane, in steps of 0.1", () => {
  assert.deepEqual(inside([9, -9]), [4, -4]);
  assert.deepEqual(inside([1.2345, -0.3 + 0.1]), [1.2, -0.2]);
});

test("the hull has each outer point once, counter-clockwise", () => {
  assert.deepEqual(
    hull([
      [1, 1],
      [3, 0],
      [0, 0],
      [2, 0],
      [0, 3],
      [0, 0],
    ]),
    [
      [0, 0],
      [3, 0],
      [0, 3],
    ],
  );
});
