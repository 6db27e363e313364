// The comparison itself: it must accept what is equal and refuse what is not.

import assert from "node:assert/strict";
import test from "node:test";

import { close } from "./compare.mjs";

test("close accepts rounding, NaN beside NaN and equal infinities", () => {
  close([1 + 9e-7, NaN, -Infinity, 0], [1, NaN, -Infinity, -0]);
  close({ weights: [[1e9 + 100]] }, { weights: [[1e9]] });
});

for (const [name, actual, expected] of [
  ["a wrong number", [1, 2 + 3e-6], [1, 2]],
  ["a small number that vanished", [0], [2e-6]],
  ["NaN for a number", [NaN], [0]],
  ["a number for NaN", [0], [NaN]],
  ["the other infinity", [Infinity], [-Infinity]],
  ["a finite number for −∞", [-1e9], [-Infinity]],
  ["a missing entry", [[1, 2]], [[1, 2, 3]]],
  ["a row more", [[1], [2]], [[1]]],
  ["a missing name", { scores: 1 }, { scores: 1, weights: 1 }],
  ["1 for true", [1], [true]],
  ["false for true", [false], [true]],
]) {
  test(`close refuses ${name}`, () => {
    assert.throws(() => close(actual, expected), assert.AssertionError);
  });
}
