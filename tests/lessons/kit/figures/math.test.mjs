// The functions of math.js against transformer_lite.

import assert from "node:assert/strict";
import test from "node:test";

import { attentionSteps, softmax } from "#lessons/kit/figures/math.js";
import { close, fixtures, sameNumbers } from "./compare.mjs";

test("softmax equals masked_softmax", () => {
  sameNumbers(fixtures.softmax, ({ row, allowed }) => softmax(row, allowed ?? undefined));
});

test("softmax does not overflow", () => {
  close(softmax([1e308, 1e308, -1e308]), [0.5, 0.5, 0]);
});

test("attentionSteps equals attention_steps", () => {
  sameNumbers(fixtures.attention, ({ x, scale, mask }) =>
    attentionSteps(x, scale, mask ?? undefined),
  );
  const largest = fixtures.attention.map(({ expected }) => Math.max(...expected.scaled.flat()));
  assert.ok(Math.max(...largest) > 800); // exp() of it overflows unless the maximum is taken off
});
