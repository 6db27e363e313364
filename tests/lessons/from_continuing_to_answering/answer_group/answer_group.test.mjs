import assert from "node:assert/strict";
import test from "node:test";

import { verdict } from "#lessons/from_continuing_to_answering/answer_group/answer_group.js";
import {
  advantagesOf,
  compute,
  isClipped,
  timesDrawn,
} from "#lessons/from_continuing_to_answering/answer_group/group_math.js";
import { modelOf } from "../../kit/figures/compare.mjs";

/** @type {import("#lessons/from_continuing_to_answering/answer_group/group_math.js").State} */
const STATE = {
  group: 0,
  checker: "exact",
  baseline: true,
  scaled: true,
  clip: false,
  kl: 0,
  steps: 1,
};
const results = (changes) => compute(modelOf({ ...STATE, ...changes }));
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-3, `${a} is not near ${b}`);

test("advantagesOf subtracts the mean and divides by the deviation", () => {
  const gains = advantagesOf([1, 0, 0, 0], true, true);
  near(gains[0], Math.sqrt(3));
  near(gains[1], -1 / Math.sqrt(3));
  assert.deepEqual(advantagesOf([1, 0, 0, 0], true, false), [0.75, -0.25, -0.25, -0.25]);
  assert.deepEqual(advantagesOf([1, 1], true, true), [0, 0]);
  assert.deepEqual(advantagesOf([1, 0], false, true), [1, 0]);
});

test("isClipped is true only beyond the limit in the wanted direction", () => {
  assert.deepEqual(
    [
      [1.3, 1],
      [0.7, 1],
      [0.7, -1],
      [1.3, -1],
    ].map(([ratio, gain]) => isClipped(ratio, gain)),
    [true, false, true, false],
  );
});

test("a group of equal rewards moves nothing, and without a baseline it does", () => {
  const still = results({ group: 2, steps: 12 }).answers;
  for (const [before, after] of still) near(before, after);
  const moved = results({ group: 2, baseline: false }).answers;
  assert.ok(moved[0][1] > moved[0][0] + 0.01);
});

test("clipping keeps the ratios of many steps nearer to 1", () => {
  const far = (changes) => results({ steps: 12, ...changes }).group[0][2];
  assert.ok(far({ clip: true }) < far({}) - 0.5);
});

test("the KL term keeps the model nearer to what it was", () => {
  const listed = (kl) => results({ group: 4, checker: "anywhere", steps: 6, kl }).answers[4][1];
  assert.ok(listed(1) < listed(0) && listed(1) > 0.1);
});

test("verdict says what moved most, or why nothing moves", () => {
  assert.match(
    verdict(results({}), STATE),
    /^Rewards 1, 0, 0, 0\. Most raised: “yellow \.” from 0\.3/,
  );
  const equal = { ...STATE, group: 3 };
  assert.match(verdict(results(equal), equal), /equal, so every advantage is 0/);
  const first = { ...STATE, steps: 0 };
  assert.match(verdict(results(first), first), /No step has been taken/);
});

test("timesDrawn counts each answer", () => {
  assert.deepEqual(timesDrawn([0, 2, 2], 4), [1, 0, 2, 0]);
});
