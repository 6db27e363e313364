// @ts-check
// The walk: how does a sentence become the next word? The whole trained translator, station by station.

import { keeping } from "../../kit/figures/address.js";
import { button, resetButton, tied, toggle } from "../../kit/figures/controls.js";
import {
  assign,
  assignAll,
  connect,
  controlRow,
  fill,
  format,
  h,
  power,
  setText,
  status,
} from "../../kit/figures/kit.js";
import { largestOf, showNumber } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { colorField } from "../../kit/figures/color_field.js";
import { formulaOf } from "./formula.js";
import { HINT, madeOf } from "../../kit/figures/made.js";
import { originOf } from "./origin.js";
import { sentenceLine, translationLine } from "./sentence.js";
import shared from "./walk.json" with { type: "json" };
import { partName, walkMap } from "./walk_map.js";
import { compute, passedBy, shownAt, STOPS, stepped, whereOf, wordsOfTexts } from "./walk_math.js";

/** @typedef {import("./walk_math.js").State} State */
/** @typedef {import("./walk_math.js").Passed} Passed */
/** @typedef {import("./walk_math.js").Shown} Shown */
/** @typedef {import("./walk_math.js").Stop} Stop */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {{read: (text: string) => void, pick: (i: number, j: number) => void}} Reader */

/** @type {(keyof State & string)[]} */
const TRAITS = ["text", "word", "station", "cache"];
const WIDTH = 96; // of a field that goes through the vocabulary
const texts = /** @type {Record<string, string>} */ (shared.texts);
const whole = (/** @type {number} */ x) => format(x, 0);

/** What a station says, and first what of the sentence could not be read. @param {Passed} passed @param {Stop} stop @param {number} newest */
function toldAt(passed, { station }, newest) {
  const words = wordsOfTexts(passed, newest);
  const odd = passed.unknown.map((word) => `“${word}”`).join(", ");
  const unknown = odd ? fill(texts.unknown, { words: odd }) : "";
  const cut = passed.isCut ? fill(texts.cut, { most: shared.words }) : "";
  return unknown + cut + fill(station.say, { ...words, share: power(words.share) });
}

/** What is computed here for this word, and what is not. @param {Stop} stop @param {Shown[]} shown @param {number} newest @param {boolean} cache @param {string} word */
function workAt({ block }, shown, newest, cache, word) {
  if (newest === 1) return texts.first;
  if (block.lane === "encoder") return texts.once;
  if (!cache) return fill(texts.anew, { T: newest });
  const keys = shown.filter(({ field }) => field.role === "keys");
  if (!keys.length) return fill(texts.alone, { word });
  return block.kind === "cross" ? texts.all_kept : texts.kept;
}

/** A matrix, or one of a head, as a field. @param {Shown} shown @param {string} title @param {number[][]} values @param {string[] | undefined} heads @param {Reader} reader */
function fieldOf({ field, rows, columns, kept }, title, values, heads, { read, pick }) {
  const entry = (/** @type {number} */ j) =>
    heads ? `to “${heads[j]}”` : `entry ${columns[j]} of ${columns.length}`;
  const name = (/** @type {number} */ i, /** @type {number} */ j) => `“${rows[i]}”, ${entry(j)}`;
  const element = colorField({ title, values, rows, kept, name, pick, heads }, read);
  element.classList.add(`wk-of-${field.name}`);
  element.classList.toggle("wk-many", rows.length > shared.many);
  return element;
}

/** The numbers of all tokens, many a row. @param {Shown} shown @param {string} title @param {Reader} reader */
function foldedField({ rows, values }, title, { read, pick }) {
  const lines = Array.from({ length: Math.ceil(rows.length / WIDTH) }, (_, i) =>
    Array.from({ length: WIDTH }, (_, j) => values[i * WIDTH + j]?.[0] ?? Number.NaN),
  );
  const name = (/** @type {number} */ i, /** @type {number} */ j) => `“${rows[i * WIDTH + j]}”`;
  const names = lines.map(() => "");
  const unfold = (/** @type {number} */ i, /** @type {number} */ j) => pick(i * WIDTH + j, 0);
  const matrix = { title, values: lines, rows: names, kept: [], name, pick: unfold };
  const element = colorField(matrix, read);
  element.classList.add("wk-folded");
  return element;
}

