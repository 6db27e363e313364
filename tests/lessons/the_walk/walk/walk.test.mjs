import assert from "node:assert/strict";
import test from "node:test";

import { readModel } from "#lessons/kit/figures/translator/weights.js";
import figure, { readAddress, writeAddress } from "#lessons/the_walk/walk/walk.js";
import { originOf } from "#lessons/the_walk/walk/origin.js";
import { passingOf, shownAt, STOPS } from "#lessons/the_walk/walk/walk_math.js";
import { assetsOf, fixtures } from "../../kit/figures/compare.mjs";
import { makeDocument, makeModel } from "../../kit/figures/fake_document.mjs";

const NEAR = 1e-4;
const assets = assetsOf("walk");
const translator = readModel(assets.translator.buffer);
const START = { word: 1, station: "tokens.tokens", cache: true, chapters: "../notebooks/" };

/** Render the figure from a state. */
function drawn(changes = {}) {
  const el = /** @type {any} */ (makeDocument());
  const state = { text: "je suis étudiant", examples: ["merci"], ...START, ...changes };
  const model = makeModel({ ...state, assets });
  const stop = figure.render({ model, el });
  const button = (name) =>
    el.all("button").find((one) => [one.attributes["aria-label"], one.textContent].includes(name));
  return { el, model, stop, button, press: (name) => button(name).dispatch("click") };
}

/** The numbers of a matrix in the order of the package, which writes heads one after the other. */
function flat(name, rows) {
  const [, part] = name.match(/\.(masked|weights)$/) ?? [];
  if (!part) return rows.flatMap((row) => Array.from(row));
  const width = rows[rows.length - 1][0].length;
  const hidden = part === "weights" ? 0 : -Infinity;
  return rows[0].flatMap((_, head) =>
    rows.flatMap((row) => Array.from({ length: width }, (_, j) => row[head][j] ?? hidden)),
  );
}

test("fifty sentences: every matrix of every station is the package's", () => {
  assert.equal(fixtures.walk_sentences.length, 50);
  for (const { text, ids, expected } of fixtures.walk_sentences) {
    const passed = passingOf(translator, text);
    assert.deepEqual(passed.ids, ids, text);
    for (const [name, packed] of Object.entries(expected)) {
      const bytes = Uint8Array.from(Buffer.from(packed, "base64"));
      const wanted = new Float32Array(bytes.buffer);
      const rows = name === "output" ? passed.seen.output.slice(-1) : passed.seen[name];
      const found = flat(name, rows);
      assert.equal(found.length, wanted.length, `${text}: ${name}`);
      const far = found.findIndex((x, i) => x !== wanted[i] && !(Math.abs(x - wanted[i]) < NEAR));
      assert.equal(far, -1, `${text}: ${name}, number ${far}`);
    }
  }
});

test("each number of each station is what its explanation computes", () => {
  const passed = passingOf(translator, "l'avocat mange un avocat");
  const kinds = new Set();
  const looks = [
    { word: 1, cache: true },
    { word: 4, cache: true },
    { word: 4, cache: false },
  ];
  for (const stop of STOPS)
    for (const { word, cache } of looks) {
      const model = makeModel({ ...START, word, cache, station: stop.id, assets });
      for (const shown of shownAt(model, passed).filter(({ field }) => field.role !== "ids"))
        (shown.field.role === "heads" ? shown.values : [shown.values]).forEach((rows, head) =>
          rows.forEach((row, i) =>
            row.forEach((x, j) => {
              if ((i + 7 * j) % 5 && rows.length > 60) return; // a fifth of the vocabulary
              const { kind, value } = originOf(passed, stop, word, shown, [i, j], head);
              kinds.add(kind);
              assert.ok(
                x === value || Math.abs(x - value) < 1e-9,
                `${stop.id} ${kind} ${x} ${value}`,
              );
            }),
          ),
        );
    }
  assert.equal(kinds.size, 11, [...kinds].join());
});

