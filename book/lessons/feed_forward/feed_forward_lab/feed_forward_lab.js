// @ts-check
// Which hidden units does each token activate, and what do they add?

import { choice, form, resetButton, showing, slider, tied } from "../../kit/figures/controls.js";
import {
  assign,
  connect,
  counted,
  formatVector,
  h,
  inView,
  panels,
  setText,
  stateOf,
  status,
} from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { network } from "./feed_forward_drawing.js";
import shared from "./feed_forward_lab.json" with { type: "json" };
import { ACTIVATIONS, feedForwardSteps, WEIGHTS } from "./feed_forward_math.js";

/** @typedef {keyof typeof shared.activations} Activation */
/** @typedef {{tokens: string[], vectors: number[][], up: number[][], up_bias: number[],
 *   down: number[][], down_bias: number[], activation: Activation, selected: number}} State */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = ["vectors", "activation", "selected"];
const KINDS = /** @type {Activation[]} */ (Object.keys(shared.activations));
const LEGEND = "Wider lines carry larger values. Dashed: negative. Dotted: 0.";

/** @param {Pick<Model, "get">} model @returns {import("./feed_forward_math.js").Weights} */
function weightsOf(model) {
  return stateOf(model, [...WEIGHTS]);
}

/** Every number of the figure; the same names as FeedForwardLab.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const layer = weightsOf(model);
  const steps = feedForwardSteps(model.get("vectors"), layer, ACTIVATIONS[model.get("activation")]);
  const chosen = steps.hidden[model.get("selected")];
  const parts = layer.down.map((row, m) => row.map((w) => w * chosen[m]));
  const weights = layer.down.map((row, m) => [
    ...layer.up.map((r) => r[m]),
    layer.up_bias[m],
    ...row,
  ]);
  return { weights, ...steps, parts: [...parts, layer.down_bias] };
}

/** The units of one token that are on, and those that are off. @param {number[]} hidden */
export function sortUnits(hidden) {
  const places = hidden.map((_, m) => m + 1);
  return {
    on: places.filter((m) => hidden[m - 1] !== 0),
    off: places.filter((m) => hidden[m - 1] === 0),
  };
}

