// @ts-check
// The drawing of the feed-forward lab: one token's numbers, the hidden units as lamps, the output.

import { place, svg } from "./drawing.js";
import { format, setText } from "./kit.js";

/** @typedef {import("./math.js").Vector} Vector @typedef {import("./math.js").Matrix} Matrix */

const WIDTH = 320;
const STEP = 50; // between two nodes of a column
const [LEFT, MIDDLE, RIGHT] = [34, 160, 286];
const RADIUS = 19;

/**
 * A column of circles with a number in each.
 * @param {number} x @param {number} count @param {number} height @param {string} kind
 */
function column(x, count, height, kind) {
  const nodes = Array.from({ length: count }, (_, i) => {
    const y = height / 2 + (i - (count - 1) / 2) * STEP + 24;
    const circle = svg("circle", { cx: x, cy: y, r: RADIUS });
    const text = svg("text", { x, y: y + 4.5 });
    return { x, y, circle, text, element: svg("g", { class: `ff-node ${kind}` }, circle, text) };
  });
  return nodes;
}

/**
 * Show a number in a node: brighter if larger, hollow and dashed if nothing comes through.
 * @param {ReturnType<typeof column>[number]} node @param {number} value @param {boolean} off
 */
function light(node, value, off) {
  node.element.classList.toggle("ff-off", off);
  node.circle.setAttribute("style", `--heat: ${Math.min(1, Math.abs(value) / 4).toFixed(3)}`);
  setText(node.text, off ? "off" : format(value, 2));
}

/** Draw what flows along a line: wide if much, dashed if negative, dotted if nothing. @param {Element} line @param {number} flow */
function flowAlong(line, flow) {
  const size = Math.abs(flow);
  line.setAttribute("class", size < 5e-5 ? "ff-none" : flow < 0 ? "ff-minus" : "ff-plus");
  place(line, { "stroke-width": size < 5e-5 ? 1 : Math.min(8, 1 + 1.6 * size).toFixed(2) });
}

/** The drawing for one token. @param {number} width @param {number} units */
export function network(width, units) {
  const height = Math.max(width, units) * STEP;
  const columns = [column(LEFT, width, height, "ff-token"), column(MIDDLE, units, height, "ff-lamp"),
    column(RIGHT, width, height, "ff-output")];
  const between = (/** @type {number} */ i) => columns[i].map((from) => columns[i + 1].map((to) =>
    svg("line", { x1: from.x + RADIUS, y1: from.y, x2: to.x - RADIUS, y2: to.y })));
  const [reading, writing] = [between(0), between(1)];
  const heads = [[LEFT, "token"], [MIDDLE, "hidden units"], [RIGHT, "output"]].map(([x, text]) =>
    svg("text", { x, y: 13, class: "ff-head" }, String(text)));
  const element = svg("svg", { viewBox: `0 0 ${WIDTH} ${height + 28}`, class: "ff-drawing", "aria-hidden": "true" },
    ...heads, ...[...reading, ...writing].flat(), ...columns.flat().map((node) => node.element));
  return {
    element,
    /**
     * @param {{x: Vector, hidden: Vector, output: Vector}} numbers
     * @param {{up: Matrix, down: Matrix}} weights
     */
    update({ x, hidden, output }, { up, down }) {
      columns[0].forEach((node, d) => light(node, x[d], false));
      columns[1].forEach((node, m) => light(node, hidden[m], hidden[m] === 0));
      columns[2].forEach((node, d) => light(node, output[d], false));
      reading.forEach((lines, d) => lines.forEach((line, m) => flowAlong(line, x[d] * up[d][m])));
      writing.forEach((lines, m) => lines.forEach((line, d) => flowAlong(line, hidden[m] * down[m][d])));
    },
  };
}
