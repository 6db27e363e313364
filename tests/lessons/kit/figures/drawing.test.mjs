import assert from "node:assert/strict";
import test from "node:test";

import { along, niceTicks } from "#lessons/kit/figures/drawing.js";
import { close } from "./compare.mjs";

test("along goes from 0 at the minimum to 1 at the maximum", () => {
  close(
    [-2, 0, 1, 4].map((x) => along(x, { min: -2, max: 4 })),
    [0, 1 / 3, 0.5, 1],
  );
  close(
    [0.01, 1, 100].map((x) => along(x, { min: 0.01, max: 100, log: true })),
    [0, 0.5, 1],
  );
});

test("along clamps values outside the range", () => {
  assert.equal(along(-9, { min: 0, max: 1 }), 0);
  assert.equal(along(9, { min: 0, max: 1 }), 1);
  assert.equal(along(0, { min: 0.1, max: 1, log: true }), 0);
  assert.equal(along(-5, { min: 0.1, max: 1, log: true }), 0);
});

test("niceTicks are round, inside and about as many as asked for", () => {
  close(niceTicks(0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  close(niceTicks(-3, 7), [-2, 0, 2, 4, 6]);
  close(niceTicks(2, 64), [20, 40, 60]);
  close(niceTicks(0, 0.3, 3), [0, 0.1, 0.2, 0.3]);
});

test("logarithmic ticks are powers of ten", () => {
  close(niceTicks(0.001, 10, 5, true), [0.001, 0.01, 0.1, 1, 10]);
  close(niceTicks(1e-12, 1, 4, true), [1e-12, 1e-9, 1e-6, 1e-3, 1]);
});
