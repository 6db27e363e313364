// @ts-check
// The softmax lab: one query, a few keys, with and without the division by √width.

import { softmax, transpose } from "./math.js";
import { assign, connect, controlRow, format, h, matrix, nameResults, resetButton, slider, status } from "./kit.js";
import { chart } from "./chart.js";

/** @typedef {{logits: number[], d_k: number, temperature: number}} State */
/** @typedef {import("./kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = ["logits", "d_k", "temperature"];
export const WIDTHS = [1, 2, 3, 4, 8, 12, 16, 32, 64, 128, 256, 512, 1024];
const MORE_KEYS = [3, 2, 0.5, -1, 1, 0]; // what a key that is added begins with
const MOST = MORE_KEYS.length;
const MEASURES = ["entropy H", "equal keys, e^H", "gradient norm"];
const SATURATED = 0.01;

/** How evenly the weights are spread: −Σ a ln a, with 0 ln 0 = 0. @param {number[]} weights */
export function entropy(weights) {
  return -weights.reduce((sum, a) => sum + (a > 0 ? a * Math.log(a) : 0), 0);
}

/** The root of the sum of all squared slopes of softmax, aᵢ(δᵢⱼ − aⱼ). @param {number[]} weights */
export function gradientNorm(weights) {
  return Math.sqrt(weights.reduce((sum, a, i) =>
    sum + weights.reduce((part, b, j) => part + (a * ((i === j ? 1 : 0) - b)) ** 2, 0), 0));
}

/**
 * Scores and weights at one width, without and with the division.
 * @param {number[]} logits @param {number} width @param {number} temperature
 */
function rows(logits, width, temperature) {
  const scores = [logits.map((z) => z * Math.sqrt(width)), logits];
  return { scores, weights: scores.map((row) => softmax(row.map((s) => s / temperature))) };
}

/** Every number of the figure; the same names as SoftmaxLab.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const [logits, temperature] = [model.get("logits"), model.get("temperature")];
  const { scores, weights } = rows(logits, model.get("d_k"), temperature);
  const spread = weights.map(entropy);
  return {
    scores: transpose(scores), weights: transpose(weights),
    measures: [spread, spread.map(Math.exp), weights.map(gradientNorm)],
    curve: WIDTHS.map((width) => rows(logits, width, temperature).weights.map(gradientNorm)),
  };
}

/** What the two softmaxes let through, in words. @param {Results} results @param {number} width */
export function verdict({ weights, measures }, width) {
  if (width === 1) return "At width 1 the root is 1: the two columns agree.";
  const best = weights.map((row) => row[1]).reduce((top, w, j, all) => (w > all[top] ? j : top), 0);
  const [raw, scaled] = measures[2];
  const start = `At width ${width}, key ${best + 1} gets ${format(weights[best][0])} unscaled ` +
    `and ${format(weights[best][1])} scaled. `;
  const norms = `gradient norm ${format(raw)} against ${format(scaled)}.`;
  if (raw >= SATURATED) return `${start}Both can learn: ${norms}`;
  if (scaled >= SATURATED) return `${start}Unscaled, the softmax is saturated: ${norms}`;
  return `${start}Both are saturated: ${norms}`;
}

/** The list with `count` entries: cut, or continued. @param {number[]} logits @param {number} count */
export function resized(logits, count) {
  return [...logits, ...MORE_KEYS.slice(logits.length)].slice(0, count);
}

/** The controls. @param {Model} model */
function controls(model) {
  const keys = MORE_KEYS.map((_, j) => slider({ label: `key ${j + 1}`, min: -5, max: 5, step: 0.1,
    oninput: (z) => assign(model, "logits", model.get("logits").with(j, z)) }));
  const count = slider({ label: "number of keys", min: 2, max: MOST, step: 1,
    oninput: (n) => assign(model, "logits", resized(model.get("logits"), n)) });
  const width = slider({ label: "width of a key", min: 0, max: WIDTHS.length - 1, step: 1,
    oninput: (i) => assign(model, "d_k", WIDTHS[i]), text: (i) => String(WIDTHS[i]) });
  const temperature = slider({ label: "temperature", min: 0.1, max: 10, step: 0.1,
    oninput: (t) => assign(model, "temperature", t) });
  const fits = h("fieldset", { class: "tl-choice sm-keys" }, h("legend", {}, "How well each key fits"),
    ...keys.map((key) => key.element));
  return {
    rows: [controlRow(width.element, temperature.element, count.element, resetButton(model, TRAITS)), controlRow(fits)],
    update() {
      const logits = model.get("logits");
      keys.forEach((key, j) => {
        key.element.hidden = j >= logits.length;
        if (j < logits.length) key.update(logits[j]);
      });
      count.update(logits.length);
      width.update(WIDTHS.indexOf(model.get("d_k")));
      temperature.update(model.get("temperature"));
    },
  };
}

/** The chart's content. @param {Results} results @param {number} width */
function curves({ curve, measures }, width) {
  const line = (/** @type {number} */ j) => WIDTHS.map((w, i) => /** @type {[number, number]} */ ([w, curve[i][j]]));
  const now = measures[2].map((norm) => /** @type {[number, number]} */ ([width, norm]));
  return {
    x: { label: "width of a key", min: 1, max: 1400, log: true, ticks: [1, 4, 16, 64, 256, 1024], text: String },
    y: { label: "gradient norm", min: 0, max: 0.5 },
    lines: [{ name: "÷ √width", points: line(1) }, { name: "unscaled", points: line(0) },
      { name: "the present width", points: now, marks: true }],
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const panel = controls(model);
  const news = status();
  const views = {
    scores: matrix({ caption: "1 Scores: q · k", rows: MOST, columns: 2 }),
    weights: matrix({ caption: "2 Weights: softmax of scores ÷ temperature", rows: MOST, columns: 2, kind: "sm-bars" }),
    measures: matrix({ caption: "3 How sharp", rows: MEASURES.length, columns: 2, kind: "sm-plain" }),
  };
  const plot = chart({ lines: 3 });
  nameResults(views);
  el.classList.add("tl-figure", "tl-softmax-lab");
  el.append(...panel.rows, news.element,
    h("div", { class: "tl-panels" }, views.scores.element, views.weights.element),
    h("div", { class: "tl-panels" }, views.measures.element, plot.element));

  return connect(model, TRAITS, () => {
    const [results, width] = [compute(model), model.get("d_k")];
    const heads = ["unscaled", `÷ √${width}`];
    const names = results.scores.map((_, j) => `key ${j + 1}`);
    panel.update();
    views.scores.update(results.scores, names, heads);
    views.weights.update(results.weights, names, heads);
    views.measures.update(results.measures, MEASURES, heads);
    for (const view of [views.scores, views.weights]) {
      view.cells.forEach((row, j) => row[0].parentElement?.toggleAttribute("hidden", j >= names.length));
    }
    results.weights.forEach((row, j) => row.forEach((w, c) => views.weights.cells[j][c].style.setProperty("--share", String(w))));
    plot.update(curves(results, width));
    news.say(verdict(results, width));
  });
}

export default { render };
