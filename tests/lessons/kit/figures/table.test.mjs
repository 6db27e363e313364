import assert from "node:assert/strict";
import test from "node:test";

import { largestOf, showNumber } from "#lessons/kit/figures/table.js";
import { makeDocument } from "./fake_document.mjs";

makeDocument();

test("the shade is a number's size relative to the largest, and 0 if it is not finite", () => {
  const values = [-2, 1, 0, Infinity, -Infinity, NaN];
  assert.equal(largestOf(values), 2);
  const cells = values.map((value) => {
    const cell = /** @type {any} */ (document.createElement("td"));
    showNumber(cell, value, 2);
    return cell;
  });
  const heat = cells.map(({ style }) => style["--heat"]);
  assert.deepEqual(heat, ["1.000", "0.500", "0.000", "0.000", "0.000", "0.000"]);
  const marks = cells.map(({ classList }) => [...classList].join());
  assert.deepEqual(marks, ["tl-negative", "", "", "", "tl-off", "tl-nan"]);
});
