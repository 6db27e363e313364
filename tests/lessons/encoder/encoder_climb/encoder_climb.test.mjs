import assert from "node:assert/strict";
import test from "node:test";

import { climb, compute } from "#lessons/encoder/encoder_climb/climb_math.js";
import figure, { announcementText } from "#lessons/encoder/encoder_climb/encoder_climb.js";
import shared from "#lessons/encoder/encoder_climb/encoder_climb.json" with { type: "json" };
import { assetsOf, modelOf } from "../../kit/figures/compare.mjs";
import { rendered, tablesOf } from "../../kit/figures/fake_document.mjs";

const assets = assetsOf("encoder_climb");
const state = (changes = {}) => ({
  sentence: "le chat noir dort",
  other: "le chien noir dort",
  word: "",
  layer: 1,
  head: 0,
  assets,
  ...changes,
});
const said = (changes) => {
  const model = modelOf(state(changes));
  const found = climb(model);
  return announcementText(found, compute(model, found), state(changes));
};
const drawn = (changes) => {
  const { el, model } = rendered(figure, state(changes));
  return { el, model };
};

test("the text describes only the chosen layer and its comparisons", () => {
  const text = said({});
  assert.match(text, /^After layer 1 the two vectors of “noir” have a cosine of [\d.]+; /);
  assert.match(
    text,
    /other shared words \(le, dort\): .*; different words, same position \(chat \/ chien\): /,
  );
  assert.match(
    text,
    /In layer 1, all heads, averaged, it looks most at .+ \([\d.]+\) in the first/,
  );
  assert.doesNotMatch(text, /layer [23]|embedding/);
  assert.match(said({ layer: 3, head: 2 }), /^After layer 3 .* In layer 3, head 2, it looks/);
});

test("a word that is no longer shared is replaced, and restored when shared again", () => {
  const { el, model } = drawn({ word: "dort" });
  const [menu] = el.all("select");
  const now = () => menu.all("option")[menu.selectedIndex].textContent;
  assert.equal(now(), "dort");
  model.set("other", "le chien noir");
  assert.equal(now(), "noir");
  model.set("other", "le chien noir dort");
  assert.equal(now(), "dort");
});

test("choosing an example sets both sentences and the words of the tables", () => {
  const { el, model } = drawn({ word: "dort" });
  const menu = el.all("select")[1];
  menu.selectedIndex = 6;
  menu.dispatch("change");
  const { sentence, other, word } = Object.fromEntries(
    ["sentence", "other", "word"].map((name) => [name, model.get(name)]),
  );
  assert.deepEqual([[sentence, other], word], [shared.examples[5], ""]);
  const [similarity, first, second] = tablesOf(el);
  assert.equal(similarity.rows[0], "embedding");
  assert.equal(first.rows.length, sentence.split(" ").length + 1);
  assert.equal(second.rows.length, other.split(" ").length + 1);
  menu.selectedIndex = 0;
  menu.dispatch("change");
  assert.equal(model.get("sentence"), sentence);
});
