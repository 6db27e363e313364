// @ts-check
// Do the scores change when the sentence moves? What each scheme adds to the same scores.

import { chart } from "../../kit/figures/chart.js";
import { choice, form, resetButton, slider, tied } from "../../kit/figures/controls.js";
import {
  connect,
  fill,
  folded,
  format,
  h,
  inView,
  stateOf,
  status,
} from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import shared from "./position_schemes.json" with { type: "json" };
import { scoresAt } from "./scheme_scores.js";

/** @typedef {import("./scheme_scores.js").State} State */
/** @typedef {import("./scheme_scores.js").Model} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = ["tokens", "embeddings", "scheme", "shift", "learned", "vectors", "numbers"];
const SCHEMES = shared.schemes;
const SAME = 1e-9;

/** @param {number} x */
const short = (x) => format(x, 2);

/** @param {number[][]} a @param {number[][]} b */
function difference(a, b) {
  return a.map((row, i) => row.map((x, j) => x - b[i][j]));
}

/** Every number of the figure; the same names as PositionSchemes.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const [scheme, shift] = [model.get("scheme"), model.get("shift")];
  const content = scoresAt(model, "none", 0);
  const sum = scoresAt(model, scheme, shift);
  const change = SCHEMES.map((name) => {
    const [first, here] = [scoresAt(model, name, 0), scoresAt(model, name, shift)];
    return [first[2][0], here[2][0], Math.max(...difference(here, first).flat().map(Math.abs))];
  });
  const starts = Array.from({ length: shared.shift.max + 1 }, (_, start) => start);
  const curve = starts.map((start) => scoresAt(model, scheme, start)[2][0]);
  return { content, position: difference(sum, content), sum, change, curve };
}

/** Whether the scores have moved with the tokens, in words. @param {Pick<Results, "change">} results @param {Pick<State, "scheme" | "shift" | "learned">} state */
export function verdict({ change }, { scheme, shift, learned }) {
  const moved = change[SCHEMES.indexOf(scheme)][2];
  const still = SCHEMES.filter((_, i) => change[i][2] < SAME);
  if (!shift)
    return `${scheme}: the sentence is at positions 0 to 2. Move it and watch the scores.`;
  const where = `${scheme}, at positions ${shift} to ${shift + 2}`;
  const rest = `Unchanged: ${still.join(", ")}.`;
  if (Number.isNaN(moved))
    return `${where}: the table ends at position ${learned.length - 1}, so some scores do not exist. ${rest}`;
  if (moved < SAME) return `${where}: no score has changed. ${rest}`;
  return `${where}: the scores have changed by up to ${format(moved)}. ${rest}`;
}

/** The controls, in their rows. @param {Model} model */
function controls(model) {
  const label = "first token at position";
  return form(
    [tied(model, "scheme", choice, { legend: "Scheme", options: SCHEMES, values: SCHEMES })],
    [tied(model, "shift", slider, { label, ...shared.shift }), resetButton(model, TRAITS)],
  );
}

/** The tables. */
function tablesFor() {
  const square = { rows: 3, columns: 3, kind: "tl-field", write: short };
  const change = { rows: SCHEMES.length, columns: 3, kind: "ps-bars" };
  return tables(shared.captions, { content: square, position: square, sum: square, change });
}

/** Fill the three fields. @param {ReturnType<typeof tablesFor>} views @param {Results} results @param {State} state */
function show(views, results, { tokens, shift, scheme }) {
  const names = tokens.map((token, i) => `${token}, ${shift + i}`);
  views.position.name({ scheme });
  for (const name of /** @type {const} */ (["content", "position", "sum"])) {
    views[name].update(results[name], tokens, names);
    views[name].mark("tl-pointed", (i, j) => i === 2 && j === 0); // which the chart draws
  }
}

/** Fill the folded table of all schemes. @param {ReturnType<typeof tablesFor>} views @param {Results} results @param {State} state */
function showAll(views, results, { tokens, shift, scheme }) {
  const heads = shared.change.map((head) => fill(head, { shift }));
  views.change.name({ first: tokens[0], last: tokens[2] });
  views.change.update(results.change, SCHEMES, heads, SCHEMES.indexOf(scheme));
  const most = Math.max(1e-9, ...results.change.map((row) => row[2]).filter(Number.isFinite));
  results.change.forEach((row, i) =>
    views.change.cells[i][2].style.setProperty("--share", String((row[2] || 0) / most)),
  );
}

/** The chart's content: one score for every position of the sentence, and its position. @param {Results} results @param {State} state */
function curves({ content, curve }, { tokens, scheme, shift }) {
  const words = { first: tokens[0], last: tokens[2] };
  const [x, y] = shared.axes.map((label) => fill(label, words));
  const known = [...curve.filter(Number.isFinite), content[2][0], 0];
  const [min, max] = [Math.floor(Math.min(...known)), Math.ceil(Math.max(...known) + 0.2)];
  const points = curve.map(
    (score, at) => /** @type {import("../../kit/figures/chart.js").Point} */ ([at, score]),
  );
  const flat = points.map(
    ([at]) => /** @type {import("../../kit/figures/chart.js").Point} */ ([at, content[2][0]]),
  );
  return {
    x: { label: x, ...shared.shift, text: String },
    y: { label: y, min, max },
    lines: [
      { name: `score under ${scheme}`, points },
      { name: "without positions", points: flat },
      { name: "dot: where the sentence is", points: [points[shift]], marks: true },
    ],
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const panel = controls(model);
  const news = status();
  const views = tablesFor();
  const sign = (/** @type {string} */ text) =>
    h("span", { class: "ps-sign", "aria-hidden": "true" }, text);
  const [content, position, sum] = [views.content, views.position, views.sum].map((v) => v.element);
  el.classList.add("tl-figure", "tl-position-schemes", "tl-spotted");
  const plot = chart({ height: 200, lines: 3 });
  /** @type {ReturnType<typeof compute>} */
  let results;
  const draw = () => showAll(views, results, stateOf(model, TRAITS));
  const all = folded("All schemes in numbers", draw, views.change.element);
  all.element.addEventListener("toggle", () =>
    el.classList.toggle("tl-unfolded", all.element.open),
  );
  el.append(
    h("p", { class: "tl-aside" }, shared.question),
    inView(...panel.rows),
    news.element,
    plot.element,
    h("div", { class: "ps-sum" }, content, sign("+"), position, sign("="), sum),
    all.element,
  );

  return connect(model, TRAITS, () => {
    results = compute(model);
    const state = stateOf(model, TRAITS);
    panel.update();
    show(views, results, state);
    all.update();
    plot.update(curves(results, state));
    news.say(verdict(results, state));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
