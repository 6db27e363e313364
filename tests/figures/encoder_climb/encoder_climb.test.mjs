import assert from "node:assert/strict";
import test from "node:test";

import {
  climb,
  compute,
  lookedAt,
} from "../../../transformer_lite/figures/encoder_climb/climb_math.js";
import figure, { newsText } from "../../../transformer_lite/figures/encoder_climb/encoder_climb.js";
import { assetsOf, close, modelOf } from "../kit/compare.mjs";
import { makeDocument, makeModel, tablesOf } from "../kit/fake_document.mjs";

const assets = assetsOf("encoder_climb");
const state = (changes = {}) => ({
  sentence: "je suis étudiant",
  layer: 1,
  head: 0,
  assets,
  ...changes,
});
const said = (changes) => {
  const model = modelOf(state(changes));
  const found = climb(model);
  return newsText(found, compute(model, found), state(changes));
};

test("who looks at all alike looks at all, who looks at one looks at one", () => {
  const row = (n) => Array(n).fill(1 / n);
  close(lookedAt([[row(4), row(4)]]), 4);
  close(
    lookedAt([
      [
        [0, 1],
        [1, 0],
      ],
    ]),
    1,
  );
  assert.equal(lookedAt([[[0, 0]]]), 0);
});

test("the news say who looked, who is alike, and which words are unknown", () => {
  assert.match(said({}), /^In layer 1, head 1 took .+ to .+, with a weight of [\d.]+; now most/);
  assert.match(said({ layer: 0 }), /^At the embedding no token has looked yet; most alike are/);
  assert.match(
    said({ sentence: "zzz le zzy" }),
    /^Not among the words of this model: “zzz”, “zzy”/,
  );
  assert.equal(said({ sentence: "" }), "A token alone has nothing to be compared with.");
  assert.match(said({ sentence: "non ".repeat(12) }), /^Only the first 11 words climb\. /);
});

test("an example from the menu climbs, and tables follow the number of its tokens", () => {
  const el = /** @type {any} */ (makeDocument());
  const model = makeModel(state());
  const stop = figure.render({ model, el });
  assert.equal(tablesOf(el)[0].rows.length, 4);
  const [menu] = el.all("select");
  menu.selectedIndex = 2;
  menu.dispatch("change");
  assert.equal(model.get("sentence"), "le petit chat noir dort");
  assert.equal(tablesOf(el)[0].rows.length, 6);
  assert.equal(tablesOf(el)[0].heads.length, 6);
  assert.equal(tablesOf(el)[2].rows.length, 6);
  menu.selectedIndex = 0;
  menu.dispatch("change");
  assert.equal(model.get("sentence"), "le petit chat noir dort");
  model.set("layer", 0);
  assert.match(tablesOf(el)[1].caption, /^2 Where head 1 looked$/);
  stop();
});
