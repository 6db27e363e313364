// @ts-check
// A chart of lines over two axes, with its legend. It redraws when the figure updates it.

import { along, niceTicks, place, svg } from "./drawing.js";
import { format, h, raised, setText } from "./kit.js";

/** @typedef {[number, number]} Point */
/** @typedef {{name: string, points: Point[], marks?: boolean}} Line */
/** @typedef {{label: string, min: number, max: number, log?: boolean, ticks?: number[],
 *   text?: (x: number) => string}} Axis */

const LEFT = 58;
const BOTTOM = 40;
const TOP = 12;

/** One line of a chart: its path, the marks on it, and its name in the legend. @param {number} i */
function lineParts(i) {
  return {
    path: svg("path", { class: `tl-line tl-line-${i}` }),
    marks: svg("g", { class: `tl-marks tl-line-${i}` }),
    key: h("span", { class: `tl-key tl-line-${i}` }),
  };
}

/**
 * Draw a line again; without one its parts are empty.
 * @param {ReturnType<typeof lineParts>} parts @param {Line | undefined} line @param {(p: Point) => string[]} at
 */
function drawLine({ path, marks, key }, line, at) {
  key.hidden = !line;
  setText(key, line?.name ?? "");
  const points = (line?.points ?? []).filter((point) => point.every(Number.isFinite)).map(at);
  place(path, { d: points.map(([x, y], k) => `${k ? "L" : "M"}${x} ${y}`).join("") });
  const marked = line?.marks ? points : [];
  if (marks.children.length !== marked.length)
    marks.replaceChildren(...marked.map(() => svg("circle", { r: 4 })));
  marked.forEach(([cx, cy], k) => place(marks.children[k], { cx, cy }));
}

/** The positions of an axis's ticks, and their texts. @param {Axis} axis @param {(value: number) => number} place */
function ticksAt(axis, place) {
  return ticksOf(axis).map((t) => ({ at: place(t), text: tickText(t, axis) }));
}

/**
 * Ticks along both axes, with a line across for each of y.
 * @param {ReturnType<typeof ticksAt>} below @param {ReturnType<typeof ticksAt>} beside
 * @param {{right: number, floor: number}} ends
 */
function gridParts(below, beside, { right, floor }) {
  const across = beside.flatMap(({ at, text }) => [
    svg("line", { x1: LEFT, x2: right, y1: at, y2: at }),
    svg("text", { x: LEFT - 6, y: at + 4, class: "tl-tick-y" }, text),
  ]);
  return [
    ...below.map(({ at, text }) => svg("text", { x: at, y: floor + 16, class: "tl-tick-x" }, text)),
    ...across,
  ];
}

/**
 * A chart of lines. Each line has its own colour, its own dashes and its name in the legend.
 * @param {{width?: number, height?: number, lines: number}} size the most lines it will show
 */
export function chart({ width = 460, height = 260, lines }) {
  const ends = { right: width - 12, floor: height - BOTTOM };
  const { right, floor } = ends;
  const middle = `translate(12 ${(TOP + floor) / 2}) rotate(-90)`;
  const grid = svg("g", { class: "tl-grid" });
  const border = svg("path", { class: "tl-frame", d: `M${LEFT} ${TOP}V${floor}H${right}` });
  const xName = svg("text", { x: (LEFT + right) / 2, y: height - 4, class: "tl-axis" });
  const yName = svg("text", { class: "tl-axis", transform: middle });
  const drawn = Array.from({ length: lines }, (_, i) => lineParts(i));
  const size = { viewBox: `0 0 ${width} ${height}`, class: "tl-chart", "aria-hidden": "true" };
  const shapes = drawn.flatMap((line) => [line.path, line.marks]);
  const drawing = svg("svg", size, grid, border, xName, yName, ...shapes);
  const keys = drawn.map((line) => line.key);
  const legend = h("div", { class: "tl-legend", "aria-hidden": "true" }, ...keys);
  let shown = ""; // of the grid, which most changes leave as it is
  return {
    element: h("div", { class: "tl-chart-box" }, drawing, legend),
    /** @param {{x: Axis, y: Axis, lines: Line[]}} content */
    update({ x, y, lines: content }) {
      const px = (/** @type {number} */ value) => LEFT + along(value, x) * (right - LEFT);
      const py = (/** @type {number} */ value) => floor - along(value, y) * (floor - TOP);
      const at = (/** @type {Point} */ p) => [px(p[0]).toFixed(1), py(p[1]).toFixed(1)];
      setText(xName, x.label);
      setText(yName, y.label);
      const ticks = /** @type {const} */ ([ticksAt(x, px), ticksAt(y, py)]);
      const now = JSON.stringify(ticks);
      if (now !== shown) grid.replaceChildren(...gridParts(...ticks, ends));
      shown = now;
      drawn.forEach((parts, i) => drawLine(parts, content[i], at));
    },
  };
}

/** @param {Axis} axis */
function ticksOf({ min, max, log = false, ticks }) {
  return ticks ?? niceTicks(min, max, 5, log);
}

/** @param {number} tick @param {Axis} axis */
function tickText(tick, { log = false, text }) {
  if (text) return text(tick);
  if (!log || (tick >= 0.01 && tick <= 1000)) return format(tick);
  const power = Math.round(Math.log10(tick));
  return `10${power < 0 ? "⁻" : ""}${raised(Math.abs(power))}`;
}