/** A table with every number. @param {string} name @param {string} caption @param {string[]} rows @param {string[]} columns @param {number[][]} values @param {Shown} shown */
function numbersOf(name, caption, rows, columns, values, { field, kept }) {
  const { role } = field;
  const write = role === "best" ? power : role === "ids" ? whole : format;
  const fixed = { best: 1, ids: Number.POSITIVE_INFINITY }; // a name is not an amount: no shade
  const largest = fixed[/** @type {"best"} */ (role)] ?? largestOf(values.flat());
  const head = h("tr", {}, h("td"), ...columns.map((text) => h("th", { scope: "col" }, text)));
  const lines = values.map((row, i) => {
    const cells = row.map((x) => {
      const cell = h("td");
      showNumber(cell, x, largest, write);
      return cell;
    });
    const kind = kept[i % Math.max(kept.length, 1)] ? "wk-kept" : "";
    return h("tr", { class: kind }, h("th", { scope: "row" }, rows[i]), ...cells);
  });
  const kind = role === "best" ? "tl-matrix tl-bars wk-bars" : "tl-matrix";
  const parts = [h("caption", {}, caption), h("thead", {}, head), h("tbody", {}, ...lines)];
  const box = h("div", { class: "tl-matrix-box" }, h("table", { class: kind }, ...parts));
  box.dataset.result = name;
  return box;
}

/** The table of one matrix; heads are below each other. @param {Shown} shown @param {string} caption */
function tableOf(shown, caption) {
  const { field, values, rows, columns } = shown;
  if (field.role !== "heads") return numbersOf(field.name, caption, rows, columns, values, shown);
  const names = values.flatMap((/** @type {any} */ _, /** @type {number} */ head) =>
    rows.map((row) => `head ${head + 1}, ${row}`),
  );
  return numbersOf(field.name, caption, names, columns, values.flat(), shown);
}

/** What a station shows without being asked: fields of color, short tables, bars. @param {Shown} shown @param {string} caption @param {(head: number) => Reader} readerOf @returns {HTMLElement[]} */
function pictureOf(shown, caption, readerOf) {
  const { field, values, columns } = shown;
  if (field.role === "ids" || field.role === "best") return [tableOf(shown, caption)];
  if (field.role === "vocabulary") return [foldedField(shown, caption, readerOf(0))];
  if (field.role !== "heads") return [fieldOf(shown, caption, values, undefined, readerOf(0))];
  const heads = values.map((/** @type {number[][]} */ head, /** @type {number} */ i) =>
    fieldOf(shown, `${caption}, head ${i + 1}`, head, columns, readerOf(i)),
  );
  return [h("div", { class: "wk-heads-of" }, ...heads)];
}

/** The pictures of a station, the number that is read, how it was made, and all numbers. */
function board() {
  const pictures = h("div", { class: "wk-pictures tl-answer" });
  const number = h("p", { class: "wk-number", "aria-live": "polite" });
  const made = h("div", { class: "tl-made", "aria-live": "polite" });
  const tables = h("div", { class: "wk-tables" });
  const summary = h("summary", {}, shared.full);
  /** @type {() => HTMLElement[]} */
  let make = () => [];
  const unfold = () => tables.replaceChildren(...(full.open ? make() : []));
  const full = h("details", { class: "wk-full", ontoggle: unfold }, summary, tables);
  const read = (/** @type {string} */ text) => setText(number, text);
  return {
    elements: [pictures, number, made, full],
    /** @param {Passed} passed @param {Stop} stop @param {number} newest @param {Shown[]} shown @param {Record<string, string | number>} words */
    update(passed, stop, newest, shown, words) {
      const readerOf = (/** @type {Shown} */ one) => (/** @type {number} */ head) => ({
        read,
        pick: (/** @type {number} */ i, /** @type {number} */ j) =>
          made.replaceChildren(...madeOf(originOf(passed, stop, newest, one, [i, j], head))),
      });
      made.replaceChildren();
      const captions = shown.map(({ field }) => fill(field.caption, words));
      const large = shown.filter(({ field }) => field.role !== "ids" && field.role !== "best");
      pictures.replaceChildren(
        ...shown.flatMap((one, i) => pictureOf(one, captions[i], readerOf(one))),
      );
      make = () => large.map((one) => tableOf(one, captions[shown.indexOf(one)]));
      full.hidden = number.hidden = large.length === 0;
      read(HINT);
      unfold();
    },
  };
}

