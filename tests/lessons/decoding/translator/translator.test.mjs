import assert from "node:assert/strict";
import test from "node:test";

import { finished } from "#lessons/kit/figures/translator/search.js";
import { inSlices } from "#lessons/kit/figures/translator/slices.js";
import { readModel, SPECIAL } from "#lessons/kit/figures/translator/weights.js";
import { inWords } from "#lessons/decoding/translator/attention_drawing.js";
import { nodesOf } from "#lessons/decoding/translator/beam_drawing.js";
import { uncertaintyText, confidenceText } from "#lessons/decoding/translator/english.js";
import { areOff, switched } from "#lessons/decoding/translator/settings.js";
import figure from "#lessons/decoding/translator/translator.js";
import {
  compute,
  differing,
  finding,
  readable,
} from "#lessons/decoding/translator/translator_math.js";
import { completed, completions, knownFrench } from "#lessons/decoding/translator/typing.js";
import { assetsOf, fixtures, sameNumbers } from "../../kit/figures/compare.mjs";
import { makeDocument, makeModel } from "../../kit/figures/fake_document.mjs";

const { state: sample } = fixtures.translator[0];

const file = assetsOf("translator").translator.buffer;
const translator = readModel(file);
const state = (changes) => ({
  ...sample,
  method: "likeliest",
  silenced: [],
  positions: true,
  mask: true,
  ...changes,
});
const found = (changes) => finished(finding(translator, state(changes)));

test("the figure's numbers equal TranslatorLab.results()", () => {
  sameNumbers(fixtures.translator, ({ state: given }) =>
    compute(translator, given, finished(finding(translator, given)).reading),
  );
});

test("typed text is completed with known words, with or without accents", () => {
  const known = ["le", "les", "l'", "étudiant", "était", "école", "chat", "chats"];
  assert.deepEqual(completions("le chat et", known), ["étudiant", "était"]);
  assert.deepEqual(completions("l’éc", known), ["école"]);
  assert.deepEqual(completions("chat", known), ["chats"]);
  assert.deepEqual(completions("zz", known), []);
  assert.equal(completed("le chat et", "étudiant"), "le chat étudiant ");
  assert.equal(completed("l’ec", "école"), "l’école ");
  assert.equal(completed("", "l'"), "l'");
  assert.equal(completed("le chat dort ", "-il"), "le chat dort-il ");
  assert.equal(completed("le chat,", "le"), "le chat, le ");
});

test("a row of weights is described by its three largest", () => {
  assert.equal(inWords([0.1, 0.6, 0.05, 0.25], ["a", "b", "c", "d"]), "b 0.6, d 0.25, a 0.1");
});

test("the tree marks the path to the best sentence", () => {
  const kept = (id, parent, score) => ({ id, parent, score, logProb: score, ended: id === 2 });
  const tree = [
    { weighed: [], kept: [kept(5, 0, -1), kept(6, 0, -2)] },
    { weighed: [], kept: [kept(2, 1, -2.5), kept(7, 0, -3)] },
    { weighed: [], kept: [kept(0, 0, -2.5), kept(2, 1, -4)] },
  ];
  const nodes = nodesOf(tree, String, SPECIAL.pad);
  assert.deepEqual(
    nodes.map(({ isBest }) => isBest),
    [false, true, true, false, true, false],
  );
  assert.deepEqual(
    nodes.map(({ goesOn }) => goesOn),
    [false, false, false, false, true, false],
  );
});

test("long work is done in slices and can be stopped", async () => {
  function* counting(to) {
    for (let i = 0; i < to; i += 1) yield i;
    return to;
  }
  const results = [];
  inSlices(counting(3), (n) => results.push(n), 1000);
  assert.deepEqual(results, [3]);
  inSlices(counting(3), (n) => results.push(n), 0);
  assert.deepEqual(results, [3]);
  const stop = inSlices(counting(3), (n) => results.push(n), 0);
  stop();
  await new Promise((done) => inSlices(counting(3), done, 0)); // begun last, so done last
  assert.deepEqual(results, [3, 3]);
});

test("typed text is escaped, and buttons write, choose and draw again", () => {
  const el = /** @type {any} */ (makeDocument());
  const assets = { translator: new DataView(file) };
  const model = makeModel({
    ...state({ text: "un avo", method: "chance", form: "lines" }),
    assets,
  });
  const stop = figure.render({ model, el });
  el.press("avocat");
  assert.equal(model.get("text"), "un avocat ");
  const list = el.all("details").at(-1); // the tree has one too
  assert.equal(list.all("button").length, 0);
  for (let i = 0; i < 2; i += 1) list.dispatch("toggle");
  assert.equal(list.all("button").length, knownFrench(translator).length);
  el.press("dort");
  assert.equal(model.get("text"), "un avocat dort ");
  el.press("Again");
  assert.equal(model.get("seed"), sample.seed + 1);
  const [box] = el.all("input");
  box.value = `<b>${"x".repeat(300)}`;
  box.dispatch("input");
  assert.equal(model.get("text").length, 160);
  assert.equal(el.all("b").length, 0);
  el.press("Reset");
  assert.equal(model.get("text"), "un avo");
  stop();
});

test("changed words are those outside the longest common subsequence", () => {
  const changed = (a, b) => differing(a.split(" "), b.split(" ")).map(Number).join("");
  assert.equal(changed("the black cat", "the black cat"), "000");
  assert.equal(changed("the small black cat", "the black cat"), "0100");
  assert.equal(changed("the cat black", "the black cat"), "001");
  assert.equal(changed("a b", "c d"), "11");
  assert.deepEqual(differing([], ["a"]), []);
});

test("a long text is cut, and says so", () => {
  assert.equal(readable(translator, "chat ".repeat(28)).cut, false);
  const { pieces, ids, cut } = readable(translator, "chat ".repeat(29));
  assert.ok(cut);
  assert.equal(pieces.length, 29);
  assert.equal(ids.at(-1), SPECIAL.eos);
});

test("heads are switched off and on, one or a whole layer", () => {
  /** @type {import("#lessons/decoding/translator/translator_math.js").Silenced[]} */
  const layer = [0, 1, 2, 3].map((head) => ["self", 1, head]);
  const off = switched([["cross", 0, 0]], layer, true);
  assert.equal(off.length, 5);
  assert.ok(areOff(off, layer));
  assert.equal(switched(off, layer, true).length, 5);
  assert.ok(!areOff(switched(off, [["self", 1, 2]], false), layer));
  assert.deepEqual(switched(off, layer, false), [["cross", 0, 0]]);
});

test("doubt depends only on the text, not on the method or silenced heads", () => {
  const text = "noir le le dort petit chat le pas";
  for (const method of ["likeliest", "beam", "chance"])
    for (const silenced of [[], [["cross", 0, 0]]]) {
      const { doubt } = found({ text, method, silenced });
      assert.deepEqual(doubt, found({ text }).doubt);
      assert.match(
        uncertaintyText(doubt),
        /not sure of its most likely words, least of “.+” \(p = 0\.\d+\)/,
      );
    }
  assert.equal(uncertaintyText(found({ text: "l'avocat mange un avocat" }).doubt), "");
  assert.equal(uncertaintyText(undefined), "");
  const rates = { threshold: -1, false_alarms: 0.048, misses: 0.2 };
  assert.match(confidenceText({ ...translator, doubt: rates }), /for 5 of 100 .* for 80 of 100 /);
  assert.equal(confidenceText({ ...translator, doubt: null }), "");
});
