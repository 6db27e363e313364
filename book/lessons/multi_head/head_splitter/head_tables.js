// @ts-check
// What the head splitter shows: its tables, and the memory as one long row.

import { fill, h } from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { address, range } from "./head_math.js";
import shared from "./head_splitter.json" with { type: "json" };

/** @typedef {import("./head_math.js").State} State */
/** @typedef {import("./head_math.js").Results} Results */

/** The box of one number, with its head right and wrong. @param {number} number @param {number} offset @param {{split: number[], viewed: number[]}} place @param {boolean} followed */
function memoryBox(number, offset, { split, viewed }, followed) {
  const kind = `hs-box${followed ? " hs-followed" : ""}`;
  const above = h("small", {}, String(offset));
  const heads = [h("span", {}, String(split[1])), h("i", {}, String(viewed[1]))];
  return h("span", { class: kind }, above, h("b", {}, String(number)), ...heads);
}

/** The memory as one long row of small boxes. */
export function strip() {
  const element = h("div", { class: "hs-strip", "aria-hidden": "true" });
  return {
    element,
    /** @param {Results} results @param {State} state */
    update({ values, places: [[followed]] }, { d_model, num_heads }) {
      const words = values.map((row, t) => {
        const boxes = row.map((number, f) => {
          const offset = t * d_model + f;
          const place = address(offset, values.length, num_heads, d_model / num_heads);
          return memoryBox(number, offset, place, offset === followed);
        });
        return h("span", { class: `hs-word hs-word-${t % 2}` }, ...boxes);
      });
      element.replaceChildren(...words);
    },
  };
}

/** The tables for one split. @param {State} state */
export function tablesFor({ tokens, d_model, num_heads }) {
  const count = tokens.length;
  const heads = { rows: num_heads * count, columns: d_model / num_heads, kind: "hs-cells" };
  return tables(shared.captions, {
    values: { rows: count, columns: d_model, kind: "hs-cells hs-click" },
    places: { rows: shared.places.length, columns: 2 },
    split: heads,
    viewed: heads,
    weights: { rows: count, columns: count },
    way: { rows: shared.way.length, columns: 1 },
    row: { rows: d_model, columns: 4 },
  });
}

/** What captions name. @param {Results} results @param {State} state */
function wordsOf({ values, places }, { tokens, token, feature, query }) {
  return { number: values[token][feature], asker: tokens[query], head: places[1][0] };
}

/**
 * Fill the tables of the picture, and frame the followed number wherever it is.
 * @param {ReturnType<typeof tablesFor>} views @param {Results} results @param {State} state
 */
export function show(views, results, state) {
  const { tokens, d_model, num_heads, token } = state;
  const features = range(d_model).map(String);
  const inHead = features.slice(0, d_model / num_heads);
  const rows = range(num_heads).flatMap((head) => tokens.map((name) => `${head} · ${name}`));
  const [right, wrong] = [0, 1].map((side) => results.places.map((pair) => pair[side]));
  const lineOf = (/** @type {number[]} */ [, head, row]) => head * tokens.length + row;
  for (const view of [views.values, views.split, views.viewed]) view.name(wordsOf(results, state));
  views.values.update(results.values, tokens, features, token);
  views.split.update(results.split, rows, inHead, lineOf(right));
  views.viewed.update(results.viewed, rows, inHead, lineOf(wrong));
  for (const view of [views.values, views.split, views.viewed]) color(view, tokens.length);
  frameFollowed(views, { ...state, right, wrong, lines: [right, wrong].map(lineOf) });
}

/** @param {number} row @param {number} column @returns {(i: number, j: number) => boolean} */
const at = (row, column) => (i, j) => i === row && j === column;

/** Fill the folded tables. @param {ReturnType<typeof tablesFor>} views @param {Results} results @param {State} state */
export function showNumbers({ places, weights, way, row }, results, state) {
  const { tokens, d_model, token, feature, query } = state;
  const words = wordsOf(results, state);
  for (const view of [places, weights, way, row]) view.name(words);
  const heads = shared.row.map((head) => fill(head, { ...words, feature }));
  places.update(results.places, shared.places, shared.ways);
  weights.update(results.weights, tokens, tokens, query);
  way.update(results.way, shared.way, [words.asker]);
  row.update(results.row, range(d_model).map(String), heads, feature);
  weights.mark("hs-followed", at(query, token));
  row.mark("hs-followed", at(feature, 0));
}

/** Give each cell the color of its word, and each row's name that of the word it is taken for. @param {import("../../kit/figures/table.js").Table} view @param {number} count words */
function color({ cells, rowNames }, count) {
  cells.forEach((row, i) => {
    rowNames[i].dataset.word = String(i % count);
    for (const cell of row)
      cell.dataset.word = String(Math.floor(Number(cell.dataset.value) / 10) - 1);
  });
}

/** What still moves. A number that is no longer followed does not move. @type {(Animation | undefined)[]} */
let moving = [];

/** The followed number moves from the values to its two places. @param {ReturnType<typeof tablesFor>} views */
export function travel({ values, split, viewed }) {
  const followed = (/** @type {import("../../kit/figures/table.js").Table} */ view) =>
    view.cells.flat().find((cell) => cell.classList.contains("hs-followed"));
  const [from, ...ends] = [values, split, viewed].map(followed);
  if (!from?.animate || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const animation of moving) animation?.cancel();
  // All places are read before anything moves: else the page would be laid out for each.
  const [start, ...places] = [from, ...ends].map((cell) => cell?.getBoundingClientRect());
  moving = places.map((place, i) => {
    if (!start || !place) return undefined;
    const shift = `translate(${start.left - place.left}px, ${start.top - place.top}px)`;
    const way = [{ transform: shift }, { transform: "none" }];
    return ends[i]?.animate(way, { duration: 800, easing: "ease" });
  });
}

/**
 * Frame the followed number in the picture, and draw a line above each head.
 * @param {ReturnType<typeof tablesFor>} views
 * @param {State & {right: number[], wrong: number[], lines: number[]}} where
 */
function frameFollowed(views, { tokens, token, feature, right, wrong, lines }) {
  views.values.mark("hs-followed", at(token, feature));
  views.split.mark("hs-followed", at(lines[0], right[3]));
  views.viewed.mark("hs-followed", at(lines[1], wrong[3]));
  for (const view of [views.split, views.viewed])
    view.lines.forEach((line, i) =>
      line.classList.toggle("hs-head", i > 0 && i % tokens.length === 0),
    );
}
