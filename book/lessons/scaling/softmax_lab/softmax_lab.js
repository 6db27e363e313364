// @ts-check
// The softmax lab: how does one query share its weight, with and without the division by √width?

import { chart } from "../../kit/figures/chart.js";
import {
  form,
  group,
  resetButton,
  showing,
  slider,
  steps,
  tied,
} from "../../kit/figures/controls.js";
import { assign, connect, fill, format, h, inView, panels, status } from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import shared from "./softmax_lab.json" with { type: "json" };
import { compute } from "./softmax_math.js";

/** @typedef {import("./softmax_math.js").State} State */
/** @typedef {import("./softmax_math.js").Results} Results */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["logits", "d_k", "temperature"];
const WIDTHS = shared.widths;
const MORE_KEYS = [3, 2, 0.5, -1, 1, 0]; // what a key that is added begins with

/** What the best key gets, in words. @param {Results} results @param {number} width */
export function verdict({ weights }, width) {
  if (width === 1) return "At width 1 the root is 1: the two columns agree.";
  const best = weights.map((row) => row[1]).reduce((top, w, j, all) => (w > all[top] ? j : top), 0);
  const [raw, scaled] = weights[best].map((weight) => format(weight));
  return `At width ${width}, key ${best + 1} gets ${raw} unscaled and ${scaled} scaled.`;
}

/** The list with `count` entries: cut, or continued. @param {number[]} logits @param {number} count */
export function resized(logits, count) {
  return [...logits, ...MORE_KEYS.slice(logits.length)].slice(0, count);
}

/** A slider a key, as many as there are logits. @param {Model} model */
function keySliders(model) {
  const keys = MORE_KEYS.map((_, j) =>
    slider({
      label: `key ${j + 1}`,
      ...shared.logit,
      oninput: (z) => assign(model, "logits", model.get("logits").with(j, z)),
    }),
  );
  const element = group("How well each key fits", ...keys.map((key) => key.element));
  element.classList.add("sm-keys");
  return {
    element,
    update() {
      const logits = model.get("logits");
      keys.forEach((key, j) => {
        key.element.hidden = j >= logits.length;
        if (j < logits.length) key.update(logits[j]);
      });
    },
  };
}

/** The controls. @param {Model} model */
function controls(model) {
  const oninput = (/** @type {number} */ n) =>
    assign(model, "logits", resized(model.get("logits"), n));
  const count = slider({ label: "number of keys", ...shared.keys, oninput });
  const widths = { options: WIDTHS.map(String), values: WIDTHS };
  return form(
    [
      tied(model, "d_k", steps, { label: "width of a key", ...widths }),
      tied(model, "temperature", slider, { label: "temperature", ...shared.temperature }),
      showing(count, () => model.get("logits").length),
      resetButton(model, TRAITS),
    ],
    [keySliders(model)],
  );
}

/**
 * A chart's content: two columns at every width, and where the present width is.
 * @param {number[][]} columns @param {number} width @param {{label: string, min: number, max: number}} y
 */
function curves(columns, width, y) {
  const line = (/** @type {number} */ j) =>
    WIDTHS.map((w, i) => /** @type {[number, number]} */ ([w, columns[i][j]]));
  const here = columns[WIDTHS.indexOf(width)];
  const now = here.map((x) => /** @type {[number, number]} */ ([width, x]));
  const ticks = [1, 4, 16, 64, 256, 1024];
  return {
    x: { label: "width of a key", min: 1, max: 1400, log: true, ticks, text: String },
    y,
    lines: [
      { name: "÷ √width", points: line(1) },
      { name: "unscaled", points: line(0) },
      { name: "the present width", points: now, marks: true },
    ],
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const panel = controls(model);
  const news = status();
  const views = tables(shared.captions, {
    scores: { rows: shared.keys.max, columns: 2 },
    weights: { rows: shared.keys.max, columns: 2, kind: "tl-bars sm-bars" },
    measures: { rows: shared.measures.length, columns: 2, kind: "tl-plain" },
  });
  const [plot, norms] = [chart({ lines: 3, width: 360 }), chart({ lines: 3 })];
  const fold = h("summary", {}, shared.fold);
  el.classList.add("tl-figure", "tl-softmax-lab");
  el.append(
    h("p", { class: "tl-aside" }, shared.question),
    inView(...panel.rows),
    news.element,
    panels(views.weights, plot),
    h("details", {}, fold, panels(views.scores, views.measures), norms.element),
  );

  return connect(model, TRAITS, () => {
    const [results, width] = [compute(model), model.get("d_k")];
    const heads = shared.heads.map((head) => fill(head, { width }));
    const names = results.scores.map((_, j) => `key ${j + 1}`);
    panel.update();
    views.scores.update(results.scores, names, heads);
    views.weights.update(results.weights, names, heads);
    views.measures.update(results.measures, shared.measures, heads);
    results.weights.forEach((row, j) =>
      row.forEach((w, c) => views.weights.cells[j][c].style.setProperty("--share", String(w))),
    );
    plot.update(curves(results.largest, width, { label: "largest weight", min: 0, max: 1 }));
    norms.update(curves(results.curve, width, { label: "gradient norm", min: 0, max: 0.5 }));
    news.say(verdict(results, width));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
