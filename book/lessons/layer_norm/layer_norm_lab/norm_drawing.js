// @ts-check
// The drawing of the layer-norm lab: number lines with one lane a feature, before and after.

import { along, place, svg } from "../../kit/figures/drawing.js";
import { format, h, setText } from "../../kit/figures/kit.js";
import { moments } from "../../kit/figures/math.js";

/**
 * A number line through all lanes: ticks, the mean, the band μ ± σ, a dot in each lane.
 * Everything is placed in percent, so that text keeps its size on a phone.
 * @param {number} lanes @param {number} ticks
 */
export function numberLine(lanes, ticks) {
  const band = svg("rect", { class: "ln-band", y: 0, height: "100%" });
  const mean = svg("line", { class: "ln-mean", y1: 0, y2: "100%" });
  const dots = Array.from({ length: lanes }, (_, i) =>
    svg("circle", { class: "ln-dot", r: 8, cy: `${((i + 0.5) / lanes) * 100}%` }),
  );
  const marks = Array.from({ length: ticks }, () =>
    svg("line", { class: "ln-tick", y1: 0, y2: "100%" }),
  );
  const names = marks.map(() => svg("text", { y: "100%", dy: 15 }));
  const parts = [band, ...marks, mean, ...dots, ...names];
  return {
    element: svg("svg", { class: "ln-line", "aria-hidden": "true" }, ...parts),
    /** @param {number} low @param {number} high @param {number[]} at @param {number[]} values */
    update(low, high, at, values) {
      /** @param {number} x */
      const percent = (x) => `${along(x, { min: low, max: high }) * 100}%`;
      at.forEach((x, i) => {
        place(marks[i], { x1: percent(x), x2: percent(x) });
        place(names[i], { x: percent(x) });
        setText(names[i], format(x));
      });
      const known = values.every(Number.isFinite);
      for (const shape of [band, mean, ...dots]) shape.classList.toggle("ln-unknown", !known);
      if (!known) return;
      const { mean: middle, variance } = moments(values);
      const [from, to] = [-1, 1].map((way) => percent(middle + way * Math.sqrt(variance)));
      place(band, { x: from, width: `${parseFloat(to) - parseFloat(from)}%` });
      place(mean, { x1: percent(middle), x2: percent(middle) });
      dots.forEach((dot, i) => place(dot, { cx: percent(values[i]) }));
    },
  };
}

/**
 * One side of the drawing: the number line, and on top a row of controls or numbers a feature.
 * @param {string} title @param {string[]} heads @param {Element} line @param {number} column
 * @param {HTMLElement[][]} rows
 */
export function side(title, heads, line, column, rows) {
  const grid = h(
    "div",
    { class: "ln-side", style: `--lanes: ${rows.length}` },
    h("p", { class: "ln-title" }, title),
    line,
  );
  /** @type {SVGElement} */ (line).style.gridArea = `3 / ${column} / span ${rows.length}`;
  const cells = [heads.map((text) => h("span", { class: "ln-head" }, text)), ...rows];
  cells.forEach((row, i) =>
    row.forEach((item, j) => {
      item.style.gridArea = `${i + 2} / ${j + 1}`;
      grid.append(item);
    }),
  );
  return grid;
}
