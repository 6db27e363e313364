// @ts-check
// The attention explorer: change a vector, watch every number from score to output.

import { attentionSteps, lookAheadMask } from "./math.js";
import { assign, choice, connect, controlRow, format, formatVector, h, matrix, numberBox, resetButton, setText, slider, status, toggle } from "./kit.js";

/** @typedef {{tokens: string[], vectors: number[][], selected: number, scaled: boolean,
 *   temperature: number, causal: boolean}} State */
/** @typedef {import("./kit.js").Model<State>} Model */

/**
 * The factor on the scores: 1/√d when scaling is on, divided by the temperature.
 * @param {number} width @param {boolean} scaled @param {number} temperature
 */
export function scaleFactor(width, scaled, temperature) {
  return (scaled ? 1 / Math.sqrt(width) : 1) / temperature;
}

/** All intermediates for the state of a figure. @param {Pick<Model, "get">} model */
export function compute(model) {
  const vectors = model.get("vectors");
  const factor = scaleFactor(vectors[0].length, model.get("scaled"), model.get("temperature"));
  return attentionSteps(vectors, factor, model.get("causal") ? lookAheadMask(vectors.length) : undefined);
}

/** The table of boxes in which tokens and vectors are edited. @param {Model} model @param {(message: string) => void} onerror */
function vectorEditor(model, onerror) {
  const vectors = model.get("vectors");
  const names = vectors.map((_, i) => {
    const input = h("input", { type: "text", class: "tl-name", maxlength: 12, "aria-label": `Name of token ${i + 1}`,
      autocomplete: "off", spellcheck: "false",
      oninput: () => assign(model, "tokens", model.get("tokens").map((t, k) => (k === i ? input.value : t))) });
    return input;
  });
  const boxes = vectors.map((row, i) => row.map((_, d) => numberBox({
    label: `Token ${i + 1}, entry ${d + 1}`, min: -10, max: 10, step: 0.1, onerror,
    oninput: (x) => assign(model, "vectors", model.get("vectors").map((v, k) => (k === i ? v.with(d, x) : v))),
  })));
  const rows = boxes.map((row, i) => h("tr", {}, h("th", { scope: "row" }, names[i]), ...row.map((box) => h("td", {}, box.element))));
  const table = h("table", { class: "tl-matrix tl-editor" }, h("caption", {}, "Vectors x (query, key and value at once)"), h("tbody", {}, ...rows));
  return {
    element: h("div", { class: "tl-matrix-box" }, table),
    update() {
      model.get("tokens").forEach((name, i) => { if (names[i].value !== name) names[i].value = name; });
      model.get("vectors").forEach((row, i) => row.forEach((x, d) => boxes[i][d].update(x)));
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  /** @type {(keyof State)[]} */
  const traits = ["tokens", "vectors", "selected", "scaled", "temperature", "causal"];
  const size = model.get("vectors").length;
  const width = model.get("vectors")[0].length;
  const news = status();
  const editor = vectorEditor(model, news.say);
  const picker = choice({ legend: "Query token", options: model.get("tokens"), onchange: (i) => assign(model, "selected", i) });
  const scaling = toggle({ label: `divide by √${width}`, onchange: (on) => assign(model, "scaled", on) });
  const causal = toggle({ label: "look-ahead mask", onchange: (on) => assign(model, "causal", on) });
  const temperature = slider({ label: "temperature", min: 0.1, max: 5, step: 0.1, oninput: (x) => assign(model, "temperature", x) });
  const reset = resetButton(model, traits);

  const square = { rows: size, columns: size };
  const steps = {
    scores: matrix({ caption: "1 Scores: query · key", ...square }),
    scaled: matrix({ caption: "2 Scaled", ...square }),
    masked: matrix({ caption: "3 Masked", ...square }),
    weights: matrix({ caption: "4 Weights: softmax of each row", ...square, kind: "tl-weights" }),
    output: matrix({ caption: "5 Output: weighted sum of values", rows: size, columns: width, kind: "tl-values" }),
  };
  const shares = model.get("tokens").map(() => h("span"));
  const bar = h("div", { class: "tl-mix", "aria-hidden": "true" }, ...shares);
  const sum = h("p", { class: "tl-equation" });

  el.classList.add("tl-figure");
  el.append(
    controlRow(picker.element, scaling.element, causal.element, temperature.element, reset),
    h("div", { class: "tl-panels" }, editor.element, ...Object.values(steps).map((m) => m.element)), bar, sum, news.element);

  function redraw() {
    const tokens = model.get("tokens");
    const selected = model.get("selected");
    const result = compute(model);
    const entries = Array.from({ length: width }, (_, d) => String(d + 1));
    editor.update();
    picker.update(selected);
    tokens.forEach((name, i) => { setText(picker.labels[i], name || `token ${i + 1}`); });
    scaling.update(model.get("scaled"));
    causal.update(model.get("causal"));
    temperature.update(model.get("temperature"));
    steps.scores.update(result.scores, tokens, tokens, selected);
    steps.scaled.update(result.scaled, tokens, tokens, selected);
    steps.masked.update(result.masked, tokens, tokens, selected);
    steps.weights.update(result.weights, tokens, tokens, selected);
    steps.output.update(result.output, tokens, entries, selected);
    shares.forEach((share, j) => {
      setText(share, tokens[j]);
      share.hidden = result.weights[selected][j] === 0;
      share.style.setProperty("--share", String(result.weights[selected][j]));
    });
    const terms = result.weights[selected].map((w, j) => `${format(w)} × ${tokens[j]}`).join("  +  ");
    sum.textContent = `output(${tokens[selected]}) = ${terms}`;
    const top = result.weights[selected].indexOf(Math.max(...result.weights[selected]));
    news.say(`${tokens[selected]} gives most weight to ${tokens[top]}, ${format(result.weights[selected][top])}; ` +
      `its output is ${formatVector(result.output[selected])}.`);
  }
  return connect(model, traits, redraw);
}

export default { render };
