// @ts-check
// The layer-norm lab: drag a value and watch it normalize; share statistics by row or by column.

import { assign, choice, connect, format, formatVector, freshId, h, matrix, menu, numberBox, resetButton, setText, showNumber, slider, status, toggle } from "./kit.js";
import { groupSteps, moments, tokenSteps } from "./norm_math.js";

/** @typedef {import("./norm_math.js").Token & import("./norm_math.js").Table &
 *   {view: "token" | "table", tokens: string[], selected: number}} State */
/** @typedef {import("./kit.js").Model<State>} Model */

const LOW = -10;
const HIGH = 16;
const VIEWS = /** @type {const} */ (["token", "table"]);
const AXES = /** @type {const} */ (["layer", "batch"]);
const EXAMPLES = [
  { values: [2, 4, 6, 8], why: "evenly spaced" },
  { values: [10, 12, 14, 16], why: "the first, shifted by 8" },
  { values: [2, -1, 3.5, -0.5], why: "uneven" },
  { values: [1, 1, 1, 1], why: "constant" },
  { values: [2, -1, 3.5, -0.5, 4.2], why: "uneven" },
  { values: [1, 1, 1, 1, 1], why: "constant" },
];

/** ε by the place on its slider: 0, then 10⁻¹² … 1. @param {number} place */
export function epsOf(place) {
  return place === 0 ? 0 : Number(`1e${place - 13}`);
}

/** The nearest place for any ε. @param {number} eps */
export function placeOf(eps) {
  return eps === 0 ? 0 : Math.max(1, Math.min(13, Math.round(Math.log10(eps)) + 13));
}

/** What there is to say about one token. @param {ReturnType<typeof tokenSteps>} steps @param {number} eps */
export function tokenNews(steps, eps) {
  if (Number.isNaN(steps.output[0])) {
    return "All values are equal: the variance is 0. With ε = 0 the division is 0 / 0, which is NaN.";
  }
  const saved = steps.variance === 0 ? ` All values are equal: only ε = ${eps} keeps the root above 0.` : "";
  return `Mean ${format(steps.mean)}, variance ${format(steps.variance)}, ` +
    `output ${formatVector(steps.output)}.${saved}`;
}

