import assert from "node:assert/strict";
import test from "node:test";

import figure, { announcementText } from "#lessons/looking_inside/head_reader/head_reader.js";
import { barsOf } from "#lessons/looking_inside/head_reader/heads_grid.js";
import {
  compute,
  piecesOf,
  readHeads,
  twins,
} from "#lessons/looking_inside/head_reader/reader_math.js";
import { assetsOf, modelOf } from "../../kit/figures/compare.mjs";
import { rendered, tablesOf } from "../../kit/figures/fake_document.mjs";

const assets = assetsOf("head_reader");
const stored = readHeads(assets.activations.buffer);
const state = (changes = {}) => ({
  ...{ sentence: 0, word: 7, layer: 2, head: 7, measure: "weight", assets },
  ...changes,
});
const said = (changes) => {
  const own = state(changes);
  return announcementText(piecesOf(own.sentence), compute(modelOf(own)), own);
};

test("bars rise from the bottom, and a bar of 0 is still visible", () => {
  assert.equal(barsOf([1, 0]), "M2 16v-16M6 16v-0.6");
});

test("the text gives the head's largest weight, its contribution and its usual pattern", () => {
  assert.match(
    said({}),
    /^Layer 3, head 8: “bank” attends most to “\[CLS\]”, with a weight of 0\.81/,
  );
  assert.match(
    said({}),
    /makes up 0\.05 of the sum\. Averaged over all words, most .* goes to \[CLS\]\.$/,
  );
  assert.match(said({ layer: 0, head: 2 }), /most to “the”.*goes to the one before\.$/);
  assert.match(
    said({ layer: 0, head: 0 }),
    /Averaged over all words, no kind of token gets most of its weight\.$/,
  );
  assert.match(said({ layer: 2, head: 7, word: 0 }), /“\[CLS\]” attends most to itself/);
});

test("twins are all other occurrences of a token, numbered within a sentence", () => {
  const names = twins(stored, 8, 2).map(({ name }) => name);
  assert.deepEqual(names, ["cat (2)"]);
  assert.equal(twins(stored, 0, 7).length, 7);
  const [there] = twins(stored, 1, 2).filter(({ name }) => name === "account");
  const [back] = twins(stored, 0, 7).filter(({ name }) => name === "lends");
  assert.deepEqual(there.cosines, back.cosines);
});

test("another sentence keeps the word, a click on a head chooses it, Reset goes back", () => {
  const { el, model, stop } = rendered(figure, state());
  const [menu] = el.all("select");
  menu.selectedIndex = 6;
  menu.dispatch("change");
  assert.deepEqual([model.get("sentence"), model.get("word")], [6, 3]);
  const row = () => tablesOf(el).find(({ caption }) => caption.startsWith("The row"));
  assert.equal(row().rows.length, 9);
  const [grid] = el.marked("table", "hr-grid");
  const line = grid.all("tbody")[0].children[10];
  line.all("td")[4].dispatch("click");
  assert.deepEqual([model.get("layer"), model.get("head")], [4, 10]);
  model.set("measure", "added");
  assert.ok(el.classList.has("hr-added"));
  el.all("button")[0].dispatch("click");
  assert.deepEqual(
    [model.get("sentence"), model.get("word"), model.get("layer"), model.get("head")],
    [0, 7, 2, 7],
  );
  assert.equal(row().rows.length, 10);
  stop();
});