/** Back and next, and the position in the walk. @param {(by: number) => void} go */
function wayButtons(go) {
  const way = (/** @type {string} */ text, /** @type {number} */ by) =>
    button(text, () => go(by), { "aria-label": `${text} station` });
  const [back, next] = [way("Previous", -1), way("Next", 1)];
  const count = h("span", { class: "wk-count" });
  return {
    element: h("div", { class: "wk-steps" }, back, next, count),
    /** @param {Passed} passed @param {number} at @param {number} newest */
    update(passed, at, newest) {
      const [before, after] = [-1, 1].map((by) => stepped(passed, at, newest, by));
      back.setAttribute("aria-disabled", String(!before));
      next.setAttribute("aria-disabled", String(!after));
      setText(count, `${at + 1} of ${STOPS.length}`);
    },
  };
}

/** What the station is called, its formula, what it does, and the chapter that explains it. @param {Model} model */
function headOf(model) {
  const [name, formula, link, work] = [
    h("b"),
    h("span", { class: "wk-formula" }),
    h("a"),
    h("span"),
  ];
  const news = status();
  return {
    elements: [
      h("p", { class: "wk-name" }, name, formula, link),
      news.element,
      h("p", { class: "wk-work" }, work),
    ],
    /** @param {Stop} stop @param {string} told @param {string} done */
    update({ block, station }, told, done) {
      const part = partName({ id: "", block, station });
      setText(name, block.name === station.name ? part : `${part}: ${station.name}`);
      formula.replaceChildren(...formulaOf(station.formula ?? ""));
      news.say(told);
      setText(work, done);
      const chapters = model.get("chapters");
      link.hidden = !chapters;
      link.setAttribute("href", `${chapters}${station.chapter}.html`);
      setText(link, `Chapter ${station.chapter.slice(0, 2)}`);
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const here = () => whereOf(model, passedBy(model));
  const go = (/** @type {string} */ id) => assign(model, "station", id);
  const move = (/** @type {number} */ by) => {
    const { at, newest } = here();
    const next = stepped(passedBy(model), at, newest, by);
    if (next) assignAll(model, next);
  };
  const [sentence, written] = [sentenceLine(model), translationLine(model)];
  const cache = tied(model, "cache", toggle, { label: "cache" });
  const [way, head, views] = [wayButtons(move), headOf(model), board()];
  const map = walkMap(go, move, way.element);
  el.classList.add("tl-figure", "tl-walk");
  el.append(h("p", { class: "tl-aside" }, shared.question));
  el.append(controlRow(...sentence.parts));
  el.append(controlRow(written.element, cache.element, resetButton(model, TRAITS)));
  el.append(map.element, ...head.elements, ...views.elements);

  return connect(model, TRAITS, () => {
    const passed = passedBy(model);
    const { at, stop, newest } = whereOf(model, passed);
    const shown = shownAt(model, passed);
    const words = wordsOfTexts(passed, newest);
    for (const part of [sentence, cache]) part.update();
    written.update(passed, newest);
    map.update(at, newest > 1);
    way.update(passed, at, newest);
    head.update(
      stop,
      toldAt(passed, stop, newest),
      workAt(stop, shown, newest, model.get("cache"), words.word),
    );
    views.update(passed, stop, newest, shown, words);
  });
}

/** What an address asks for, as far as there is such a thing. @param {URLSearchParams} query @returns {Partial<State>} */
export function readAddress(query) {
  const [text, station, word] = ["sentence", "station", "word"].map((name) => query.get(name));
  const count = /^[1-9]\d?$/.test(word ?? "") ? Number(word) : 0;
  return {
    ...(text !== null && text.length <= shared.letters.max ? { text } : {}),
    ...(STOPS.some(({ id }) => id === station) ? { station: /** @type {string} */ (station) } : {}),
    ...(count >= shared.word.min && count <= shared.word.max ? { word: count } : {}),
    ...(query.get("cache") === "off" ? { cache: false } : {}),
  };
}

/** The address of what is shown. @param {Pick<Model, "get">} model @returns {Record<string, string>} */
export function writeAddress(model) {
  return {
    sentence: model.get("text"),
    word: String(model.get("word")),
    station: model.get("station"),
    ...(model.get("cache") ? {} : { cache: "off" }),
  };
}

export default {
  render: touring(render, TRAITS, shared.tour, compute),
  address: keeping({ names: TRAITS, place: "station", read: readAddress, write: writeAddress }),
};
