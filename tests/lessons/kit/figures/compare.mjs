// What the tests of the figures share: the package's numbers and the comparison with them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const TOLERANCE = 1e-6;

const path = process.env.FIGURE_FIXTURES;
if (!path)
  throw new Error(
    "set FIGURE_FIXTURES to what `python tests/lessons/kit/figures/fixtures.py PATH` wrote",
  );

/** JSON lacks NaN and the infinities: they are written as "#NaN" and so on. */
function revived(value) {
  if (typeof value === "string")
    return /^#(NaN|-?Infinity)$/.test(value) ? Number(value.slice(1)) : value;
  if (typeof value === "object") for (const key in value) value[key] = revived(value[key]);
  return value;
}

/** All cases by section; a file of tests pays for the sections that it reads. */
export const fixtures = new Proxy(JSON.parse(readFileSync(path, "utf8")), {
  get: (all, name) => revived(all[name]),
});

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

/** The assets of a figure, as a page hands them over. */
export function assetsOf(name) {
  const files = Object.entries(fixtures.assets[name]);
  return Object.fromEntries(
    files.map(([asset, path]) => [asset, new DataView(new Uint8Array(readFileSync(path)).buffer)]),
  );
}

/** Move the first finite number in there by 1e-5; say whether there was one. */
function spoil(value) {
  return Object.entries(value).some(([key, x]) => {
    if (Number.isFinite(x)) value[key] += 1e-5 * Math.max(1, Math.abs(x));
    return Number.isFinite(x) || (Object(x) === x && spoil(x));
  });
}

/** Require in every case what the package computes; that one wrong number would be seen is shown. */
export function sameNumbers(cases, found) {
  for (const given of cases) close(found(given), given.expected, JSON.stringify(given.state));
  const wrong = structuredClone(cases[cases.length - 1]);
  assert.ok(spoil(wrong.expected));
  assert.throws(() => close(found(wrong), wrong.expected), assert.AssertionError);
}
