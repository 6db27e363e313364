// @ts-check
// The head splitter: follow one number from the values through its head to the output.

import { choice, form, menu, resetButton, showing, slider, tied } from "../kit/controls.js";
import { assign, connect, h, inView, panels, stateOf, status } from "../kit/kit.js";
import { compute, placeText, TRAITS, wayText } from "./head_math.js";
import shared from "./head_splitter.json" with { type: "json" };
import { strip, tablesFor, show } from "./head_tables.js";

/** @typedef {import("./head_math.js").State} State */
/** @typedef {import("./head_math.js").Model} Model */

const LEGEND =
  "Memory, one long row. Above each number its offset; below it its head, solid after view and " +
  "transpose, dashed after the view alone.";

/** The menu of splits. @param {Model} model */
function splitMenu(model) {
  const widest = model.get("embeddings")[0].length;
  const splits = shared.splits.filter(([size]) => size <= widest);
  const input = menu({
    label: "D = heads × width",
    options: splits.map(([size, heads]) => `${size} = ${heads} × ${size / heads}`),
    onchange: (i) => {
      const [size, heads] = splits[i];
      model.set("d_model", size);
      model.set("feature", Math.min(model.get("feature"), size - 1));
      assign(model, "num_heads", heads);
    },
  });
  return showing(input, () => {
    const { d_model, num_heads } = stateOf(model, ["d_model", "num_heads"]);
    return splits.findIndex(([size, heads]) => size === d_model && heads === num_heads);
  });
}

/** The controls. @param {Model} model @param {string[]} options the tokens */
function controls(model, options) {
  const range = { min: 0, max: model.get("d_model") - 1, step: 1 };
  const feature = tied(model, "feature", slider, { label: "feature", ...range });
  const { rows, update } = form(
    [splitMenu(model), resetButton(model, TRAITS)],
    [
      tied(model, "token", choice, { legend: "Follow a number of", options }),
      feature,
      tied(model, "query", choice, { legend: "into the output of", options }),
    ],
  );
  return {
    rows,
    update() {
      feature.input.max = String(model.get("d_model") - 1);
      update();
    },
  };
}

/** Tables, memory and legend; the tables are made anew for another split. @param {Model} model */
function stage(model) {
  const element = h("div", { class: "hs-body" });
  const memory = strip();
  const legend = h("p", { class: "hs-legend" }, LEGEND);
  let shape = "";
  /** @type {ReturnType<typeof tablesFor>} */
  let views;
  const build = (/** @type {State} */ state) => {
    views = tablesFor(state);
    views.values.onclick((t, f) => {
      model.set("token", t);
      assign(model, "feature", f);
    });
    const stack = h("div", { class: "hs-stack" }, views.weights.element, views.way.element);
    element.replaceChildren(
      panels(views.values, views.places),
      legend,
      memory.element,
      panels(views.split, views.viewed),
      panels({ element: stack }, views.row),
    );
  };
  return {
    element,
    /** @param {ReturnType<typeof compute>} results @param {State} state */
    update(results, state) {
      const now = `${state.d_model}/${state.num_heads}`;
      if (shape !== now) build(state);
      shape = now;
      show(views, results, state);
      memory.update(results, state);
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, news, body] = [controls(model, model.get("tokens")), status(), stage(model)];
  el.classList.add("tl-figure", "tl-head-splitter");
  el.append(inView(...panel.rows), news.element, body.element);

  return connect(model, TRAITS, () => {
    const state = stateOf(model, TRAITS);
    // Between two changes of one step there is no such split.
    if (state.feature >= state.d_model || state.d_model % state.num_heads) return;
    const results = compute(model);
    panel.update();
    body.update(results, state);
    news.say(`${placeText(results, state)} ${wayText(results, state)}`);
  });
}

export default { render };
