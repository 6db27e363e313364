// @ts-check
// The depth lab: stack sub-layers, choose a recipe, watch what goes up and what comes back down.

import { chart } from "../kit/chart.js";
import { choice, form, resetButton, slider, tied } from "../kit/controls.js";
import { connect, h, panels, power, stateOf, status } from "../kit/kit.js";
import { tables } from "../kit/table.js";
import shared from "./depth_lab.json" with { type: "json" };
import { recipeOf, run, subLayers } from "./depth_math.js";

/** @typedef {{depth: number, recipe: string, seed: number}} State */
/** @typedef {import("../kit/kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = ["depth", "recipe", "seed"];
const RECIPES = shared.recipes;
const MOST_LAYERS = shared.depth.max;

/** The weights last used, all 64 sub-layers, and what ran on them: only another seed needs others. */
let drawn = {
  seed: 0,
  layers: subLayers(0, 0),
  runs: /** @type {Map<string, number[][]>} */ (new Map()),
};

/** One recipe at one depth. A slider comes by the same depths again and again. @param {string} name @param {number} depth */
function stack(name, depth) {
  const key = `${name} ${depth}`;
  const rows = drawn.runs.get(key) ?? run(recipeOf(name, depth), drawn.layers.slice(0, depth));
  drawn.runs.set(key, rows);
  return rows;
}

/** Every number of the figure; the same names as DepthLab.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const [depth, seed] = [model.get("depth"), model.get("seed")];
  if (drawn.seed !== seed) drawn = { seed, layers: subLayers(MOST_LAYERS, seed), runs: new Map() };
  const runs = RECIPES.map((name) => stack(name, depth));
  return {
    layers: runs[RECIPES.indexOf(model.get("recipe"))],
    recipes: runs.map((rows) => [...rows[depth], rows[0][1]]),
  };
}

/** What arrives at the two ends, in words. @param {Results} results @param {State} state */
export function verdict({ layers }, { recipe, depth }) {
  const [[, bottom], [size, top]] = [layers[0], layers[depth]];
  const start = `${recipe}, ${depth} sub-layers: the state goes from size 1 to ${power(size)}`;
  const way = `of a gradient of 1 at the output, ${power(bottom)} arrives at the input`;
  const judged = bottom < 0.01 ? "It vanishes." : bottom > 10 ? "It explodes." : "It survives.";
  const last = top < 0.999 ? ` (below its last norm the stack gets ${power(top)})` : "";
  return `${start}; ${way}${last}. ${judged}`;
}

/** The chart's content: both quantities by depth, on one logarithmic axis. @param {Results} results */
function curves({ layers }) {
  const line = (/** @type {number} */ j) =>
    layers.map((row, l) => /** @type {[number, number]} */ ([l, row[j]]));
  const lowest = Math.floor(Math.log10(Math.min(...layers.flat(), 0.1)));
  const highest = Math.ceil(Math.log10(Math.max(...layers.flat(), 10)));
  return {
    x: { label: "sub-layer", min: 0, max: layers.length - 1, text: String },
    y: { label: "size, length", min: 10 ** lowest, max: 10 ** highest, log: true },
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
      resetButton(model, TRAITS),
    ],
    [tied(model, "recipe", choice, { legend: "Recipe", options: RECIPES, values: RECIPES })],
  );
}

/** The tables. */
function tablesFor() {
  return tables(shared.captions, {
    layers: { rows: MOST_LAYERS + 1, columns: shared.layers.length, write: power },
    recipes: { rows: RECIPES.length, columns: shared.ends.length, write: power },
  });
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, news, views] = [controls(model), status(), tablesFor()];
  const plot = chart({ lines: 2 });
  const reachable = { tabindex: 0, role: "region", "aria-label": "Layer by layer" };
  const scroll = h("div", { class: "dl-scroll", ...reachable }, views.layers.element);
  el.classList.add("tl-figure", "tl-depth-lab");
  el.append(...panel.rows, news.element, panels(plot, { element: scroll }), views.recipes.element);

  return connect(model, TRAITS, () => {
    const [state, results] = [stateOf(model, TRAITS), compute(model)];
    const names = results.layers.map((_, l) => (l ? String(l) : "input"));
    const chosen = RECIPES.indexOf(state.recipe);
    panel.update();
    views.layers.update(results.layers, names, shared.layers);
    views.recipes.update(results.recipes, RECIPES, shared.ends, chosen);
    plot.update(curves(results));
    news.say(verdict(results, state));
  });
}

export default { render };
