// @ts-check
// A chart of lines over two axes, with its legend. It redraws when the figure updates it.

import { along, niceTicks, place, svg } from "./drawing.js";
import { format, h, setText } from "./kit.js";

/** @typedef {[number, number]} Point */
/** @typedef {{name: string, points: Point[], marks?: boolean}} Line */
/** @typedef {{label: string, min: number, max: number, log?: boolean, ticks?: number[],
 *   text?: (x: number) => string}} Axis */

const LEFT = 58;
const BOTTOM = 40;
const TOP = 12;

/**
 * A chart of lines. Each line has its own colour, its own dashes and its name in the legend.
 * @param {{width?: number, height?: number, lines: number}} size the most lines it will show
 */
export function chart({ width = 460, height = 260, lines }) {
  const right = width - 12;
  const floor = height - BOTTOM;
  const grid = svg("g", { class: "tl-grid" });
  const drawn = Array.from({ length: lines }, (_, i) => ({
    path: svg("path", { class: `tl-line tl-line-${i}` }), marks: svg("g", { class: `tl-marks tl-line-${i}` }),
    key: h("span", { class: `tl-key tl-line-${i}` }),
  }));
  const names = { x: svg("text", { x: (LEFT + right) / 2, y: height - 4, class: "tl-axis" }),
    y: svg("text", { class: "tl-axis", transform: `translate(12 ${(TOP + floor) / 2}) rotate(-90)` }) };
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "tl-chart", "aria-hidden": "true" }, grid,
    svg("path", { class: "tl-frame", d: `M${LEFT} ${TOP}V${floor}H${right}` }), names.x, names.y,
    ...drawn.flatMap((line) => [line.path, line.marks]));
  const legend = h("div", { class: "tl-legend", "aria-hidden": "true" }, ...drawn.map((line) => line.key));
  return {
    element: h("div", { class: "tl-chart-box" }, drawing, legend),
    /** @param {{x: Axis, y: Axis, lines: Line[]}} content */
    update(content) {
      const { x, y } = content;
      const px = (/** @type {number} */ value) => LEFT + along(value, x) * (right - LEFT);
      const py = (/** @type {number} */ value) => floor - along(value, y) * (floor - TOP);
      setText(names.x, x.label);
      setText(names.y, y.label);
      grid.replaceChildren(
        ...ticksOf(x).map((t) => svg("text", { x: px(t), y: floor + 16, class: "tl-tick-x" }, tickText(t, x))),
        ...ticksOf(y).flatMap((t) => [svg("line", { x1: LEFT, x2: right, y1: py(t), y2: py(t) }),
          svg("text", { x: LEFT - 6, y: py(t) + 4, class: "tl-tick-y" }, tickText(t, y))]));
      drawn.forEach(({ path, marks, key }, i) => {
        const line = content.lines[i];
        key.hidden = !line;
        setText(key, line?.name ?? "");
        const points = (line?.points ?? []).filter((point) => point.every(Number.isFinite));
        place(path, { d: points.map((p, k) => `${k ? "L" : "M"}${px(p[0]).toFixed(1)} ${py(p[1]).toFixed(1)}`).join("") });
        marks.replaceChildren(...(line?.marks ? points : []).map((p) =>
          svg("circle", { cx: px(p[0]).toFixed(1), cy: py(p[1]).toFixed(1), r: 4 })));
      });
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
  const digits = [..."⁰¹²³⁴⁵⁶⁷⁸⁹"];
  const power = Math.round(Math.log10(tick));
  return `10${power < 0 ? "⁻" : ""}${[...String(Math.abs(power))].map((d) => digits[Number(d)]).join("")}`;
}
