// @ts-check
// The cache sizes: how many bytes does a model keep of a long text?

import { chart } from "../../kit/figures/chart.js";
import { form, menu, resetButton, steps, tied } from "../../kit/figures/controls.js";
import { connect, format, h, inView, panels, stateOf, status } from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { compute, namesOfModels, verdict } from "./cache_math.js";
import shared from "./cache_sizes.json" with { type: "json" };

/** @typedef {import("./cache_math.js").State} State */
/** @typedef {import("./cache_math.js").Results} Results */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["tokens", "texts", "model"];

/** The controls. @param {Model} model */
function controls(model) {
  const names = namesOfModels();
  return form(
    [
      tied(model, "tokens", steps, {
        label: "tokens",
        options: shared.tokens.map(String),
        values: shared.tokens,
      }),
      tied(model, "texts", steps, {
        label: "texts at once",
        options: shared.texts.map(String),
        values: shared.texts,
      }),
    ],
    [
      tied(model, "model", menu, { label: "model", options: names, values: names }),
      resetButton(model, TRAITS),
    ],
  );
}

/** The chart's content. @param {Results} results @param {State} state */
function curves({ curve, sizes }, { tokens, model }) {
  const chosen = namesOfModels().indexOf(model);
  const [first, last] = [shared.tokens[0], shared.tokens[shared.tokens.length - 1]];
  const [min, max] = [0.01, 1e5];
  /** @typedef {[number, number][]} Points */
  return {
    x: {
      label: "tokens, each tick × 8",
      min: first,
      max: last,
      log: true,
      ticks: shared.tokens.filter((_, i) => i % 3 === 0).slice(0, -1),
      text: String,
    },
    y: {
      label: "GB in all",
      min,
      max,
      log: true,
      ticks: [0.01, 1, 100, 10000],
      text: String,
    },
    lines: [
      ...shared.models.map(({ name }, j) => ({
        name,
        points: /** @type {Points} */ (shared.tokens.map((length, i) => [length, curve[i][j]])),
      })),
      {
        name: `${shared.gpu} GB`,
        points: /** @type {Points} */ ([
          [first, shared.gpu],
          [last, shared.gpu],
        ]),
      },
      {
        name: "present length",
        points: /** @type {Points} */ ([[tokens, sizes[chosen][1]]]),
        marks: true,
      },
    ],
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, news] = [controls(model), status()];
  const plot = chart({ lines: shared.models.length + 2, width: 340, height: 310 });
  const write = (/** @type {number} */ x) => format(x, 2);
  const views = tables(shared.captions, {
    sizes: { rows: shared.models.length, columns: 3, kind: "tl-plain", write },
    parts: { rows: 2, columns: 4, kind: "tl-plain", write },
  });
  el.classList.add("tl-figure", "tl-cache-sizes");
  el.append(
    h("p", { class: "tl-aside" }, shared.question),
    inView(...panel.rows),
    news.element,
    panels(plot, views.sizes),
    h("details", {}, h("summary", {}, shared.fold), panels(views.parts)),
  );

  return connect(model, TRAITS, () => {
    const [results, state] = [compute(model), stateOf(model, TRAITS)];
    const rows = shared.models.map(({ row }) => row);
    panel.update();
    views.sizes.update(
      results.sizes,
      rows,
      shared.sizes_heads,
      namesOfModels().indexOf(state.model),
    );
    views.parts.name({ model: state.model });
    views.parts.update(results.parts, shared.parts, shared.parts_heads);
    plot.update(curves(results, state));
    news.say(verdict(results, state));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
