import assert from "node:assert/strict";
import test from "node:test";

import { finished } from "#lessons/kit/figures/translator/search.js";
import { inSlices } from "#lessons/kit/figures/translator/slices.js";
import { readModel, SPECIAL } from "#lessons/kit/figures/translator/weights.js";
import { inWords } from "#lessons/decoding/translator/attention_drawing.js";
import { nodesOf } from "#lessons/decoding/translator/beam_drawing.js";
import { doubtInWords, trustInWords, verdict } from "#lessons/decoding/translator/english.js";
import { areOff, switched } from "#lessons/decoding/translator/settings.js";
import figure from "#lessons/decoding/translator/translator.js";
import {
  beamsOf,
  compute,
  differing,
  finding,
  readable,
} from "#lessons/decoding/translator/translator_math.js";
import {
  completed,
  completions,
  knownFrench,
  ofKind,
} from "#lessons/decoding/translator/typing.js";
import { assetsOf, fixtures, sameNumbers } from "../../kit/figures/kit/compare.mjs";
import { makeDocument, makeModel } from "../../kit/figures/kit/fake_document.mjs";

const file = assetsOf("translator").translator.buffer;
const translator = readModel(file);
const uneven = Buffer.from(fixtures.translator_engine.file, "base64"); // 4 layers read, 2 write
const { state: sample } = fixtures.translator[0];
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

test("a long text is cut, and says so", () => {
  assert.equal(readable(translator, "chat ".repeat(28)).cut, false);
  const { pieces, ids, cut } = readable(translator, "chat ".repeat(29));
  assert.ok(cut);
  assert.equal(pieces.length, 29);
  assert.equal(ids.at(-1), SPECIAL.eos);
});

test("words that have changed are those that are not common to both, in order", () => {
  const changed = (a, b) => differing(a.split(" "), b.split(" ")).map(Number).join("");
  assert.equal(changed("the black cat", "the black cat"), "000");
  assert.equal(changed("the small black cat", "the black cat"), "0100");
  assert.equal(changed("the cat black", "the black cat"), "001");
  assert.equal(changed("a b", "c d"), "11");
  assert.deepEqual(differing([], ["a"]), []);
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

test("what is typed is completed by known words, with or without accents", () => {
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

test("the words on the screen are words that it knows", () => {
  const known = knownFrench(translator);
  assert.ok(known.length > 1900);
  assert.equal(new Set(known).size, known.length);
  const kinds = [0, 1, 2, 3, 4, 5].map((kind) => ofKind(translator, kind));
  assert.deepEqual(kinds.flat().toSorted(), known.toSorted());
  const nouns = kinds[1];
  assert.ok(nouns.indexOf("école") < nouns.indexOf("fille"));
  assert.ok(known.indexOf("le") < known.indexOf("avocat"));
});

test("the verdict says what is unknown, broken or empty", () => {
  const said = (changes) => verdict(translator, state(changes), found(changes));
  const plain = said({ text: "le chat", place: 0 });
  assert.match(plain, /^English: “.*”\. Word 1, “.*”, has probability [\d.]+\.$/);
  assert.match(said({ text: "le zèbre" }), /It does not know “zèbre” and guesses\./);
  assert.match(said({ text: "" }), /^Nothing is typed\. Of the end alone it makes “/);
  assert.match(said({ text: "le chat", positions: false }), /Unharmed: “|is the same unharmed/);
});

test("a word that was drawn has a probability above 0, however small", () => {
  const drawn = { text: "le chat dort", method: "chance", temperature: 2 };
  for (let seed = 0; seed < 4; seed += 1) {
    const reading = found({ ...drawn, seed });
    for (let place = 0; place < 4; place += 1)
      assert.doesNotMatch(verdict(translator, state({ ...drawn, seed, place }), reading), / 0\.$/);
  }
});

test("a drawn row is told by its three largest weights", () => {
  assert.equal(inWords([0.1, 0.6, 0.05, 0.25], ["a", "b", "c", "d"]), "b 0.6, d 0.25, a 0.1");
});

test("the tree marks the way to the best sentence", () => {
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

test("the numbers of the tree fall along each way, with a length penalty too", () => {
  const { search } = found({ text: "le chat dort", method: "beam", beams: 4, alpha: 2 }).reading;
  assert.ok(search);
  const nodes = nodesOf(search.tree, String, SPECIAL.pad);
  const above = search.tree.map(({ kept }) => kept.map(({ logProb }) => logProb));
  const levels = search.tree.flatMap(({ kept }, t) => kept.map(({ parent }) => [t, parent]));
  for (const [i, [t, parent]] of levels.entries())
    assert.ok(nodes[i].logProb <= (t ? above[t - 1][parent] : 0));
});

test("a kept sentence without a word has a name, too", () => {
  const ids = [SPECIAL.bos, SPECIAL.eos];
  const search = /** @type {any} */ ({ found: [{ ids, text: "", logProb: -1, score: -1 }] });
  assert.deepEqual(beamsOf(search), { rows: ["⟨end⟩"], numbers: [[-1, -1]] });
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

test("what a reader types stays text, and buttons write, choose and draw again", () => {
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

test("it says when it is not sure, by whatever words are taken, and how far that can be trusted", () => {
  const text = "noir le le dort petit chat le pas";
  for (const method of ["likeliest", "beam", "chance"])
    for (const silenced of [[], [["cross", 0, 0]]]) {
      const { doubt } = found({ text, method, silenced });
      assert.deepEqual(doubt, found({ text }).doubt);
      assert.match(
        doubtInWords(doubt),
        /not sure of its likeliest words, least of “.+” \(p = 0\.\d+\)/,
      );
    }
  assert.equal(doubtInWords(found({ text: "l'avocat mange un avocat" }).doubt), "");
  assert.equal(doubtInWords(undefined), "");
  const rates = { threshold: -1, false_alarms: 0.048, misses: 0.2 };
  assert.match(trustInWords({ ...translator, doubt: rates }), /of 5 in 100.* of 80 in 100/);
  assert.equal(trustInWords({ ...translator, doubt: null }), "");
});

test("the controls have the layers of the part that is looked at", () => {
  const el = /** @type {any} */ (makeDocument());
  const bytes = Uint8Array.from(uneven);
  const assets = { translator: new DataView(bytes.buffer) };
  const start = { text: "je suis", part: "encoder", layer: 3, head: -1, form: "lines" };
  const model = makeModel({ ...state(start), simple: false, assets });
  const stop = figure.render({ model, el });
  const menus = el.all("select");
  const layers = menus.find((one) => one.all("option").length === 4);
  const there = () => layers.all("option").filter((line) => !line.disabled).length;
  assert.equal(there(), 4);
  const looks = menus.find((one) => one.all("option").length === 3);
  looks.selectedIndex = 1;
  looks.dispatch("change");
  assert.equal(model.get("part"), "cross");
  assert.equal(model.get("layer"), 1);
  assert.equal(there(), 2);
  assert.match(el.textContent, /0 of 32 heads are off/);
  stop();
});