/** @param {Element} element @param {Record<string, unknown>} attributes */
function place(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

/** An element of a drawing. @param {string} tag @param {Record<string, unknown>} attributes @param {...Node} children */
function draw(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  place(element, attributes);
  element.append(...children);
  return element;
}

/**
 * A number line through one lane a feature: ticks, the mean, the band μ ± σ, a dot in each lane.
 * @param {number} lanes @param {number} ticks
 */
function numberLine(lanes, ticks) {
  const band = draw("rect", { class: "ln-band", y: 0, height: "100%" });
  const mean = draw("line", { class: "ln-mean", y1: 0, y2: "100%" });
  const dots = Array.from({ length: lanes }, (_, i) =>
    draw("circle", { class: "ln-dot", r: 8, cy: `${(i + 0.5) / lanes * 100}%` }));
  const marks = Array.from({ length: ticks }, () => draw("line", { class: "ln-tick", y1: 0, y2: "100%" }));
  const names = marks.map(() => draw("text", { y: "100%", dy: 15 }));
  return {
    element: draw("svg", { class: "ln-line", "aria-hidden": "true" }, band, ...marks, mean, ...dots, ...names),
    /** @param {number} low @param {number} high @param {number[]} at @param {number[]} values */
    update(low, high, at, values) {
      const percent = (/** @type {number} */ x) => Math.max(0, Math.min(1, (x - low) / (high - low))) * 100;
      const known = values.every(Number.isFinite);
      for (const shape of [band, mean, ...dots]) shape.classList.toggle("ln-hidden", !known);
      at.forEach((x, i) => {
        place(marks[i], { x1: `${percent(x)}%`, x2: `${percent(x)}%` });
        place(names[i], { x: `${percent(x)}%` });
        setText(names[i], format(x));
      });
      if (!known) return;
      const { mean: middle, variance } = moments(values);
      const [from, to] = [middle - Math.sqrt(variance), middle + Math.sqrt(variance)].map(percent);
      place(band, { x: `${from}%`, width: `${to - from}%` });
      place(mean, { x1: `${percent(middle)}%`, x2: `${percent(middle)}%` });
      dots.forEach((dot, i) => place(dot, { cx: `${percent(values[i])}%` }));
    },
  };
}

/**
 * One side of the drawing: a number line with a row of controls or numbers for each feature.
 * @param {string} title @param {string[]} heads @param {SVGElement} line the number line
 * @param {number} column where it lies @param {HTMLElement[][]} rows
 */
function side(title, heads, line, column, rows) {
  /** @template {HTMLElement | SVGElement} Item @param {Item} item @param {string} area */
  const put = (item, area) => Object.assign(item, { style: `grid-area: ${area}` });
  const cells = [heads.map((text) => h("span", { class: "ln-head" }, text)), ...rows];
  return h("div", { class: "ln-side", style: `--lanes: ${rows.length}; --line: ${column}` },
    h("p", { class: "ln-title" }, title), put(line, `3 / ${column} / span ${rows.length}`),
    ...cells.flatMap((row, i) => row.map((item, j) => put(item, `${i + 2} / ${j + 1}`))));
}

/** The lanes: a slider and boxes for each feature, before and after. @param {Model} model @param {(text: string) => void} onerror */
function lanes(model, onerror) {
  /** @param {"values" | "gamma" | "beta"} trait @param {string} label @param {number} min @param {number} max */
  const boxes = (trait, label, min, max) => model.get(trait).map((_, i) => numberBox({
    label: `${label} ${i + 1}`, min, max, step: 0.1, onerror,
    oninput: (x) => assign(model, trait, model.get(trait).with(i, x)) }));
  const values = boxes("values", "Typed value", LOW, HIGH);
  const gamma = boxes("gamma", "Gain γ of feature", -10, 10);
  const beta = boxes("beta", "Shift β of feature", -10, 10);
  const sliders = values.map((_, i) => h("input", { type: "range", min: LOW, max: HIGH, step: 0.1, "aria-label": `Value ${i + 1}`,
    oninput: (/** @type {any} */ event) => assign(model, "values", model.get("values").with(i, Number(event.target.value))) }));
  const outputs = values.map(() => h("span", { class: "ln-output" }));
  const before = numberLine(values.length, 6);
  const after = numberLine(values.length, 5);
  const name = (/** @type {number} */ i) => h("span", { class: "ln-name" }, String(i + 1));
  return {
    element: h("div", { class: "tl-panels" },
      side("Before: drag a value", ["", "", "x"], before.element, 2,
        values.map((box, i) => [name(i), sliders[i], box.element])),
      side("After: γ · normalized + β", ["", "γ", "β", "", "y"], after.element, 4,
        outputs.map((output, i) => [name(i), gamma[i].element, beta[i].element, h("span"), output]))),
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
      const top = [2, 5, 10, 20].find((reach) => output.every((y) => Math.abs(y) <= reach)) ?? 40;
      after.update(-top, top, [-top, -top / 2, 0, top / 2, top], output);
    },
  };
}

/** The seven steps, each a row: one number with its sum, or one number a feature. @param {number} size */
function stepTable(size) {
  const body = h("tbody");
  const row = (/** @type {number} */ columns) => {
    const name = h("th", { scope: "row" });
    const cells = Array.from({ length: columns }, () => h("td", { colspan: size / columns }));
    body.append(h("tr", {}, name, ...cells));
    return { name, cells };
  };
  const [mean, centered, squared, variance, root, normalized, output] = [1, size, size, 1, 1, size, size].map(row);
  /** @param {ReturnType<typeof row>} target @param {string} name @param {string} how @param {number} value */
  const one = (target, name, how, value) => {
    const result = h("b", { "data-value": value, class: Number.isNaN(value) ? "tl-wrong" : "" }, format(value));
    setText(target.name, name);
    target.cells[0].replaceChildren(`${how} = `, result);
  };
  /** @param {ReturnType<typeof row>} target @param {string} name @param {number[]} values */
  const many = (target, name, values) => {
    setText(target.name, name);
    const top = Math.max(1e-9, ...values.map(Math.abs).filter(Number.isFinite));
    values.forEach((x, i) => showNumber(target.cells[i], x, top));
  };
  const heads = Array.from({ length: size }, (_, i) => h("th", { scope: "col" }, String(i + 1)));
  return {
    element: h("div", { class: "tl-matrix-box" }, h("table", { class: "tl-matrix ln-steps" },
      h("caption", {}, "Step by step"), h("thead", {}, h("tr", {}, h("td"), ...heads)), body)),
    /** @param {ReturnType<typeof tokenSteps>} steps @param {import("./norm_math.js").Token} token */
    update(steps, { values, eps, unbiased, eps_inside }) {
      const plus = (/** @type {number[]} */ xs) => xs.map((x) => (x < 0 ? `(${format(x)})` : format(x))).join(" + ");
      const square = format(steps.variance);
      one(mean, "1 mean μ", `(${plus(values)}) / ${size}`, steps.mean);
      many(centered, "2 x − μ", steps.centered);
      many(squared, "3 (x − μ)²", steps.squared);
      one(variance, "4 variance σ²", `(${plus(steps.squared)}) / ${unbiased ? size - 1 : size}`, steps.variance);
      one(root, "5 root", eps_inside ? `√(${square} + ${eps})` : `√${square} + ${eps}`, steps.std);
      many(normalized, "6 (x − μ) / root", steps.normalized);
      many(output, "7 γ · … + β", steps.output);
    },
  };
}

