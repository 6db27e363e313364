import assert from "node:assert/strict";
import test from "node:test";

import { chosenPair, climb, compute, cosine } from "#lessons/encoder/encoder_climb/climb_math.js";
import figure, { newsText } from "#lessons/encoder/encoder_climb/encoder_climb.js";
import shared from "#lessons/encoder/encoder_climb/encoder_climb.json" with { type: "json" };
import { arc } from "#lessons/encoder/encoder_climb/looks_drawing.js";
import { assetsOf, modelOf } from "../../kit/figures/kit/compare.mjs";
import { rendered, tablesOf } from "../../kit/figures/kit/fake_document.mjs";

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
  return newsText(found, compute(model, found), state(changes));
};
const drawn = (changes) => {
  const { el, model } = rendered(figure, state(changes));
  return { el, model };
};

test("a cosine is 1 for one direction, 0 across, −1 against", () => {
  assert.equal(cosine([3, 0], [5, 0]), 1);
  assert.equal(cosine([3, 0], new Float64Array([0, 2])), 0);
  assert.equal(cosine([3, 0], [-1, 0]), -1);
});

test("the news tell the chosen layer, what it is compared with, and no other layer", () => {
  const text = said({});
  assert.match(text, /^After layer 1 the two vectors of “noir” have a cosine of [\d.]+; /);
  assert.match(
    text,
    /other shared words \(le, dort\): .*; different words, same place \(chat \/ chien\): /,
  );
  assert.match(
    text,
    /In layer 1, all heads, averaged, it looks most at .+ \([\d.]+\) in the first/,
  );
  assert.doesNotMatch(text, /layer [23]|embedding/);
  assert.match(said({ layer: 3, head: 2 }), /^After layer 3 .* In layer 3, head 2, it looks/);
});

test("the news name places that differ, unknown words, and that nothing is shared", () => {
  assert.match(said({ other: "noir" }), /“noir” \(places 3 and 1\) have/);
  assert.match(said({ other: "zzz le" }), /^Not among the words of this model: “zzz”\. After/);
  assert.equal(said({ other: "" }), shared.nothing);
  assert.match(said({ sentence: "non ".repeat(15), other: "non" }), /^Only the first 14 words/);
});

test("equal weights are called so", () => {
  const model = modelOf(state({ sentence: "merci", other: "merci" }));
  const found = climb(model);
  const half = [[0.5], [0.5]];
  const results = { ...compute(model, found), first: half, second: half };
  assert.match(newsText(found, results, { layer: 1, head: 0 }), /itself and “<eos>” \(0\.5\) in/);
});

test("a word that is no longer shared gives way, and returns with it", () => {
  const { el, model } = drawn({ word: "dort" });
  const [menu] = el.all("select");
  const now = () => menu.all("option")[menu.selectedIndex].textContent;
  assert.equal(now(), "dort");
  model.set("other", "le chien noir");
  assert.equal(now(), "noir");
  model.set("other", "le chien noir dort");
  assert.equal(now(), "dort");
});

test("places of a word that stands twice are told apart", () => {
  const { pairs } = climb(modelOf(state({ sentence: "le chat voit le chien", other: "le chien" })));
  const labels = pairs.map(({ label }) => label);
  assert.deepEqual(labels, ["le (places 1 and 1)", "le (places 4 and 1)", "chien"]);
  assert.equal(chosenPair(pairs, labels[1]), pairs[1]);
});

test("an example is taken as a whole, and its tables have its words", () => {
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

test("arcs begin and end at their rows, and grow thicker with the weight", () => {
  assert.match(arc(0, 2), /^M70 37C.* 70 81$/);
  assert.match(arc(1, 1), /^M70 54C.* 70 64$/);
  const { el, model } = drawn({ head: 1 });
  const widths = el.marked("path", "ec-arc").map((path) => Number(path.attributes["stroke-width"]));
  const weights = [...compute(model).first, ...compute(model).second].map((row) => 9 * row[1]);
  assert.deepEqual(
    widths,
    weights.map((x) => Number(x.toFixed(2))),
  );
});
