// @ts-check
// The head splitter: where does one number go when heads are split, rightly and wrongly?

import {
  choice,
  form,
  menu,
  resetButton,
  showing,
  slider,
  tied,
} from "../../kit/figures/controls.js";
import {
  assignAll,
  connect,
  controlRow,
  folded,
  h,
  inView,
  panels,
  setText,
  stateOf,
  status,
} from "../../kit/figures/kit.js";
import { touring } from "../../kit/figures/tour.js";
import { compute, followedText, TRAITS, pathText } from "./head_math.js";
import shared from "./head_splitter.json" with { type: "json" };
import { show, showNumbers, strip, tablesFor, travel } from "./head_tables.js";

/** @typedef {import("./head_math.js").State} State */
/** @typedef {import("./head_math.js").Model} Model */

/** The menu of splits. @param {Model} model */
function splitMenu(model) {
  const widest = model.get("embeddings")[0].length;
  const splits = shared.splits.filter(([size]) => size <= widest);
  const input = menu({
    label: "D = heads × width",
    options: splits.map(([size, heads]) => `${size} = ${heads} × ${size / heads}`),
    onchange: (i) => {
      const [size, heads] = splits[i];
      const feature = Math.min(model.get("feature"), size - 1);
      assignAll(model, { d_model: size, feature, num_heads: heads });
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
    [tied(model, "token", choice, { legend: "Follow", options }), feature],
  );
  return {
    rows,
    update() {
      feature.input.max = String(model.get("d_model") - 1);
      update();
    },
  };
}

/** The folded numbers, which end in those of `tables`. @param {Model} model @param {HTMLElement} tables */
function numbersOnDemand(model, tables) {
  const asker = { legend: "into the output of", options: model.get("tokens") };
  const query = tied(model, "query", choice, asker);
  const [memory, way, row] = [strip(), h("p"), controlRow(query.element)];
  const legend = h("p", { class: "tl-aside" }, shared.legend);
  let draw = () => {};
  const fold = folded(shared.fold, () => draw(), legend, memory.element, row, way, tables);
  return {
    element: fold.element,
    /** @param {ReturnType<typeof tablesFor>} views @param {ReturnType<typeof compute>} results @param {State} state */
    update(views, results, state) {
      draw = () => {
        query.update();
        showNumbers(views, results, state);
        memory.update(results, state);
        setText(way, pathText(results, state));
      };
      fold.update();
    },
  };
}

/** The picture, and the folded numbers; both are made again for another split. @param {Model} model */
function stage(model) {
  const [picture, numbers] = [h("div", { class: "hs-picture tl-answer" }), h("div")];
  const key = h("p", { class: "tl-aside" }, shared.key);
  const fold = numbersOnDemand(model, numbers);
  let [shape, followed, due] = ["", "", false];
  /** @type {ReturnType<typeof tablesFor>} */
  let views;
  const build = (/** @type {State} */ state) => {
    views = tablesFor(state);
    views.values.onclick((token, feature) => assignAll(model, { token, feature }));
    picture.replaceChildren(views.values.element, panels(views.split, views.viewed));
    numbers.replaceChildren(panels(views.places, views.weights, views.way, views.row));
  };
  return {
    elements: [picture, key, fold.element],
    /** @param {ReturnType<typeof compute>} results @param {State} state */
    update(results, state) {
      const [split, number] = [`${state.d_model}/${state.num_heads}`, results.way[0].join()];
      const first = !shape;
      const moved = shape !== split || followed !== number;
      if (shape !== split) build(state);
      [shape, followed] = [split, number];
      show(views, results, state);
      fold.update(views, results, state);
      if (first || due || !moved) return;
      due = true; // several traits may change at once: only where they end is shown
      queueMicrotask(() => {
        due = false;
        travel(views);
      });
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, news, body] = [controls(model, model.get("tokens")), status(), stage(model)];
  const question = h("p", { class: "tl-aside" }, shared.question);
  el.classList.add("tl-figure", "tl-head-splitter");
  el.append(question, inView(...panel.rows), news.element, ...body.elements);

  return connect(model, TRAITS, () => {
    const state = stateOf(model, TRAITS);
    // Between two changes of one step there is no such split.
    if (state.feature >= state.d_model || state.d_model % state.num_heads) return;
    const results = compute(model);
    panel.update();
    body.update(results, state);
    news.say(followedText(results, state));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
