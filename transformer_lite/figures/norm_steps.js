// @ts-check
// The layer-norm lab's view of one token: drag a value, read every step.

import { assign, choice, controlRow, format, formatVector, h, menu, numberBox, setText, showNumber } from "./kit.js";
import { numberLine, side } from "./norm_drawing.js";
import { tokenSteps } from "./norm_math.js";

/** @typedef {import("./norm_math.js").Token} Token */
/** @typedef {ReturnType<typeof tokenSteps>} Steps */
/** @typedef {import("./kit.js").Model<Token>} Model */

const LOW = -10;
const HIGH = 16;
const EXAMPLES = [
  { values: [2, 4, 6, 8], why: "evenly spaced" },
  { values: [10, 12, 14, 16], why: "the first plus 8" },
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
export function tokenNews(steps, eps) {
  if (Number.isNaN(steps.output[0])) {
    return "All values are equal, so the variance is 0. With ε = 0 each division is 0 / 0: NaN.";
  }
  const saved = steps.variance === 0
    ? ` All values are equal: only ε = ${epsText(eps)} keeps the root above 0.` : "";
  return `Mean ${format(steps.mean)}, variance ${format(steps.variance)}, ` +
    `output ${formatVector(steps.output)}.${saved}`;
}

/**
 * The drawing with its controls: a slider and boxes for each feature.
 * @param {Model} model @param {(text: string) => void} onerror
 */
function lanes(model, onerror) {
  /** @typedef {"values" | "gamma" | "beta"} Trait */
  /** @param {Trait} trait @param {number} i @param {number} x */
  const change = (trait, i, x) => assign(model, trait, model.get(trait).with(i, x));
  /** @param {Trait} trait @param {string} label @param {number} min @param {number} max */
  const boxes = (trait, label, min, max) => model.get(trait).map((_, i) => numberBox({
    label: `${label} ${i + 1}`, min, max, step: 0.1, onerror, oninput: (x) => change(trait, i, x) }));
  const values = boxes("values", "Typed value", LOW, HIGH);
  const gamma = boxes("gamma", "Gain γ of feature", -10, 10);
  const beta = boxes("beta", "Shift β of feature", -10, 10);
  const sliders = values.map((_, i) => {
    const input = h("input", { type: "range", min: LOW, max: HIGH, step: 0.1,
      "aria-label": `Value ${i + 1}`, oninput: () => change("values", i, Number(input.value)) });
    return input;
  });
  const outputs = values.map(() => h("span", { class: "ln-output" }));
  const names = [0, 1].map(() => values.map((_, i) => h("span", { class: "ln-name" }, String(i + 1))));
  const before = numberLine(values.length, 6);
  const after = numberLine(values.length, 5);
  return {
    element: h("div", { class: "tl-panels" },
      side("Before: drag a value", ["", "", "x"], before.element, 2,
        values.map((box, i) => [names[0][i], sliders[i], box.element])),
      side("After: normalized · γ + β", ["", "γ", "β", "", "output"], after.element, 4,
        outputs.map((output, i) => [names[1][i], gamma[i].element, beta[i].element, h("span"), output]))),
    /** @param {number[]} output */
    update(output) {
      model.get("values").forEach((x, i) => {
        if (Number(sliders[i].value) !== x) sliders[i].value = String(x);
        values[i].update(x);
        gamma[i].update(model.get("gamma")[i]);
        beta[i].update(model.get("beta")[i]);
        setText(outputs[i], format(output[i]));
        outputs[i].dataset.value = String(output[i]);
      });
      before.update(LOW, HIGH, [-10, -5, 0, 5, 10, 15], model.get("values"));
      const top = [2, 5, 10, 20].find((reach) => !output.some((y) => Math.abs(y) > reach)) ?? 40;
      after.update(-top, top, [-top, -top / 2, 0, top / 2, top], output);
    },
  };
}

/** The seven steps: a number and where it comes from, or a number a feature. @param {number} size */
function stepTable(size) {
  const body = h("tbody");
  /** @param {string} result @param {string} name @param {number} columns */
  const row = (result, name, columns) => {
    const cells = Array.from({ length: columns }, () => h("td", { colspan: size / columns }));
    body.append(h("tr", { "data-result": result }, h("th", { scope: "row" }, name), ...cells));
    return cells;
  };
  const mean = row("mean", "1 mean μ", 1);
  const centered = row("centered", "2 x − μ", size);
  const squared = row("squared", "3 (x − μ)²", size);
  const variance = row("variance", "4 variance σ²", 1);
  const root = row("std", "5 root", 1);
  const normalized = row("normalized", "6 normalized", size);
  const output = row("output", "7 output", size);
  /** @param {HTMLTableCellElement[]} cells @param {string} how @param {number} value */
  const one = ([cell], how, value) => {
    cell.classList.toggle("tl-nan", Number.isNaN(value));
    cell.replaceChildren(`${how} = `, h("b", { "data-value": value }, format(value)));
  };
  /** @param {HTMLTableCellElement[]} cells @param {number[]} values */
  const many = (cells, values) => {
    const largest = Math.max(1e-9, ...values.filter(Number.isFinite).map(Math.abs));
    values.forEach((x, i) => showNumber(cells[i], x, largest));
  };
  const heads = Array.from({ length: size }, (_, i) => h("th", { scope: "col" }, String(i + 1)));
  return {
    element: h("div", { class: "tl-matrix-box" }, h("table", { class: "tl-matrix ln-steps" },
      h("caption", {}, "Step by step"), h("thead", {}, h("tr", {}, h("td"), ...heads)), body)),
    /** @param {Steps} steps @param {Token} token */
    update(steps, { values, eps, unbiased, eps_inside }) {
      /** @param {number[]} xs */
      const total = (xs) => `(${xs.map((x) => (x < 0 ? `(${format(x)})` : format(x))).join(" + ")})`;
      const square = format(steps.variance);
      one(mean, `${total(values)} / ${size}`, steps.mean);
      many(centered, steps.centered);
      many(squared, steps.squared);
      one(variance, `${total(steps.squared)} / ${unbiased ? size - 1 : size}`, steps.variance);
      one(root, eps_inside ? `√(${square} + ${epsText(eps)})` : `√${square} + ${epsText(eps)}`, steps.std);
      many(normalized, steps.normalized);
      many(output, steps.output);
    },
  };
}

/** The view of one token. @param {Model} model @param {(text: string) => void} say */
export function tokenView(model, say) {
  const size = model.get("values").length;
  const drawing = lanes(model, say);
  const steps = stepTable(size);
  const examples = EXAMPLES.filter(({ values }) => values.length === size);
  const titles = examples.map(({ values, why }) => `${formatVector(values)} ${why}`);
  const example = menu({ label: "Example", options: ["your own", ...titles],
    onchange: (i) => i > 0 && assign(model, "values", examples[i - 1].values) });
  const divisor = choice({ legend: "Divide by", options: ["n", "n − 1"],
    onchange: (i) => assign(model, "unbiased", i === 1) });
  const where = choice({ legend: "Add ε", options: ["inside the root", "outside"],
    onchange: (i) => assign(model, "eps_inside", i === 0) });
  return {
    element: h("div", {},
      controlRow(example.element, divisor.element, where.element),
      drawing.element,
      h("p", { class: "ln-legend" }, "Dashed line: the mean. Band: one standard deviation to each side."),
      steps.element),
    redraw() {
      const token = { values: model.get("values"), gamma: model.get("gamma"), beta: model.get("beta"),
        eps: model.get("eps"), unbiased: model.get("unbiased"), eps_inside: model.get("eps_inside") };
      const result = tokenSteps(token);
      example.update(1 + examples.findIndex(({ values }) => values.every((x, i) => x === token.values[i])));
      divisor.update(token.unbiased ? 1 : 0);
      where.update(token.eps_inside ? 0 : 1);
      drawing.update(result.output);
      steps.update(result, token);
      say(tokenNews(result, token.eps));
    },
  };
}
