// @ts-check
// The feed-forward lab: move a token, watch its hidden units light up; the weights are shared.

import { network } from "./feed_forward_drawing.js";
import { ACTIVATIONS, feedForwardSteps } from "./feed_forward_math.js";
import { assign, choice, connect, controlRow, formatVector, h, matrix, nameResults, resetButton, setText, slider, status } from "./kit.js";

/** @typedef {import("./feed_forward_math.js").Weights & {names: string[], tokens: number[][],
 *   activation: string, selected: number}} State */
/** @typedef {import("./kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = ["tokens", "activation", "selected"];
const KINDS = { relu: "ReLU", gelu: "GELU", none: "nothing" };
const REACH = 3;

/** @param {Pick<Model, "get">} model */
function weightsOf(model) {
  return { up: model.get("up"), up_bias: model.get("up_bias"), down: model.get("down"), down_bias: model.get("down_bias") };
}

/** Every number of the figure; the same names as FeedForwardLab.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const layer = weightsOf(model);
  const steps = feedForwardSteps(model.get("tokens"), layer, ACTIVATIONS[model.get("activation")]);
  const chosen = steps.hidden[model.get("selected")];
  const parts = layer.down.map((row, m) => row.map((w) => w * chosen[m]));
  const weights = layer.down.map((row, m) => [...layer.up.map((r) => r[m]), layer.up_bias[m], ...row]);
  return { weights, ...steps, parts: [...parts, layer.down_bias] };
}

/** The units of one token that are on, and those that are off. @param {number[]} hidden */
export function sortUnits(hidden) {
  const places = hidden.map((_, m) => m + 1);
  return { on: places.filter((m) => hidden[m - 1] !== 0), off: places.filter((m) => hidden[m - 1] === 0) };
}

/** "unit 3", "units 1 and 4", "units 1, 2 and 3". @param {number[]} units */
function listed(units) {
  const words = units.map(String);
  return words.length === 1 ? `unit ${words[0]}`
    : `units ${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/** What the layer does to one token, in words. @param {string} name @param {number[]} hidden @param {number[]} output */
export function tokenText(name, hidden, output) {
  const { on, off } = sortUnits(hidden);
  const lit = on.length === 0 ? "every unit is off, so only b₂ is left"
    : off.length === 0 ? "every unit passes something"
      : `${listed(on)} ${on.length === 1 ? "is" : "are"} on, ${listed(off)} ${off.length === 1 ? "passes" : "pass"} nothing`;
  return `${name}: ${lit}; output ${formatVector(output)}.`;
}

/** All tokens in words. @param {string[]} names @param {Results} results @param {string} activation */
export function allText(names, results, activation) {
  const each = names.map((name, i) => tokenText(name, results.hidden[i], results.output[i]));
  return [...each, ...(activation === "none" ? ["With nothing between them the two maps are one matrix."] : [])].join(" ");
}

/** One token: its sliders and its drawing. @param {Model} model @param {number} index */
function tokenPanel(model, index) {
  const name = model.get("names")[index];
  const start = model.get("tokens");
  const sliders = start[index].map((_, d) => slider({ label: `${name} ${d + 1}`, min: -REACH, max: REACH, step: 0.1,
    oninput: (x) => assign(model, "tokens", model.get("tokens").map((row, i) => (i === index ? row.with(d, x) : row))) }));
  const drawing = network(start[index].length, model.get("up_bias").length);
  return {
    element: h("div", { class: "ff-token-panel" }, h("p", { class: "ff-name" }, name),
      ...sliders.map((s) => s.element), drawing.element),
    /** @param {Results} results */
    update(results) {
      const x = model.get("tokens")[index];
      sliders.forEach((s, d) => s.update(x[d]));
      drawing.update({ x, hidden: results.hidden[index], output: results.output[index] }, weightsOf(model));
    },
  };
}

/** The tables, by the name of the result that each shows. @param {number} count @param {number} width @param {number} units */
function tables(count, width, units) {
  return {
    before: matrix({ caption: "1 Before: x W₁ + b₁", rows: count, columns: units }),
    hidden: matrix({ caption: "", rows: count, columns: units }),
    output: matrix({ caption: "3 Output: FF(x)", rows: count, columns: width }),
    residual: matrix({ caption: "4 With the residual: x + FF(x)", rows: count, columns: width }),
    parts: matrix({ caption: "", rows: units + 1, columns: width }),
    weights: matrix({ caption: "The weights, the same for all tokens", rows: units, columns: 2 * width + 1 }),
  };
}

/** @param {ReturnType<typeof tables>} views @param {Model} model @param {Results} results */
function show(views, model, results) {
  const names = model.get("names");
  const selected = model.get("selected");
  const entries = model.get("down_bias").map((_, d) => String(d + 1));
  const units = model.get("up_bias").map((_, m) => `unit ${m + 1}`);
  const activation = /** @type {keyof typeof KINDS} */ (model.get("activation"));
  setText(views.hidden.caption, `2 After: ${KINDS[activation]}`);
  setText(views.parts.caption, `What adds up to FF(${names[selected]})`);
  for (const key of /** @type {const} */ (["before", "hidden"])) views[key].update(results[key], names, units, selected);
  for (const key of /** @type {const} */ (["output", "residual"])) views[key].update(results[key], names, entries, selected);
  views.parts.update(results.parts, [...units, "b₂"], entries);
  views.weights.update(results.weights, units, [...entries.map((d) => `reads ${d}`), "bias", ...entries.map((d) => `writes ${d}`)]);
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const kinds = /** @type {(keyof typeof KINDS)[]} */ (Object.keys(KINDS));
  const names = model.get("names");
  const between = choice({ legend: "Between the maps", options: Object.values(KINDS),
    onchange: (i) => assign(model, "activation", kinds[i]) });
  const follow = choice({ legend: "Take apart", options: names, onchange: (i) => assign(model, "selected", i) });
  const panels = names.map((_, i) => tokenPanel(model, i));
  const views = tables(names.length, model.get("down_bias").length, model.get("up_bias").length);
  nameResults(views);
  const news = status();
  const group = (/** @type {(keyof typeof views)[]} */ ...keys) =>
    h("div", { class: "tl-panels" }, ...keys.map((key) => views[key].element));

  el.classList.add("tl-figure", "tl-feed-forward-lab");
  el.append(controlRow(between.element, follow.element, resetButton(model, TRAITS)),
    h("div", { class: "tl-panels" }, ...panels.map((panel) => panel.element)),
    h("p", { class: "ff-key" }, "Lines: the wider, the more flows; dashed if negative, dotted if nothing."), news.element,
    group("before", "hidden"), group("output", "residual", "parts"), group("weights"));

  return connect(model, TRAITS, () => {
    const results = compute(model);
    between.update(kinds.indexOf(/** @type {keyof typeof KINDS} */ (model.get("activation"))));
    follow.update(model.get("selected"));
    for (const panel of panels) panel.update(results);
    show(views, model, results);
    news.say(allText(names, results, model.get("activation")));
  });
}

export default { render };
