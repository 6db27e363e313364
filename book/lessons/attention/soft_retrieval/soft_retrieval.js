// @ts-check
// Soft retrieval: which words does the query attend to, and where is the mixture of their values?

import { form, menu, resetButton, showing, slider, tied } from "../../kit/figures/controls.js";
import {
  assign,
  connect,
  folded,
  format,
  formatVector,
  h,
  inView,
  panels,
  status,
} from "../../kit/figures/kit.js";
import { mix, scoreMatrix, softmax } from "../../kit/figures/math.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { plane } from "./plane.js";
import shared from "./soft_retrieval.json" with { type: "json" };

/** @typedef {"keys" | "swapped" | "second"} Kind */
/** @typedef {{words: string[], places: number[][], query: number[], features: string[],
 *   sharpness: number, values: Kind}} State */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = ["query", "sharpness", "values"];
const KINDS = /** @type {Kind[]} */ (Object.keys(shared.values));

/** The value of a key: its product with the matrix of values. @param {number[]} key @param {Kind} kind */
function valueFor(key, kind) {
  return mix(key, shared.values[kind]);
}

/** Every number of the figure; the same names as SoftRetrieval.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const keys = model.get("places");
  const [scores] = scoreMatrix([model.get("query")], keys);
  const values = keys.map((key) => valueFor(key, model.get("values")));
  const weights = softmax(scores.map((score) => model.get("sharpness") * score));
  return {
    keys,
    scores: scores.map((s) => [s]),
    weights: weights.map((w) => [w]),
    values,
    mixture: [mix(weights, values)],
  };
}

/** The places of the largest shares; more than one where they are equal. @param {number[]} shares */
export function winners(shares) {
  const top = Math.max(...shares);
  return shares.flatMap((share, i) => (top - share < 1e-9 ? [i] : []));
}

/** What the look-up found, in words. @param {Results} results @param {string[]} words */
export function foundText({ weights, mixture }, words) {
  const shares = weights.flat();
  const top = Math.max(...shares);
  const best = winners(shares);
  const found =
    best.length === words.length
      ? `All weights are equal, ${format(top)}.`
      : `The largest weight, ${format(top)}, goes to ${best.map((i) => `“${words[i]}”`).join(" and ")}.`;
  return `${found} The mixture is ${formatVector(mixture[0])}.`;
}

/** The shapes of the drawing: class, sign and name. */
const SHAPES = [
  ["sr-is-query", "◆", "query"],
  ["sr-is-key", "●", "key"],
  ["sr-is-mixture", "■", "mixture"],
  ["sr-is-value", "□", "value"], // the last: its place stays empty where values lie on their keys
];

/** What the shapes of the drawing mean. */
function legend() {
  return h(
    "p",
    { class: "tl-aside tl-signs", "aria-hidden": "true" },
    ...SHAPES.map(([kind, sign, name]) =>
      h("span", { class: `sr-sign-${name}` }, h("span", { class: kind }, sign), ` ${name}`),
    ),
    h("span", {}, "╌ outline of the values"),
  );
}

/** The controls in their row. @param {Model} model */
function controls(model) {
  const features = model.get("features");
  const query = features.map((name, i) => {
    const oninput = (/** @type {number} */ x) =>
      assign(model, "query", model.get("query").with(i, x));
    const part = slider({ label: `query: ${name}`, ...shared.plane, oninput });
    return showing(part, () => model.get("query")[i]);
  });
  const options = ["equal to the keys", "the keys, swapped", `the keys, ${features[1]} only`];
  return form([
    ...query,
    tied(model, "sharpness", slider, { label: "sharpness", ...shared.sharpness }),
    tied(model, "values", menu, { label: "values", options, values: KINDS }),
    resetButton(model, TRAITS),
  ]);
}

/** The tables. @param {number} count of the words */
function tablesFor(count) {
  return tables(shared.captions, {
    keys: { rows: count, columns: 2 },
    scores: { rows: count, columns: 1 },
    weights: { rows: count, columns: 1, kind: "tl-bars" },
    values: { rows: count, columns: 2, kind: "tl-values" },
    mixture: { rows: 1, columns: 2, kind: "tl-values" },
  });
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [words, features] = [model.get("words"), model.get("features")];
  const panel = controls(model);
  const drawing = plane(model);
  const news = status();
  const { weights, ...steps } = tablesFor(words.length);
  const side = h("div", { class: "sr-side" }, drawing.element, legend());
  const stage = h("div", { class: "tl-stage" }, side, weights.element);
  /** @type {ReturnType<typeof compute>} */
  let results;
  let chosen = -1;
  const draw = () => {
    steps.keys.update(results.keys, words, features, chosen);
    steps.scores.update(results.scores, words, ["score"], chosen);
    steps.values.update(results.values, words, features, chosen);
    steps.mixture.update(results.mixture, ["mixture"], features);
  };
  const numbers = folded(shared.fold, draw, panels(...Object.values(steps)));
  el.classList.add("tl-figure", "tl-soft-retrieval");
  el.append(
    h("p", { class: "tl-aside" }, shared.question),
    inView(...panel.rows),
    news.element,
    stage,
    numbers.element,
  );

  return connect(model, TRAITS, () => {
    results = compute(model);
    const top = winners(results.weights.flat());
    chosen = top.length === 1 ? top[0] : -1;
    panel.update();
    drawing.update(results);
    weights.update(results.weights, words, ["weight"], chosen);
    results.weights.forEach(([weight], i) => {
      weights.cells[i][0].style.setProperty("--share", String(weight));
    });
    numbers.update();
    news.say(foundText(results, words));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