/** The view of one token. @param {Model} model @param {(text: string) => void} say */
function tokenView(model, say) {
  const drawing = lanes(model, say);
  const steps = stepTable(model.get("values").length);
  const examples = EXAMPLES.filter(({ values }) => values.length === model.get("values").length);
  const example = menu({ label: "Example", options: ["your own", ...examples.map(({ values, why }) => `${values.map((x) => format(x)).join(", ")} (${why})`)],
    onchange: (index) => { if (index > 0) assign(model, "values", examples[index - 1].values); } });
  const divisor = choice({ legend: "Divide by", options: ["n", "n − 1"], onchange: (i) => assign(model, "unbiased", i === 1) });
  const where = choice({ legend: "ε", options: ["inside the root", "outside"], onchange: (i) => assign(model, "eps_inside", i === 0) });
  return {
    element: h("div", {}, h("div", { class: "tl-controls" }, example.element, divisor.element, where.element), drawing.element,
      h("p", { class: "ln-legend" }, "Dashed line: the mean. Band: one standard deviation to each side."), steps.element),
    redraw() {
      const token = { values: model.get("values"), gamma: model.get("gamma"), beta: model.get("beta"), eps: model.get("eps"),
        unbiased: model.get("unbiased"), eps_inside: model.get("eps_inside") };
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

/** The view of a table: which numbers share a mean and a deviation. @param {Model} model @param {(text: string) => void} say */
function tableView(model, say) {
  const tokens = model.get("tokens").map((name, i) => (model.get("pads")[i] ? `${name} ${i + 1}` : name));
  const features = model.get("table")[0].map((_, d) => `P${d + 1}`);
  const size = { rows: tokens.length, columns: features.length };
  const table = matrix({ caption: "1 A table of tokens", ...size });
  const rowStats = matrix({ caption: "2 Statistics of each row", rows: size.rows, columns: 3 });
  const columnStats = matrix({ caption: "2 Statistics of each column", rows: 3, columns: size.columns });
  const normalized = matrix({ caption: "3 Normalized", ...size });
  const axis = choice({ legend: "Share μ and σ", options: ["along each row (layer)", "down each column (batch)"],
    onchange: (i) => { model.set("selected", 0); assign(model, "axis", AXES[i]); } });
  const pads = toggle({ label: "pads count in the statistics", onchange: (on) => assign(model, "count_pads", on) });
  const pick = (/** @type {number} */ i) => assign(model, "selected", i);
  const row = menu({ label: "Row", options: tokens, onchange: pick });
  const column = menu({ label: "Column", options: features, onchange: pick });
  const names = ["μ", "σ", "√(σ² + ε)"];
  return {
    element: h("div", {}, h("div", { class: "tl-controls" }, axis.element, row.element, column.element, pads.element),
      h("div", { class: "tl-panels" }, table.element, rowStats.element, columnStats.element, normalized.element)),
    redraw() {
      const batch = model.get("axis") === "batch";
      const chosen = Math.min(model.get("selected"), (batch ? features : tokens).length - 1);
      const steps = groupSteps({ table: model.get("table"), pads: model.get("pads"), axis: model.get("axis"),
        count_pads: model.get("count_pads"), eps: model.get("eps") });
      const stats = [steps.mean, steps.std, steps.root];
      axis.update(batch ? 1 : 0);
      pads.update(model.get("count_pads"));
      (batch ? column : row).update(chosen);
      for (const [part, shown] of /** @type {const} */ ([[row, !batch], [rowStats, !batch], [column, batch], [columnStats, batch], [pads, batch]])) {
        part.element.hidden = !shown;
      }
      table.update(model.get("table"), tokens, features, batch ? -1 : chosen);
      normalized.update(steps.normalized, tokens, features, batch ? -1 : chosen);
      if (batch) columnStats.update(stats, names, features);
      else rowStats.update(steps.mean.map((_, i) => stats.map((s) => s[i])), tokens, names, chosen);
      [table, normalized].forEach(({ cells }) => cells.forEach((line, i) => line.forEach((cell, j) => {
        cell.classList.toggle("ln-shared", (batch ? j : i) === chosen && steps.counted[i]);
        cell.classList.toggle("ln-left-out", !steps.counted[i]);
      })));
      say(tableNews());
    },
  };
}
