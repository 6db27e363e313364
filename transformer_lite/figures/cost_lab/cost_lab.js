// @ts-check
// The cost lab: sliders for the sizes of a model, and what its parts multiply and hold.

import { chart } from "../kit/chart.js";
import { form, resetButton, slider, steps, tied } from "../kit/controls.js";
import { connect, fill, panels, stateOf, status } from "../kit/kit.js";
import { tables } from "../kit/table.js";
import { short } from "../kit/units.js";
import shared from "./cost_lab.json" with { type: "json" };
import { compute, verdict } from "./cost_math.js";

/** @typedef {import("./cost_math.js").State} State */
/** @typedef {import("./cost_math.js").Results} Results */
/** @typedef {import("../kit/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["tokens", "d_model", "num_heads", "num_layers"];

/** A slider that steps through a list of sizes. @param {Model} model @param {string} label @param {keyof State & string} trait @param {number[]} sizes */
function sizeSlider(model, label, trait, sizes) {
  return tied(model, trait, steps, { label, options: sizes.map(String), values: sizes });
}

/** The controls. @param {Model} model */
function controls(model) {
  return form([
    sizeSlider(model, "tokens T", "tokens", shared.tokens),
    sizeSlider(model, "width D", "d_model", shared.widths),
    sizeSlider(model, "heads H", "num_heads", shared.heads),
    tied(model, "num_layers", slider, { label: "layers", ...shared.layers }),
    resetButton(model, TRAITS),
  ]);
}

/** Bars on a fixed logarithmic scale: each factor of ten is one step longer. @param {import("../kit/table.js").Table} view @param {number[]} counts @param {number} power of ten at the full width */
function drawBars(view, counts, power) {
  counts.forEach((count, i) => {
    const share = Math.log10(Math.max(count, 1)) / power;
    view.cells[i][0].style.setProperty("--share", share.toFixed(3));
  });
}

/** The chart's content. @param {Results} results @param {number} tokens */
function curves({ curve, parts }, tokens) {
  const line = (/** @type {number} */ j) =>
    shared.tokens.map((t, i) => /** @type {[number, number]} */ ([t, curve[i][j]]));
  const [projections, scores, mixing, feedForward] = parts.map(([count]) => count);
  const now = [projections + feedForward, scores + mixing];
  const points = now.map((count) => /** @type {[number, number]} */ ([tokens, count]));
  const ticks = shared.tokens.filter((_, i) => i % 3 === 0);
  return {
    x: { label: "tokens T", min: 16, max: 140000, log: true, ticks, text: String },
    y: { label: "multiply–adds", min: 1e5, max: 1e17, log: true },
    lines: [
      { name: "grow with T, 12TD²", points: line(0) },
      { name: "grow with T², 2T²D", points: line(1) },
      { name: "the present T", points, marks: true },
    ],
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, news, plot] = [controls(model), status(), chart({ lines: 3, height: 230 })];
  const counted = (/** @type {number} */ x) => short(x, shared.units);
  const views = tables(shared.captions, {
    parts: { rows: 5, columns: 2, kind: "tl-plain cl-bars", write: counted },
    memory: {
      rows: 3,
      columns: 2,
      kind: "tl-plain cl-bars",
      write: (/** @type {number} */ x) => short(x, shared.byte_units),
    },
    rivals: { rows: 3, columns: 2, kind: "tl-plain cl-bars", write: counted },
  });
  el.classList.add("tl-figure", "tl-cost-lab");
  el.append(
    ...panel.rows,
    news.element,
    panels(views.parts, plot),
    panels(views.memory, views.rivals),
  );

  return connect(model, TRAITS, () => {
    const [results, state] = [compute(model), stateOf(model, TRAITS)];
    const layers = state.num_layers === 1 ? "1 layer" : `${state.num_layers} layers`;
    const heads = (/** @type {string[]} */ names) => names.map((head) => fill(head, { layers }));
    panel.update();
    views.parts.update(results.parts, shared.parts, heads(shared.parts_heads));
    views.memory.update(results.memory, shared.memory, heads(shared.memory_heads));
    views.rivals.update(results.rivals, shared.rivals, heads(shared.rivals_heads));
    for (const name of /** @type {const} */ (["parts", "memory", "rivals"])) {
      const counts = results[name].map((row) => row[0]);
      drawBars(views[name], counts, shared.full_bar[name]);
    }
    plot.update(curves(results, state.tokens));
    news.say(verdict(results, state));
  });
}

export default { render };
