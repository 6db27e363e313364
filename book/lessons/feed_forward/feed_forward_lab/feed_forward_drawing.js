// @ts-check
// The drawing of the feed-forward lab: one token's numbers, the hidden units as lamps, the output.

import { place, svg } from "../../kit/figures/drawing.js";
import { format, setText } from "../../kit/figures/kit.js";

/** @typedef {import("../../kit/figures/math.js").Vector} Vector @typedef {import("../../kit/figures/math.js").Matrix} Matrix */

const WIDTH = 320;
const STEP = 42; // between two nodes of a column
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
  node.circle.style.setProperty("--heat", Math.min(1, Math.abs(value) / 4).toFixed(3));
  setText(node.text, off ? "off" : format(value, 2));
}

/** Draw what flows along a line: wide if much, dashed if negative, dotted if nothing. @param {Element} line @param {number} flow */
function flowAlong(line, flow) {
  const size = Math.abs(flow);
  line.setAttribute("class", size < 5e-5 ? "ff-none" : flow < 0 ? "ff-minus" : "ff-plus");
  place(line, { "stroke-width": size < 5e-5 ? 1 : Math.min(8, 1 + 1.6 * size).toFixed(2) });
}

/** The lines between two columns, by their ends. @param {ReturnType<typeof column>} left @param {ReturnType<typeof column>} right */
function between(left, right) {
  return left.map((from) =>
    right.map((to) =>
      svg("line", { x1: from.x + RADIUS, y1: from.y, x2: to.x - RADIUS, y2: to.y }),
    ),
  );
}

/** The name above a column. @param {number} x @param {string} text */
function head(x, text) {
  return svg("text", { x, y: 13, class: "ff-head" }, text);
}

/** The drawing for one token. @param {number} width @param {number} units */
export function network(width, units) {
  const height = Math.max(width, units) * STEP;
  const token = column(LEFT, width, height, "ff-token");
  const lamps = column(MIDDLE, units, height, "ff-lamp");
  const result = column(RIGHT, width, height, "ff-output");
  const [reading, writing] = [between(token, lamps), between(lamps, result)];
  const heads = [head(LEFT, "token"), head(MIDDLE, "hidden units"), head(RIGHT, "output")];
  const nodes = [...token, ...lamps, ...result].map((node) => node.element);
  const size = { viewBox: `0 0 ${WIDTH} ${height + 28}`, class: "tl-drawing ff-drawing" };
  const lines = [...reading, ...writing].flat();
  return {
    element: svg("svg", { ...size, "aria-hidden": "true" }, ...heads, ...lines, ...nodes),
    /**
     * @param {{x: Vector, hidden: Vector, output: Vector}} numbers
     * @param {{up: Matrix, down: Matrix}} weights
     */
    update({ x, hidden, output }, { up, down }) {
      token.forEach((node, d) => light(node, x[d], false));
      lamps.forEach((node, m) => light(node, hidden[m], hidden[m] === 0));
      result.forEach((node, d) => light(node, output[d], false));
      reading.forEach((row, d) => row.forEach((line, m) => flowAlong(line, x[d] * up[d][m])));
      writing.forEach((row, m) =>
        row.forEach((line, d) => flowAlong(line, hidden[m] * down[m][d])),
      );
    },
  };
}
