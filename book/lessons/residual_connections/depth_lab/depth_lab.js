// @ts-check
// What is left of the state on its way up a stack, and of the gradient on its way back down?

import { chart } from "../../kit/figures/chart.js";
import { choice, form, resetButton, slider, tied } from "../../kit/figures/controls.js";
import {
  connect,
  folded,
  format,
  h,
  inView,
  panels,
  stateOf,
  status,
} from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import shared from "./depth_lab.json" with { type: "json" };
import { recipeOf, run, sizeText, subLayers } from "./depth_math.js";

/** @typedef {{depth: number, recipe: string, seed: number, gain: number}} State */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = ["depth", "recipe", "seed", "gain"];
const RECIPES = shared.recipes;
const MOST_LAYERS = shared.depth.max;

/** The weights last used, all 64 sub-layers, and what ran on them: only another seed needs others. */
let drawn = {
  seed: 0,
  layers: subLayers(0, 0),
  runs: /** @type {Map<string, number[][]>} */ (new Map()),
};

/** One recipe at one depth. A slider comes by the same depths again and again. @param {string} name @param {number} depth @param {number} gain */
function stack(name, depth, gain) {
  const key = `${name} ${depth} ${gain}`;
  const rows =
    drawn.runs.get(key) ?? run(recipeOf(name, depth, gain), drawn.layers.slice(0, depth));
  drawn.runs.set(key, rows);
  return rows;
}

/** The chosen recipe, sub-layer by sub-layer: all that a closed figure shows. @param {Pick<Model, "get">} model */
function layersOf(model) {
  const seed = model.get("seed");
  if (drawn.seed !== seed) drawn = { seed, layers: subLayers(MOST_LAYERS, seed), runs: new Map() };
  return stack(model.get("recipe"), model.get("depth"), model.get("gain"));
}

/** Every number of the figure; the same names as DepthLab.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const [layers, depth] = [layersOf(model), model.get("depth")];
  const runs = RECIPES.map((name) => stack(name, depth, model.get("gain")));
  return {
    layers,
    recipes: runs.map((rows) => [...rows[depth], rows[0][1]]),
    powers: [layers[depth][0], layers[0][1]].map(Math.log10),
  };
}

/** What arrives at the two ends, in words. @param {Pick<Results, "layers">} results @param {Pick<State, "recipe" | "depth">} state */
export function verdict({ layers }, { recipe, depth }) {
  const [[, bottom], [size, top]] = [layers[0], layers[depth]];
  const start = `${recipe}, ${depth} sub-layers: the state goes from size 1 to ${sizeText(size)}`;
  const way = `A gradient of length 1 at the output has length ${sizeText(bottom)} at the input`;
  const judged =
    bottom < 0.01
      ? "It vanishes: it is below 0.01."
      : bottom > 10
        ? "It explodes: it is above 10."
        : "It survives.";
  const last = top < 0.999 ? ` (below its last norm the stack gets ${sizeText(top)})` : "";
  return `${start}. ${way}${last}. ${judged}`;
}

/** The chart's content: both quantities by depth, on one logarithmic axis. @param {Pick<Results, "layers">} results */
function curves({ layers }) {
  const line = (/** @type {number} */ j) =>
    layers.map((row, l) => /** @type {[number, number]} */ ([l, row[j]]));
  const lowest = Math.floor(Math.log10(Math.min(...layers.flat(), 0.1)));
  const highest = Math.ceil(Math.log10(Math.max(...layers.flat(), 10)));
  return {
    x: { label: "sub-layer", min: 0, max: layers.length - 1, text: String },
    y: { label: "size, or length", min: 10 ** lowest, max: 10 ** highest, log: true },
    lines: [
      { name: "size of the state, going up", points: line(0) },
      { name: "length of the gradient, coming down", points: line(1) },
    ],
  };
}

/** The controls. @param {Model} model */
function controls(model) {
  return form(
    [
      tied(model, "depth", slider, { label: "depth", ...shared.depth }),
      tied(model, "seed", slider, { label: "weights", ...shared.seed }),
      tied(model, "gain", slider, { label: "gain", ...shared.gain, text: (x) => format(x, 2) }),
      resetButton(model, TRAITS),
    ],
    [tied(model, "recipe", choice, { legend: "Recipe", options: RECIPES, values: RECIPES })],
  );
}

/** The tables. */
function tablesFor() {
  return tables(shared.captions, {
    layers: { rows: MOST_LAYERS + 1, columns: shared.layers.length, write: sizeText },
    recipes: { rows: RECIPES.length, columns: shared.ends.length, write: sizeText },
  });
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, news, views] = [controls(model), status(), tablesFor()];
  const plot = chart({ lines: 2, height: 225 });
  const reachable = { tabindex: 0, role: "region", "aria-label": "Layer by layer" };
  const scroll = h("div", { class: "dl-scroll", ...reachable }, views.layers.element);
  const draw = () => {
    const results = compute(model);
    const names = results.layers.map((_, l) => (l ? String(l) : "input"));
    views.layers.update(results.layers, names, shared.layers);
    const chosen = RECIPES.indexOf(model.get("recipe"));
    views.recipes.update(results.recipes, RECIPES, shared.ends, chosen);
  };
  const fold = folded("The numbers", draw, panels({ element: scroll }, views.recipes));
  el.classList.add("tl-figure", "tl-depth-lab");
  el.append(
    h("p", { class: "tl-aside" }, shared.question),
    inView(...panel.rows),
    news.element,
    plot.element,
    fold.element,
  );

  return connect(model, TRAITS, () => {
    const shown = { layers: layersOf(model) };
    panel.update();
    fold.update();
    plot.update(curves(shown));
    news.say(verdict(shown, stateOf(model, TRAITS)));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
