// @ts-check
// The position map: every pair of dimensions is the hand of a clock, and a step turns all hands.

import { dot, frequencies } from "./math.js";
import { place, svg } from "./drawing.js";
import { assign, connect, controlRow, format, h, matrix, nameResults, resetButton, setText, slider, status } from "./kit.js";

/** @typedef {{d_model: number, position: number, offset: number}} State */
/** @typedef {import("./kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = ["d_model", "position", "offset"];
const LENGTH = 64;
const CLOCKS = 8;
const HANDS = ["sin p", "cos p", "sin p+k", "cos p+k"];
const TURNS = ["speed ω", "turn k·ω", "cos k·ω"];
const WHOLE = ["dot product", "its largest value", "cosine", "distance"];

/** One row of the table, as transformer_lite.positions.sinusoidal_positions. @param {number} position @param {number[]} speed */
export function encoding(position, speed) {
  return speed.flatMap((w) => [Math.sin(position * w), Math.cos(position * w)]);
}

/** The pairs whose clocks are shown: all of them, or eight spread evenly. @param {number} width */
export function shownPairs(width) {
  const last = width / 2 - 1;
  if (last < CLOCKS) return Array.from({ length: last + 1 }, (_, i) => i);
  return Array.from({ length: CLOCKS }, (_, clock) => Math.floor((clock * last) / (CLOCKS - 1)));
}

/** Every number of the figure; the same names as PositionMap.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const [width, position, offset] = [model.get("d_model"), model.get("position"), model.get("offset")];
  const speed = frequencies(width);
  const [here, there] = [encoding(position, speed), encoding(position + offset, speed)];
  const pairs = shownPairs(width);
  const hands = pairs.map((i) => [here[2 * i], here[2 * i + 1], there[2 * i], there[2 * i + 1]]);
  const turns = pairs.map((i) => [speed[i], offset * speed[i], Math.cos(offset * speed[i])]);
  const product = dot(here, there);
  const gap = here.map((x, i) => x - there[i]);
  const whole = [[product, dot(here, here), product / Math.sqrt(dot(here, here) * dot(there, there)), Math.sqrt(dot(gap, gap))]];
  return { map: Array.from({ length: LENGTH }, (_, pos) => encoding(pos, speed)), hands, turns, whole };
}

/** What the rotation is, in words. @param {State} state @param {Results} results */
export function turnText({ d_model: width, position, offset }, { turns, whole }) {
  if (offset === 0) return `Offset 0: no hand turns, and the dot product has its largest value, ${format(whole[0][1])}.`;
  const [first, last] = [turns[0][1], turns[turns.length - 1][1]];
  return `From position ${position} to ${position + offset}, pair 0 turns by ${format(first)} radians and pair ` +
    `${width / 2 - 1} by ${format(last)}. The dot product is ${format(whole[0][0])} of at most ${format(whole[0][1])}. ` +
    "Both depend on the offset alone.";
}

/** The way of a hand from one angle to another, winding outwards. @param {number} from @param {number} turn */
export function spiral(from, turn) {
  const count = Math.max(1, Math.ceil(Math.abs(turn) / 0.1));
  const point = (/** @type {number} */ i) => {
    const [angle, radius] = [from + (turn * i) / count, 13 + (1.1 * Math.abs(turn) * i) / count];
    return `${(radius * Math.sin(angle)).toFixed(2)} ${(-radius * Math.cos(angle)).toFixed(2)}`;
  };
  return `M${Array.from({ length: count + 1 }, (_, i) => point(i)).join("L")}`;
}

/** A clock: its face, two hands and the turn between them. */
function clock() {
  const arc = svg("path", { class: "tl-turn" });
  const there = svg("g", { class: "tl-there" }, svg("line", { y2: -33 }), svg("rect", { x: -4, y: -40, width: 8, height: 8 }));
  const here = svg("g", { class: "tl-here" }, svg("line", { y2: -36 }), svg("circle", { cy: -40, r: 4.5 }));
  const ticks = [0, 90, 180, 270].map((turn) => svg("path", { d: "M0 -46V-49", transform: `rotate(${turn})` }));
  const name = h("span");
  const element = h("div", { class: "tl-clock" },
    svg("svg", { viewBox: "-50 -50 100 100" }, svg("circle", { r: 46, class: "tl-face" }),
      svg("g", { class: "tl-face" }, ...ticks), arc, there, here), name);
  return {
    element,
    /** @param {number} pair @param {number} speed @param {number} position @param {number} offset */
    update(pair, speed, position, offset) {
      const degrees = 180 / Math.PI;
      place(here, { transform: `rotate(${(position * speed * degrees).toFixed(2)})` });
      place(there, { transform: `rotate(${((position + offset) * speed * degrees).toFixed(2)})` });
      place(arc, { d: spiral(position * speed, offset * speed) });
      setText(name, `i = ${pair}`);
    },
  };
}

