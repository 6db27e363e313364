import assert from "node:assert/strict";
import test from "node:test";

import {
  compute,
  announcementText,
} from "#lessons/the_cat_sat/attention_explorer/attention_explorer.js";
import { bands } from "#lessons/the_cat_sat/attention_explorer/flows.js";
import { modelOf } from "../../kit/figures/compare.mjs";

test("flows lie side by side without overlap", () => {
  const [first, second, last] = bands([0.5, 0, 0.5]);
  assert.deepEqual([first.width, second.width, last.to - first.to], [39, 0, 39]);
  assert.ok(first.from < second.from && second.from < last.from);
});

test("announcementText names where a token looks most, and its output", () => {
  const vectors = [
    [1, 0, 1, 0],
    [0, 1, 0, 1],
    [1, 1, 1, 1],
  ];
  const results = compute(modelOf({ vectors, scaled: true, temperature: 1, causal: false }));
  assert.equal(
    announcementText(results, ["The", "CAT", "SAT"], 1),
    "CAT gives most weight to CAT and SAT, 0.4223 each; its output is [0.5777, 0.8446, 0.5777, 0.8446].",
  );
});
