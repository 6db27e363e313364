// What the tests of the figures share: the package's numbers and the comparison with them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const TOLERANCE = 1e-6;

const path = process.env.FIGURE_FIXTURES;
if (!path)
  throw new Error("set FIGURE_FIXTURES to what `python tests/figures/fixtures.py PATH` wrote");

/** All cases by section. JSON lacks NaN and the infinities: they stand there as "#NaN" and so on. */
export const fixtures = JSON.parse(readFileSync(path, "utf8"), (_, value) =>
  /^#(NaN|-?Infinity)$/.test(value) ? Number(value.slice(1)) : value,
);

/** Require two numbers to differ by at most 1e-6, relative to the expected one if it exceeds 1. */
function closeNumbers(actual, expected, where) {
  const near = Math.abs(actual - expected) <= TOLERANCE * Math.max(1, Math.abs(expected));
  const good = Number.isFinite(expected) ? near : Object.is(actual, expected);
  assert.ok(good, `${where}: got ${actual}, expected ${expected}`);
}

/** Require the same shape and names, equal texts and booleans, and close numbers. */
export function close(actual, expected, where = "value") {
  assert.equal(typeof actual, typeof expected, `${where}: another type`);
  if (typeof expected === "number") return closeNumbers(actual, expected, where);
  if (typeof expected !== "object") return assert.equal(actual, expected, where);
  assert.deepEqual(
    Object.keys(actual).sort(),
    Object.keys(expected).sort(),
    `${where}: another shape`,
  );
  return Object.keys(expected).forEach((key) =>
    close(actual[key], expected[key], `${where}.${key}`),
  );
}

/** The traits of a figure, as its functions read them. */
export function modelOf(state) {
  return { get: (name) => state[name] };
}
