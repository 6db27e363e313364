import assert from "node:assert/strict";
import test from "node:test";

import { compute, scaleFactor } from "../../transformer_lite/figures/attention_explorer.js";
import { close, fixtures, modelOf } from "./compare.mjs";

test("the explorer's numbers equal AttentionExplorer.steps()", () => {
  for (const { state, expected } of fixtures.attention_explorer) close(compute(modelOf(state)), expected);
});

test("scaleFactor divides by √d and by the temperature", () => {
  assert.equal(scaleFactor(4, true, 1), 0.5);
  assert.equal(scaleFactor(4, false, 1), 1);
  assert.equal(scaleFactor(16, true, 2), 0.125);
  assert.equal(scaleFactor(9, false, 0.5), 2);
});
