import assert from "node:assert/strict";
import test from "node:test";

import { format, formatVector, freshId } from "#lessons/kit/figures/kit.js";
import { fixtures } from "./compare.mjs";

test("format writes numbers as the static pictures do", () => {
  for (const { x, expected } of fixtures.format) assert.equal(format(x), expected);
});

test("format keeps as many decimals as asked", () => {
  assert.equal(format(1.23456, 2), "1.23");
  assert.equal(format(-0.001, 2), "0");
});

test("formatVector writes a list with true minus signs", () => {
  assert.equal(formatVector([1, -0.5, NaN, -Infinity]), "[1, −0.5, NaN, −∞]");
  assert.equal(formatVector([0.123456], 2), "[0.12]");
});

test("freshId never repeats", () => {
  assert.notEqual(freshId(), freshId());
});
