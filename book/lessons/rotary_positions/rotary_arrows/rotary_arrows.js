// @ts-check
// Rotary arrows: what does the score see of the positions of a query and a key, which turn them?

import { chart } from "../../kit/figures/chart.js";
import { button, form, resetButton, slider, tied } from "../../kit/figures/controls.js";
import {
  assignAll,
  connect,
  format,
  h,
  inView,
  panels,
  stateOf,
  status,
} from "../../kit/figures/kit.js";
import { dot } from "../../kit/figures/math.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { plane } from "./arrows_drawing.js";
import shared from "./rotary_arrows.json" with { type: "json" };

/** @typedef {{query: number, key: number, omega: number}} State */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */
/** @typedef {[number, number]} Point */

/** @type {(keyof State & string)[]} */
const TRAITS = ["query", "key", "omega"];
const LAST = shared.position.max;
const [QUERY, KEY] = /** @type {Point[]} */ ([shared.query, shared.key]);
const OFFSETS = Array.from({ length: 2 * LAST + 1 }, (_, i) => i - LAST);
const HIGHEST = Math.ceil(Math.hypot(...QUERY) * Math.hypot(...KEY));

/** Turn an arrow counterclockwise. @param {Point} arrow @param {number} angle @returns {Point} */
function turn([x, y], angle) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x * cos - y * sin, x * sin + y * cos];
}

/** Every number of the figure; the same names as RotaryArrows.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const { query, key, omega } = stateOf(model, TRAITS);
  const [q, k] = [turn(QUERY, query * omega), turn(KEY, key * omega)];
  const offset = key - query;
  return {
    arrows: [
      [query * omega, ...q],
      [key * omega, ...k],
    ],
    score: [[offset, offset * omega, dot(q, k), dot(QUERY, KEY)]],
    curve: [OFFSETS.map((far) => dot(QUERY, turn(KEY, far * omega)))],
  };
}

/** What the score depends on, in words. @param {State} state @param {Results} results */
export function scoreText({ query, key }, { score }) {
  const [offset, angle, here] = score[0];
  const where = `Query at ${query}, key at ${key}: offset ${format(offset)}. `;
  if (offset === 0)
    return `${where}Both have turned equally, so the score is ${format(here)}, as at 0.`;
  const turned = `${format(angle)} radian${format(Math.abs(angle)) === "1" ? "" : "s"}`;
  return `${where}Relative to the query, the key has turned by ${turned}, and the score is ${format(here)}.`;
}

/** The controls. @param {Model} model */
function controls(model) {
  const move = (/** @type {number} */ step) => () =>
    assignAll(model, { query: model.get("query") + step, key: model.get("key") + step });
  const back = button("Both one back", move(-1));
  const on = button("Both one forward", move(1));
  const { rows, update } = form(
    [
      tied(model, "query", slider, { label: "query at i", ...shared.position }),
      tied(model, "key", slider, { label: "key at j", ...shared.position }),
      tied(model, "omega", slider, { label: "frequency ω", ...shared.omega }),
    ],
    [back, on, resetButton(model, TRAITS)],
  );
  return {
    rows,
    /** @param {State} state */
    update({ query, key }) {
      update();
      back.disabled = Math.min(query, key) === 0;
      on.disabled = Math.max(query, key) === LAST;
    },
  };
}

/** What the chart shows. @param {Results} results */
function content({ score, curve }) {
  const points = OFFSETS.map((offset, i) => /** @type {Point} */ ([offset, curve[0][i]]));
  const here = /** @type {Point[]} */ ([-HIGHEST, score[0][2]].map((y) => [score[0][0], y]));
  return {
    x: { label: "offset j − i", min: -LAST, max: LAST },
    y: { label: "score", min: -HIGHEST, max: HIGHEST },
    lines: [
      { name: "score at every offset", points },
      { name: "here", points: here, marks: true },
    ],
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, news, arrows] = [controls(model), status(), plane(QUERY, KEY)];
  const plot = chart({ width: 380, height: 220, lines: 2 });
  const views = tables(shared.captions, {
    arrows: { rows: 2, columns: shared.arrows.length },
    score: { rows: 1, columns: shared.score.length },
  });
  el.classList.add("tl-figure", "tl-rotary-arrows");
  el.append(
    h("p", { class: "tl-aside" }, shared.question),
    inView(...panel.rows),
    h("div", { class: "ra-views" }, arrows.element, plot.element),
    news.element,
    h("details", {}, h("summary", {}, shared.fold), panels(views.arrows, views.score)),
  );

  return connect(model, TRAITS, () => {
    const [state, results] = [stateOf(model, TRAITS), compute(model)];
    panel.update(state);
    arrows.update(results.arrows.map(([, x, y]) => /** @type {Point} */ ([x, y])));
    plot.update(content(results));
    views.arrows.update(
      results.arrows,
      [`query at ${state.query}`, `key at ${state.key}`],
      shared.arrows,
    );
    views.score.update(results.score, ["query · key"], shared.score);
    news.say(scoreText(state, results));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
