// @ts-check
// The attention explorer: where does a token look, and what does it bring back?

import { choice, form, resetButton, slider, tied, toggle } from "../../kit/figures/controls.js";
import {
  connect,
  counted,
  format,
  formatVector,
  h,
  inView,
  panels,
  setText,
  status,
} from "../../kit/figures/kit.js";
import { attentionSteps, lookAheadMask } from "../../kit/figures/math.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import shared from "./attention_explorer.json" with { type: "json" };
import { flows } from "./flows.js";
import { vectorEditor } from "./vector_editor.js";

/** @typedef {{tokens: string[], vectors: number[][], selected: number, scaled: boolean,
 *   temperature: number, causal: boolean}} State */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = ["tokens", "vectors", "selected", "scaled", "temperature", "causal"];

/**
 * The factor on the scores: 1/√d when scaling is on, divided by the temperature.
 * @param {number} width @param {boolean} scaled @param {number} temperature
 */
function scaleFactor(width, scaled, temperature) {
  return (scaled ? 1 / Math.sqrt(width) : 1) / temperature;
}

/** Every number of the figure; the same names as AttentionExplorer.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const vectors = model.get("vectors");
  const factor = scaleFactor(vectors[0].length, model.get("scaled"), model.get("temperature"));
  const mask = model.get("causal") ? lookAheadMask(vectors.length) : undefined;
  return attentionSteps(vectors, factor, mask);
}

/** Where one token looks, in words. @param {Results} results @param {string[]} tokens @param {number} selected */
export function announcementText({ weights, output }, tokens, selected) {
  const row = weights[selected];
  const most = Math.max(...row);
  const top = tokens.filter((_, j) => most - row[j] < 1e-9);
  return (
    `${tokens[selected]} gives most weight to ${top.join(" and ")}, ${format(most)}${top.length > 1 ? " each" : ""}; ` +
    `its output is ${formatVector(output[selected])}.`
  );
}

/** The controls in their row. @param {Model} model @param {number} width */
function controls(model, width) {
  const options = model.get("tokens");
  const picker = tied(model, "selected", choice, { legend: "Query token", options });
  const { rows, update } = form([
    picker,
    tied(model, "scaled", toggle, { label: `divide by √${width}` }),
    tied(model, "causal", toggle, { label: "look-ahead mask" }),
    tied(model, "temperature", slider, { label: "temperature", ...shared.temperature }),
    resetButton(model, TRAITS),
  ]);
  return {
    rows,
    update() {
      update();
      model.get("tokens").forEach((name, i) => {
        setText(picker.labels[i], name || `token ${i + 1}`);
      });
    },
  };
}

/** The output as a sum. @param {number[]} weights @param {string[]} tokens @param {number} selected */
function sumText(weights, tokens, selected) {
  const terms = weights.map((w, j) => `${format(w)} × ${tokens[j]}`).join("  +  ");
  return `output(${tokens[selected]}) = ${terms}`;
}

/** The tables of every step. @param {number} size @param {number} width */
function tablesFor(size, width) {
  const square = { rows: size, columns: size };
  return tables(shared.captions, {
    scores: square,
    scaled: square,
    masked: square,
    weights: { ...square, kind: "tl-weights" },
    output: { rows: size, columns: width, kind: "tl-values" },
  });
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [size, width] = [model.get("vectors").length, model.get("vectors")[0].length];
  const news = status();
  const panel = controls(model, width);
  const editor = vectorEditor(model, news.say);
  const [flow, sum] = [flows(size), h("p", { class: "tl-equation" })];
  const views = tablesFor(size, width);
  el.classList.add("tl-figure");
  const { weights, output, ...steps } = views;
  const fold = h("summary", {}, shared.fold);
  el.append(
    h("p", { class: "tl-aside" }, shared.question),
    inView(...panel.rows),
    panels(editor, flow),
    sum,
    panels(weights, output),
    news.element,
    h("details", {}, fold, panels(...Object.values(steps))),
  );

  return connect(model, TRAITS, () => {
    const [tokens, selected, results] = [
      model.get("tokens"),
      model.get("selected"),
      compute(model),
    ];
    panel.update();
    editor.update();
    for (const name of /** @type {const} */ (["scores", "scaled", "masked", "weights"]))
      views[name].update(results[name], tokens, tokens, selected);
    views.output.update(results.output, tokens, counted(results.output[0]), selected);
    flow.update(results.weights[selected], tokens, selected);
    setText(sum, sumText(results.weights[selected], tokens, selected));
    news.say(announcementText(results, tokens, selected));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
