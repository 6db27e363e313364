// @ts-check
// The position map: what do n steps do to the vector of a position? They turn the hands of its clocks.

import { form, resetButton, showing, slider, tied } from "../../kit/figures/controls.js";
import {
  assign,
  connect,
  folded,
  format,
  h,
  inView,
  panels,
  setText,
  stateOf,
  status,
} from "../../kit/figures/kit.js";
import { dot, frequencies, sinusoid } from "../../kit/figures/math.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { clock, map } from "./position_drawing.js";
import shared from "./position_map.json" with { type: "json" };

/** @typedef {{d_model: number, position: number, offset: number}} State */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = ["d_model", "position", "offset"];

/** The pairs whose clocks are shown: all of them, or eight spread evenly. @param {number} width */
export function shownPairs(width) {
  const last = width / 2 - 1;
  if (last < shared.clocks) return Array.from({ length: last + 1 }, (_, i) => i);
  return Array.from({ length: shared.clocks }, (_, clock) =>
    Math.floor((clock * last) / (shared.clocks - 1)),
  );
}

/** The rows of each width that was asked for. @type {Map<number, number[][]>} */
const maps = new Map();

/** The vectors of all positions, which neither of the two lines changes. @param {number} width */
function rowsFor(width) {
  const speed = frequencies(width);
  const make = () => Array.from({ length: shared.rows }, (_, row) => sinusoid(row, speed));
  const rows = maps.get(width) ?? make();
  maps.set(width, rows);
  return rows;
}

/** Every number of the figure; the same names as PositionMap.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const { d_model: width, position, offset } = stateOf(model, TRAITS);
  const speed = frequencies(width);
  const [here, there] = [sinusoid(position, speed), sinusoid(position + offset, speed)];
  const pairs = shownPairs(width);
  const hands = pairs.map((i) => [here[2 * i], here[2 * i + 1], there[2 * i], there[2 * i + 1]]);
  const turns = pairs.map((i) => [speed[i], offset * speed[i], Math.cos(offset * speed[i])]);
  const product = dot(here, there);
  const gap = here.map((x, i) => x - there[i]);
  const cosine = product / Math.sqrt(dot(here, here) * dot(there, there));
  const whole = [[product, dot(here, here), cosine, Math.sqrt(dot(gap, gap))]];
  return {
    map: rowsFor(width),
    hands,
    turns,
    whole,
  };
}

/** What the rotation is, in words. @param {State} state @param {Results} results */
export function turnText({ d_model: width, position, offset }, { turns, whole }) {
  if (offset === 0)
    return `No step: no hand turns, and the dot product is the largest possible, ${format(whole[0][1])}.`;
  const [first, last] = [turns[0][1], turns[turns.length - 1][1]];
  return (
    `From position ${position} to ${position + offset}, pair 0 turns by ${format(first)} radians and pair ` +
    `${width / 2 - 1} by ${format(last)}. The dot product is ${format(whole[0][0])}; its maximum is ${format(whole[0][1])}.`
  );
}

/** The sliders. @param {Model} model */
function controls(model) {
  const width = slider({
    label: "d_model",
    ...shared.power,
    text: (x) => String(2 ** x),
    oninput: (x) => assign(model, "d_model", 2 ** x),
  });
  return form([
    showing(width, () => Math.log2(model.get("d_model"))),
    tied(model, "position", slider, { label: "position p", ...shared.position }),
    tied(model, "offset", slider, { label: "steps n", ...shared.offset }),
    resetButton(model, TRAITS),
  ]);
}

/** The tables. */
function tablesFor() {
  return tables(shared.captions, {
    hands: { rows: shared.clocks, columns: shared.hands.length },
    turns: { rows: shared.clocks, columns: shared.turns.length },
    whole: { rows: 1, columns: shared.whole.length },
  });
}

/** One clock a shown pair. */
function clockRow() {
  const clocks = Array.from({ length: shared.clocks }, clock);
  const faces = clocks.map((one) => one.element);
  const element = h("div", { class: "tl-clocks", "aria-hidden": "true" }, ...faces);
  return {
    element,
    /** @param {number[]} pairs @param {number[][]} turns @param {State} state */
    update(pairs, turns, { position, offset }) {
      element.style.setProperty("--clocks", String(pairs.length)); // each below its two columns
      faces.forEach((face, i) => {
        face.hidden = i >= pairs.length;
      });
      pairs.forEach((pair, i) => clocks[i].update(pair, turns[i][0], position, offset));
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, news, picture, clocks, views] = [
    controls(model),
    status(),
    map(),
    clockRow(),
    tablesFor(),
  ];
  const span = h("span");
  const key = h("span", { class: "tl-map-key", "aria-hidden": "true" });
  const legend = h("p", { class: "tl-map-legend" }, span, " −1", key, "1");
  const [row] = panel.rows;
  el.classList.add("tl-figure", "tl-position-map");
  el.append(h("p", { class: "tl-aside" }, shared.question), inView(row));
  el.append(picture.element, legend, clocks.element, news.element);
  /** @type {ReturnType<typeof compute>} */
  let results;
  const draw = () => {
    const width = model.get("d_model");
    const names = shownPairs(width).map((pair) => `pair ${pair}`);
    views.hands.name({ shown: names.length, pairs: width / 2 });
    views.hands.update(results.hands, names, shared.hands);
    views.turns.update(results.turns, names, shared.turns);
    views.whole.update(results.whole, ["all pairs"], shared.whole);
  };
  const fold = folded(shared.fold, draw, panels(views.hands, views.turns, views.whole));
  el.append(fold.element);

  return connect(model, TRAITS, () => {
    const state = stateOf(model, TRAITS);
    results = compute(model);
    panel.update();
    picture.update(results.map, state.position, state.offset);
    clocks.update(shownPairs(state.d_model), results.turns, state);
    setText(
      span,
      `Rows: positions 0 to ${shared.rows - 1}. Columns: entries 0 to ${state.d_model - 1}.`,
    );
    fold.update();
    news.say(turnText(state, results));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
