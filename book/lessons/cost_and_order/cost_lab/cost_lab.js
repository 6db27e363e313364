// @ts-check
// The cost lab: from which length on do pairs of tokens cost more than all the rest?

import { chart } from "../../kit/figures/chart.js";
import { form, resetButton, slider, steps, tied, toggle } from "../../kit/figures/controls.js";
import { connect, fill, h, inView, panels, stateOf, status } from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { short } from "../../kit/figures/units.js";
import shared from "./cost_lab.json" with { type: "json" };
import { compute, verdict } from "./cost_math.js";

/** @typedef {import("./cost_math.js").State} State */
/** @typedef {import("./cost_math.js").Results} Results */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["tokens", "d_model", "num_heads", "num_layers", "mark"];

/** A slider that steps through a list of sizes. @param {Model} model @param {string} label @param {keyof State & string} trait @param {number[]} sizes */
function sizeSlider(model, label, trait, sizes) {
  return tied(model, trait, steps, { label, options: sizes.map(String), values: sizes });
}

/** The controls. @param {Model} model */
function controls(model) {
  return form(
    [
      sizeSlider(model, "tokens T", "tokens", shared.tokens),
      sizeSlider(model, "width D", "d_model", shared.widths),
      sizeSlider(model, "heads H", "num_heads", shared.heads),
      tied(model, "num_layers", slider, { label: "layers", ...shared.layers }),
    ],
    [
      tied(model, "mark", toggle, { label: "mark where the lines cross" }),
      resetButton(model, TRAITS),
    ],
  );
}

/** The chart's content. @param {Results} results @param {State} state */
function curves({ curve, parts }, { tokens, d_model, mark }) {
  const line = (/** @type {number} */ j) =>
    shared.tokens.map((t, i) => /** @type {[number, number]} */ ([t, curve[i][j]]));
  const [projections, scores, mixing, feedForward] = parts.map(([count]) => count);
  const now = [projections + feedForward, scores + mixing];
  const points = now.map((count) => /** @type {[number, number]} */ ([tokens, count]));
  const ticks = shared.tokens.filter((_, i) => i % 3 === 0);
  const [min, max] = [1e5, 1e17];
  const even = 6 * d_model;
  return {
    x: {
      label: "tokens T, each tick 8 times the last",
      min: 16,
      max: 140000,
      log: true,
      ticks,
      text: String,
    },
    y: { label: "multiply–adds", min, max, log: true },
    lines: [
      { name: "grow with T, 12TD²", points: line(0) },
      { name: "grow with T², 2T²D", points: line(1) },
      { name: "the present T", points, marks: true },
      ...(mark
        ? [
            {
              name: `equal at T = 6D = ${even}`,
              points: /** @type {[number, number][]} */ ([
                [even, min],
                [even, max],
              ]),
            },
          ]
        : []),
    ],
  };
}

/** The tables. */
function tablesFor() {
  const counted = (/** @type {number} */ x) => short(x, shared.units);
  const bytes = (/** @type {number} */ x) => short(x, shared.byte_units);
  const plain = { rows: 3, columns: 2, kind: "tl-plain" };
  return tables(shared.captions, {
    parts: { rows: 5, columns: 2, kind: "tl-plain cl-bars", write: counted },
    memory: { ...plain, write: bytes },
    rivals: { ...plain, write: counted },
  });
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, news, plot] = [controls(model), status(), chart({ lines: 4, width: 360 })];
  const views = tablesFor();
  const { parts, ...more } = views;
  const fold = h("summary", {}, shared.fold);
  el.classList.add("tl-figure", "tl-cost-lab");
  el.append(
    h("p", { class: "tl-aside" }, shared.question),
    inView(...panel.rows),
    news.element,
    panels(plot, parts),
    h("details", {}, fold, panels(...Object.values(more))),
  );

  return connect(model, TRAITS, () => {
    const [results, state] = [compute(model), stateOf(model, TRAITS)];
    const layers = state.num_layers === 1 ? "1 layer" : `${state.num_layers} layers`;
    const heads = (/** @type {string[]} */ names) => names.map((head) => fill(head, { layers }));
    panel.update();
    for (const name of /** @type {const} */ (["parts", "memory", "rivals"]))
      views[name].update(results[name], shared[name], heads(shared[`${name}_heads`]));
    results.parts.forEach(([, percent], i) => {
      parts.cells[i][1].style.setProperty("--share", String(percent / 100));
    });
    plot.update(curves(results, state));
    news.say(verdict(results, state, layers));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