test("next leads through all stations, then through the decoder again for each word", () => {
  const { model, press, button, stop } = drawn();
  const here = () => `${model.get("word")} ${model.get("station")}`;
  const walked = [here()];
  press("Previous station");
  assert.equal(here(), walked[0]);
  const off = () => button("Next station").attributes["aria-disabled"] === "true";
  while (!off()) {
    press("Next station");
    walked.push(here());
  }
  const decoder = STOPS.filter(({ block }) => block.lane === "decoder");
  const again = [2, 3, 4, 5].flatMap((word) => decoder.map(({ id }) => `${word} ${id}`));
  assert.deepEqual(walked, [...STOPS.map(({ id }) => `1 ${id}`), ...again]);
  press("Next station");
  for (const there of walked.slice(STOPS.length - 1).reverse()) {
    assert.equal(here(), there);
    press("Previous station");
  }
  stop();
});

test("every station has a text, a chapter link, and one highlighted block and station", () => {
  const { el, model, stop } = drawn({ word: 2 });
  const said = new Set();
  for (const { id, station } of STOPS) {
    model.set("station", id);
    const [status] = el.marked("p", "tl-status");
    const [work] = el.marked("p", "wk-work");
    assert.doesNotMatch(status.textContent + work.textContent, /undefined|NaN|[{}]/, id);
    const lit = el.all("button").filter((one) => one.attributes["aria-current"] === "step");
    assert.equal(lit.length, 2, id);
    assert.equal(el.all("a")[0].attributes.href, `../notebooks/${station.chapter}.html`);
    for (const title of el.marked("p", "tl-field-title"))
      assert.doesNotMatch(title.textContent, /undefined|[{}]/, id);
    said.add(status.textContent);
  }
  assert.ok(said.size > 20);
  stop();
});

test("with the cache a later word has one new row, and old ones only where they are needed", () => {
  const rows = (changes) => {
    const { el, stop } = drawn({ station: "masked-attention.qkv", ...changes });
    const found = el.marked("div", "tl-field-row");
    stop();
    return [found.length, found.filter((one) => one.classList.has("tl-field-kept")).length];
  };
  assert.deepEqual(rows({ word: 1 }), [3, 0]);
  assert.deepEqual(rows({ word: 4 }), [1 + 4 + 4, 3 + 3]);
  assert.deepEqual(rows({ word: 4, cache: false }), [4 + 4 + 4, 0]);
  assert.deepEqual(rows({ word: 4, station: "cross-attention.qkv" }), [1 + 4 + 4, 4 + 4]);
  assert.deepEqual(rows({ word: 4, station: "memory.memory" }), [4 + 4, 4 + 4]);
});

test("another sentence starts at its first word, and unknown words are named", () => {
  const { el, model, stop } = drawn({ word: 3 });
  const [input] = el.all("input").filter((one) => one.attributes.type === "text");
  input.value = "le zèbre dort";
  input.dispatch("input");
  assert.equal(model.get("word"), 1);
  const [status] = el.marked("p", "tl-status");
  assert.match(status.textContent, /does not know “zèbre”\./);
  model.set("text", "un ".repeat(14));
  assert.match(status.textContent, /only the first 12 words/);
  stop();
});

test("the state round-trips through the address", () => {
  const state = {
    text: "où est-il ? & <b>",
    word: 2,
    station: "cross-attention.weights",
    cache: false,
  };
  const query = new URLSearchParams(
    writeAddress(/** @type {any} */ ({ get: (name) => state[name] })),
  );
  assert.deepEqual(readAddress(new URLSearchParams(query.toString())), state);
});

test("invalid values in an address are ignored", () => {
  const asked = (text) => readAddress(new URLSearchParams(text));
  assert.deepEqual(asked(""), {});
  assert.deepEqual(asked(`sentence=${"a".repeat(121)}`), {});
  for (const word of ["0", "-1", "1.5", "16", "1e9", "1e0", "0x2", "NaN", "two", "", " "])
    assert.deepEqual(asked(`word=${word}`), {}, word);
  for (const station of ["cellar", "__proto__", "constructor", "tokens", "", "<b>"])
    assert.deepEqual(asked(`station=${station}`), {}, station);
  assert.deepEqual(asked("cache=on&cache=off&step=3"), {});
  assert.deepEqual(asked("cache=off"), { cache: false });
  assert.deepEqual(asked("sentence="), { text: "" });
});
