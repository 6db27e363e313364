import assert from "node:assert/strict";
import test from "node:test";

import {
  compute,
  dragged,
  announcementText,
  seen,
} from "#lessons/layer_norm/norm_space/space_math.js";
import { close, modelOf } from "../../kit/figures/compare.mjs";

const space = (changes) =>
  modelOf({ token: [2.5, 1, -0.5], norm: "LayerNorm", turn: 350, tilt: 10, ...changes });

test("layer normalization ends on the circle, and a shift of all entries changes nothing", () => {
  const { steps } = compute(space({}));
  close([steps[1][0] + steps[1][1] + steps[1][2]], [0]);
  const shifted = compute(space({ token: [3, 1.5, 0] })).steps;
  close(shifted[2], steps[2]);
});

test("RMSNorm keeps the direction of the token", () => {
  const { steps, removed } = compute(space({ norm: "RMSNorm" }));
  assert.equal(removed[0][0], 0);
  close(
    steps[2].map((x) => x * removed[1][0]),
    steps[0],
  );
});

test("seen along the diagonal, a shift of all entries cannot be seen", () => {
  const tilt = (Math.atan(1 / Math.sqrt(2)) * 180) / Math.PI;
  close(seen([1, 2, 3], 45, tilt), seen([0, 1, 2], 45, tilt));
});

test("a drag turns by steps of five degrees and stops at the poles", () => {
  assert.deepEqual(dragged(350, 10, -40, 0), [10, 10]);
  assert.deepEqual(dragged(0, 85, 10, 300), [355, 90]);
});

test("the text says what was removed", () => {
  assert.match(
    announcementText(compute(space({})), "LayerNorm"),
    /^LayerNorm subtracts 1 and divides by/,
  );
});
