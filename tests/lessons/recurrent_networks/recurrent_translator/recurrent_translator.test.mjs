import assert from "node:assert/strict";
import test from "node:test";

import {
  MACHINES,
  SENTENCES,
  placeOf,
} from "#lessons/recurrent_networks/recurrent_translator/recurrent_math.js";
import figure, {
  statusText,
  verdict,
} from "#lessons/recurrent_networks/recurrent_translator/recurrent_translator.js";
import { modelOf } from "../../kit/figures/compare.mjs";
import { rendered, tablesOf } from "../../kit/figures/fake_document.mjs";

const state = (changes) => ({ sentence: 0, attention: false, word: 1, source: 2, ...changes });
const place = (changes) => placeOf(modelOf(state(changes)));

/** Render the figure from a state. */
function drawn(changes) {
  const { el, model, stop } = rendered(figure, state(changes));
  const rows = () => el.marked("g", "rt-row");
  const rooms = () => el.marked("rect", "rt-room");
  return { el, model, stop, rows, rooms };
}

test("the chosen words are marked by a sign, and pointing at a word chooses it", () => {
  const { model, rows, rooms, stop } = drawn({});
  const length = SENTENCES[0].source.length;
  assert.match(rows()[2].textContent, /^▸ noir/);
  assert.match(rows()[length + 1].textContent, /^black ◂/);
  rooms()[1].dispatch("pointermove");
  rooms()[length + 4].dispatch("click");
  assert.deepEqual([model.get("source"), model.get("word")], [1, 4]);
  assert.match(rows()[1].textContent, /^▸ chat/);
  assert.equal(rows().filter((one) => one.textContent.includes("▸")).length, 1);
  stop();
});

test("attention is drawn as lines, as thick as its weights, and only where it is", () => {
  for (const attention of [false, true]) {
    const { el, stop } = drawn({ attention, word: 1 });
    const looks = el.marked("line", "rt-look");
    const widths = looks.map((one) => Number(one.attributes["stroke-width"]));
    const { weights } = SENTENCES[0];
    assert.equal(widths.indexOf(Math.max(...widths)), weights[1].indexOf(Math.max(...weights[1])));
    assert.ok(looks.every((one) => one.classList.has("rt-hidden") !== attention));
    stop();
  }
});

test("another sentence shows its own words, and Reset restores the first sentence", () => {
  const { el, model, stop } = drawn({ word: 19, source: 19 });
  const heads = () => tablesOf(el)[2].heads;
  assert.ok(heads().includes("chat"));
  const [menu] = el.all("select");
  menu.selectedIndex = SENTENCES.length - 1;
  menu.dispatch("change");
  assert.ok(heads().includes("avocats") && !heads().includes("chat"));
  assert.equal(tablesOf(el).length, 3);
  el.press("Reset");
  assert.equal(model.get("sentence"), 0);
  assert.ok(heads().includes("chat"));
  stop();
});

test("the text names words and sizes and says whether the translation is right", () => {
  SENTENCES.forEach((shown, sentence) => {
    for (const attention of [false, true]) {
      const here = place({ sentence, attention, word: 19, source: 0 });
      const way = verdict(here);
      assert.ok(way.includes("“<eos>”") && !/cell/.test(way), way); // a reader counts the cells
      const said = statusText(here);
      assert.ok(said.includes(MACHINES[Number(attention)]));
      const right = shown.said[Number(attention)] === shown.target;
      assert.equal(said.includes("which is right"), right);
      assert.doesNotMatch(way + said, /undefined|NaN|\{/);
    }
  });
});
