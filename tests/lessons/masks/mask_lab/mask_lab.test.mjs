import assert from "node:assert/strict";
import test from "node:test";

import figure from "#lessons/masks/mask_lab/mask_lab.js";
import {
  compute,
  emptyText,
  leakText,
  rowsText,
  setPad,
} from "#lessons/masks/mask_lab/mask_rules.js";
import { modelOf } from "../../kit/figures/compare.mjs";
import { rendered } from "../../kit/figures/fake_document.mjs";

const SEQUENCE = {
  token_ids: [1, 2, 3, 0],
  words: ["the", "cat", "sat"],
  pad_id: 0,
  padding: true,
  outer: false,
  causal: false,
  selected: 0,
  embeddings: [
    [0.1, 0.2, 0.3, 0.4],
    [0.5, 0.6, 0.7, 0.8],
    [0.9, 1.0, 1.1, 1.2],
    [0, 0, 0, 0],
  ],
};
const lab = (changes) => compute(modelOf({ ...SEQUENCE, ...changes }));
const LAST_IS_PAD = [false, false, false, true];

test("setPad gives a token its first id back, or the smallest free one", () => {
  const start = [7, 1, 0];
  assert.deepEqual(setPad(start, start, 0, 0, true), [0, 1, 0]);
  assert.deepEqual(setPad([0, 1, 0], start, 0, 0, false), [7, 1, 0]);
  assert.deepEqual(setPad(start, start, 0, 2, false), [7, 1, 2]);
  assert.deepEqual(setPad([1, 1], [1, 1], 1, 0, false), [2, 1]);
  assert.deepEqual(start, [7, 1, 0], "the ids it was given stay as they are");
});

test("rowsText names one row, several rows or none", () => {
  assert.match(
    rowsText(lab({ outer: true })),
    /^Fully masked: row 4\. .* NaN; .* 0\.25, .* zeros\.$/,
  );
  assert.match(
    rowsText(lab({ outer: true, token_ids: [0, 2, 0, 0] })),
    /^Fully masked: rows 1, 3 and 4\./,
  );
  assert.equal(rowsText(lab({})), "No row is fully masked, so the three conventions agree.");
});

test("an id that waits for its token is not free", () => {
  assert.deepEqual(setPad([0, 0], [1, 0], 0, 1, false), [0, 2]);
});

test("emptyText names the rows that have nothing left", () => {
  assert.equal(emptyText(lab({})), "");
  assert.match(emptyText(lab({ outer: true })), /^No key is allowed in row 4 /);
});

test("leakText says how much of a row's weight goes to pads", () => {
  const open = lab({ padding: false });
  assert.equal(
    leakText(open, LAST_IS_PAD, 0, false),
    "The padding mask is off: row 1 gives 0.1882 of its weight to pads.",
  );
  assert.equal(
    leakText(lab({}), LAST_IS_PAD, 0, true),
    "The padding mask is on: row 1 gives nothing to pads.",
  );
  assert.match(
    leakText(lab({ causal: true }), LAST_IS_PAD, 2, true),
    /^Row 3 sees no pad in any case/,
  );
  assert.equal(
    leakText(open, [false, false, false, false], 0, false),
    "There is no pad, so nothing can leak.",
  );
});

test("a cell is hatched by the mask that closes it", () => {
  const { el } = rendered(figure, { ...SEQUENCE, causal: true });
  const [table] = el.marked("table", "ml-cells");
  const cells = table.all("tbody")[0].children.map((row) => row.all("td"));
  const hatched = (name) => cells.map((row) => row.map((cell) => Number(cell.classList.has(name))));
  assert.deepEqual(hatched("ml-pad"), Array(4).fill([0, 0, 0, 1]));
  assert.deepEqual(hatched("ml-ahead"), [
    [0, 1, 1, 1],
    [0, 0, 1, 1],
    [0, 0, 0, 1],
    [0, 0, 0, 0],
  ]);
});
