// @ts-check
// The layer-norm lab's view of one token: drag a value, read every step.

import { choice, form, menu, showing, tied } from "../../kit/figures/controls.js";
import { assign, counted, format, formatVector, h, stateOf } from "../../kit/figures/kit.js";
import { largestOf, showNumber } from "../../kit/figures/table.js";
import shared from "./layer_norm_lab.json" with { type: "json" };
import { lanes } from "./norm_lanes.js";
import { TOKEN, tokenSteps } from "./norm_math.js";

/** @typedef {import("./norm_math.js").Token} Token */
/** @typedef {import("./norm_math.js").Model} Model */
/** @typedef {ReturnType<typeof tokenSteps>} Steps */

const TOKEN_LEGEND = "Dashed line: the mean. Band: one standard deviation to each side.";
const EXAMPLES = [
  { values: [2, 4, 6, 8], why: "evenly spaced" },
  { values: [10, 12, 14, 16], why: "the first, plus 8" },
  { values: [2, -1, 3.5, -0.5], why: "uneven" },
  { values: [1, 1, 1, 1], why: "constant" },
  { values: [2, -1, 3.5, -0.5, 4.2], why: "uneven" },
  { values: [1, 1, 1, 1, 1], why: "constant" },
];

/** Write ε as the chapters do. @param {number} eps */
export function epsText(eps) {
  return eps > 0 && eps < 0.001 ? eps.toExponential() : String(eps);
}

/** What there is to say about one token. @param {Steps} steps @param {number} eps */
export function tokenAnnouncement(steps, eps) {
  if (Number.isNaN(steps.output[0])) {
    return "All values are equal, so the variance is 0. With ε = 0 each division is 0 / 0: NaN.";
  }
  const alone = ` All values are equal: only ε = ${epsText(eps)} keeps the divisor above 0.`;
  return (
    `Mean ${format(steps.mean)}, variance ${format(steps.variance)}, ` +
    `output ${formatVector(steps.output)}.${steps.variance === 0 ? alone : ""}`
  );
}

/** A step that is one number, and where it comes from. @param {HTMLTableCellElement[]} cells @param {string} how @param {number} value */
function showOne([cell], how, value) {
  cell.classList.toggle("tl-nan", Number.isNaN(value));
  cell.replaceChildren(`${how} = `, h("b", { "data-value": value }, format(value)));
}

/** A step that is a number a feature. @param {HTMLTableCellElement[]} cells @param {number[]} values */
function showMany(cells, values) {
  values.forEach((x, i) => showNumber(cells[i], x, largestOf(values)));
}

/** A sum written out. @param {number[]} xs */
function sumText(xs) {
  return `(${xs.map((x) => (x < 0 ? `(${format(x)})` : format(x))).join(" + ")})`;
}

/** The seven steps: a number and where it comes from, or a number a feature. @param {number} size */
function stepTable(size) {
  const body = h("tbody");
  /** @param {"mean" | "centered" | "squared" | "variance" | "std" | "normalized" | "output"} name @param {number} columns */
  const row = (name, columns) => {
    const cells = Array.from({ length: columns }, () => h("td", { colspan: size / columns }));
    const title = h("th", { scope: "row" }, shared.steps[name]);
    body.append(h("tr", { "data-result": name }, title, ...cells));
    return cells;
  };
  const [mean, centered, squared] = [row("mean", 1), row("centered", size), row("squared", size)];
  const [variance, root] = [row("variance", 1), row("std", 1)];
  const [normalized, output] = [row("normalized", size), row("output", size)];
  const heads = counted(centered).map((text) => h("th", { scope: "col" }, text));
  const head = h("thead", {}, h("tr", {}, h("td"), ...heads));
  const caption = h("caption", {}, shared.captions.steps);
  const table = h("table", { class: "tl-matrix ln-steps" }, caption, head, body);
  return {
    element: h("div", { class: "tl-matrix-box" }, table),
    /** @param {Steps} steps @param {Token} token */
    update(steps, { values, eps, unbiased, eps_inside }) {
      const [square, small] = [format(steps.variance), epsText(eps)];
      const count = unbiased ? size - 1 : size;
      showOne(mean, `${sumText(values)} / ${size}`, steps.mean);
      showMany(centered, steps.centered);
      showMany(squared, steps.squared);
      showOne(variance, `${sumText(steps.squared)} / ${count}`, steps.variance);
      showOne(root, eps_inside ? `√(${square} + ${small})` : `√${square} + ${small}`, steps.std);
      showMany(normalized, steps.normalized);
      showMany(output, steps.output);
    },
  };
}

/** The controls in their row. @param {Model} model @param {number} size */
function tokenControls(model, size) {
  const examples = EXAMPLES.filter(({ values }) => values.length === size);
  const titles = examples.map(({ values, why }) => `${formatVector(values)} ${why}`);
  const example = menu({
    label: "Example",
    options: ["your own", ...titles],
    onchange: (i) => i > 0 && assign(model, "values", examples[i - 1].values),
  });
  const isShown = (/** @type {{values: number[]}} */ { values }) =>
    values.every((x, i) => x === model.get("values")[i]);
  const divisors = { options: ["n", "n − 1"], values: [false, true] };
  const places = { options: ["inside the root", "outside"], values: [true, false] };
  return form([
    showing(example, () => 1 + examples.findIndex(isShown)),
    tied(model, "unbiased", choice, { legend: "Divide by", ...divisors }),
    tied(model, "eps_inside", choice, { legend: "Add ε", ...places }),
  ]);
}

/** The view of one token. @param {Model} model @param {(text: string) => void} say */
export function tokenView(model, say) {
  const size = model.get("values").length;
  const [panel, drawing, steps] = [tokenControls(model, size), lanes(model, say), stepTable(size)];
  const legend = h("p", { class: "tl-aside" }, TOKEN_LEGEND);
  const fold = h("details", {}, h("summary", {}, shared.captions.steps), steps.element);
  return {
    element: h("div", {}, ...panel.rows, drawing.element, legend, fold),
    redraw() {
      const token = stateOf(model, [...TOKEN]);
      const result = tokenSteps(token);
      panel.update();
      drawing.update(result.output);
      steps.update(result, token);
      say(tokenAnnouncement(result, token.eps));
    },
  };
}