/** "unit 3", "units 1 and 4", "units 1, 2 and 3". @param {number[]} units */
function listed(units) {
  const words = units.map(String);
  return words.length === 1
    ? `unit ${words[0]}`
    : `units ${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/** Which units of one token are on, in words. @param {number[]} hidden */
function unitsText(hidden) {
  const { on, off } = sortUnits(hidden);
  if (on.length === 0) return "every unit is off, so the output is b₂";
  if (off.length === 0) return "every unit is active";
  const lit = `${listed(on)} ${on.length === 1 ? "is" : "are"} on`;
  return `${lit}, ${listed(off)} ${off.length === 1 ? "is" : "are"} off`;
}

/** What the layer does to one token, in words. @param {string} name @param {number[]} hidden @param {number[]} output */
export function tokenText(name, hidden, output) {
  return `${name}: ${unitsText(hidden)}; output ${formatVector(output)}.`;
}

/** All tokens in words. @param {string[]} names @param {Results} results @param {string} activation */
export function allText(names, results, activation) {
  const said = names.map((name, i) => tokenText(name, results.hidden[i], results.output[i]));
  if (activation === "none")
    said.push("With nothing between them, the two maps equal one matrix and one bias.");
  return said.join(" ");
}

/** What adds up to the output of one token. @param {string} token @param {number[][]} parts of each unit, then b₂ */
export function sumText(token, parts) {
  const terms = parts.map(
    (row, m) => `${m < parts.length - 1 ? `unit ${m + 1}` : "b₂"} ${formatVector(row, 2)}`,
  );
  const felt = terms.filter((_, m) => parts[m].some((x) => x !== 0));
  return `FF(${token}) = ${felt.join(" + ") || formatVector(parts[0])}`;
}

/** A slider for each number of a token. @param {Model} model @param {number} index */
function numberSliders(model, index) {
  return model.get("vectors")[index].map((_, d) => {
    const oninput = (/** @type {number} */ x) => {
      const vectors = model.get("vectors");
      assign(model, "vectors", vectors.with(index, vectors[index].with(d, x)));
    };
    const label = `${model.get("tokens")[index]} ${d + 1}`;
    return showing(
      slider({ label, ...shared.number, oninput }),
      () => model.get("vectors")[index][d],
    );
  });
}

/** One token: its sliders and its drawing. @param {Model} model @param {number} index */
function tokenPanel(model, index) {
  const sliders = numberSliders(model, index);
  const drawing = network(sliders.length, model.get("up_bias").length);
  const name = h("p", { class: "ff-name" }, model.get("tokens")[index]);
  const parts = [name, ...sliders.map((one) => one.element), drawing.element];
  return {
    element: h("div", { class: "ff-token-panel" }, ...parts),
    /** @param {Results} results */
    update({ hidden, output }) {
      const x = model.get("vectors")[index];
      for (const one of sliders) one.update();
      drawing.update({ x, hidden: hidden[index], output: output[index] }, weightsOf(model));
    },
  };
}

/** The choices, in their row. @param {Model} model */
function controls(model) {
  const between = { options: Object.values(shared.activations), values: KINDS };
  return form([
    tied(model, "activation", choice, { legend: "Between the maps", ...between }),
    tied(model, "selected", choice, { legend: "Take apart", options: model.get("tokens") }),
    resetButton(model, TRAITS),
  ]);
}

/** The tables. @param {number} count of the tokens @param {number} width @param {number} units */
function tablesFor(count, width, units) {
  return tables(shared.captions, {
    before: { rows: count, columns: units },
    hidden: { rows: count, columns: units },
    output: { rows: count, columns: width },
    residual: { rows: count, columns: width },
    parts: { rows: units + 1, columns: width },
    weights: { rows: units, columns: 2 * width + 1 },
  });
}

/** Fill the tables. @param {ReturnType<typeof tablesFor>} views @param {Model} model @param {Results} results */
function show(views, model, results) {
  const [tokens, selected] = [model.get("tokens"), model.get("selected")];
  const entries = counted(model.get("down_bias"));
  const units = model.get("up_bias").map((_, m) => `unit ${m + 1}`);
  const [reads, writes] = ["reads", "writes"].map((verb) => entries.map((d) => `${verb} ${d}`));
  views.hidden.name({ activation: shared.activations[model.get("activation")] });
  views.parts.name({ token: tokens[selected] });
  views.before.update(results.before, tokens, units, selected);
  views.hidden.update(results.hidden, tokens, units, selected);
  views.output.update(results.output, tokens, entries, selected);
  views.residual.update(results.residual, tokens, entries, selected);
  views.parts.update(results.parts, [...units, "b₂"], entries);
  views.weights.update(results.weights, units, [...reads, "bias", ...writes]);
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const tokens = model.get("tokens");
  const [panel, news] = [controls(model), status()];
  const sum = h("p");
  const each = tokens.map((_, i) => tokenPanel(model, i));
  const views = tablesFor(
    tokens.length,
    model.get("down_bias").length,
    model.get("up_bias").length,
  );
  el.classList.add("tl-figure", "tl-feed-forward-lab");
  el.append(
    h("p", { class: "tl-aside" }, shared.question),
    inView(...panel.rows),
    panels(...each),
    h("p", { class: "tl-aside" }, LEGEND),
    sum,
    news.element,
    h("details", {}, h("summary", {}, "The numbers"), panels(...Object.values(views))),
  );

  return connect(model, TRAITS, () => {
    const results = compute(model);
    panel.update();
    for (const one of each) one.update(results);
    show(views, model, results);
    setText(sum, sumText(tokens[model.get("selected")], results.parts));
    news.say(allText(tokens, results, model.get("activation")));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