/** The picture of all rows, with a line through both positions. */
function map() {
  const canvas = h("canvas", { height: LENGTH });
  const labels = { here: h("span"), there: h("span") };
  const lines = { here: h("div", { class: "tl-map-row tl-here" }, labels.here),
    there: h("div", { class: "tl-map-row tl-there" }, labels.there) };
  let drawn = 0;
  return {
    element: h("div", { class: "tl-map", "aria-hidden": "true" }, h("div", { class: "tl-map-plot" }, canvas, lines.there, lines.here)),
    /** @param {number[][]} table @param {number} position @param {number} offset */
    update(table, position, offset) {
      if (drawn !== table[0].length) drawn = paint(canvas, table);
      for (const [name, row] of /** @type {const} */ ([["here", position], ["there", position + offset]])) {
        lines[name].style.top = `${(100 * (row + 0.5)) / LENGTH}%`;
        setText(labels[name], `${name === "here" ? "p" : "p+k"} = ${row}`);
      }
    },
  };
}

/** One pixel a number: blue above 0, orange below, clear at 0. @param {HTMLCanvasElement} canvas @param {number[][]} table */
function paint(canvas, table) {
  canvas.width = table[0].length;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(canvas.width, LENGTH);
  table.flat().forEach((x, i) => image.data.set([...(x < 0 ? [224, 110, 20] : [0, 114, 178]), Math.round(255 * Math.abs(x))], 4 * i));
  context.putImageData(image, 0, 0);
  canvas.classList.toggle("tl-coarse", canvas.width <= 64);
  return canvas.width;
}

/** The sliders. @param {Model} model */
function controls(model) {
  const width = slider({ label: "d_model", min: 2, max: 9, step: 1, text: (x) => String(2 ** x),
    oninput: (x) => assign(model, "d_model", 2 ** x) });
  const position = slider({ label: "position p", min: 0, max: 47, step: 1, oninput: (x) => assign(model, "position", x) });
  const offset = slider({ label: "offset k", min: 0, max: 16, step: 1, oninput: (x) => assign(model, "offset", x) });
  return {
    element: controlRow(width.element, position.element, offset.element, resetButton(model, TRAITS)),
    /** @param {State} state */
    update(state) {
      width.update(Math.log2(state.d_model));
      position.update(state.position);
      offset.update(state.offset);
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, news, picture] = [controls(model), status(), map()];
  const clocks = Array.from({ length: CLOCKS }, clock);
  const hands = matrix({ caption: "", rows: CLOCKS, columns: HANDS.length });
  const turns = matrix({ caption: "Speed, and turn of the hand", rows: CLOCKS, columns: TURNS.length });
  const whole = matrix({ caption: "PE(p) and PE(p + k)", rows: 1, columns: WHOLE.length });
  const legend = h("p", { class: "tl-map-legend" });
  nameResults({ hands, turns, whole });

  el.classList.add("tl-figure", "tl-position-map");
  el.append(panel.element, news.element, picture.element, legend,
    h("div", { class: "tl-clocks", "aria-hidden": "true" }, ...clocks.map((c) => c.element)),
    h("div", { class: "tl-panels" }, hands.element, turns.element, whole.element));

  return connect(model, TRAITS, () => {
    const state = { d_model: model.get("d_model"), position: model.get("position"), offset: model.get("offset") };
    const [results, pairs] = [compute(model), shownPairs(state.d_model)];
    panel.update(state);
    picture.update(results.map, state.position, state.offset);
    setText(legend, `Rows: positions 0 to ${LENGTH - 1}. Columns: dimensions 0 to ${state.d_model - 1}. ` +
      "Blue is above 0, orange below.");
    clocks.forEach((c, i) => { c.element.hidden = i >= pairs.length; });
    pairs.forEach((pair, i) => clocks[i].update(pair, results.turns[i][0], state.position, state.offset));
    setText(hands.caption, `${pairs.length} of ${state.d_model / 2} pairs`);
    for (const [view, values, heads] of /** @type {const} */ ([[hands, results.hands, HANDS], [turns, results.turns, TURNS]])) {
      view.update(values, pairs.map((pair) => `i = ${pair}`), [...heads]);
      view.cells.forEach((cells, i) => cells[0].parentElement?.toggleAttribute("hidden", i >= pairs.length));
    }
    whole.update(results.whole, ["all pairs"], WHOLE);
    news.say(turnText(state, results));
  });
}

export default { render };
