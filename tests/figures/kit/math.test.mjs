// The functions of math.js against transformer_lite.

import assert from "node:assert/strict";
import test from "node:test";

import {
  attentionSteps,
  combineMasks,
  fillMasked,
  lookAheadMask,
  outerProductPaddingMask,
  paddingMask,
  softmax,
} from "../../../transformer_lite/figures/kit/math.js";
import { close, fixtures } from "./compare.mjs";

test("softmax equals masked_softmax", () => {
  for (const { row, allowed, expected } of fixtures.softmax)
    close(softmax(row, allowed ?? undefined), expected);
});

test("softmax does not overflow", () => {
  close(softmax([1e308, 1e308, -1e308]), [0.5, 0.5, 0]);
});

test("attentionSteps equals attention_steps", () => {
  for (const { x, scale, mask, expected } of fixtures.attention)
    close(attentionSteps(x, scale, mask ?? undefined), expected);
});

test("a fully masked row has weights 0 and output 0", () => {
  const { weights, output } = attentionSteps(
    [
      [1, 2],
      [3, 4],
    ],
    1,
    [
      [true, false],
      [false, false],
    ],
  );
  assert.deepEqual(weights[1], [0, 0]);
  assert.deepEqual(output[1], [0, 0]);
});

test("the masks equal the package's", () => {
  for (const { ids, pad_id, expected } of fixtures.masks) {
    const outer = outerProductPaddingMask(ids, pad_id);
    const ahead = lookAheadMask(ids.length);
    close(
      {
        padding: paddingMask(ids, pad_id),
        outer,
        look_ahead: ahead,
        combined: combineMasks(outer, ahead),
      },
      expected,
    );
  }
});

test("fillMasked writes the number into forbidden entries only", () => {
  assert.deepEqual(
    fillMasked(
      [
        [1, 2],
        [3, 4],
      ],
      [
        [true, false],
        [false, true],
      ],
      -9,
    ),
    [
      [1, -9],
      [-9, 4],
    ],
  );
});
