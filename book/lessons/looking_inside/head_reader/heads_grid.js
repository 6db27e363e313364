// @ts-check
// The grid of all heads: a small drawing of each one's row, and its largest entry as a number.

import { place, svg } from "../../kit/figures/drawing.js";
import { counted, fill, format, h, setText } from "../../kit/figures/kit.js";
import { largestOf, showNumber } from "../../kit/figures/table.js";
import shared from "./head_reader.json" with { type: "json" };
import { HEADS, LAYERS } from "./reader_math.js";

const HEIGHT = 16;
const STEP = 4; // from one bar to the next

/** @param {number} x */
export const write = (x) => format(x, 2);

/** One line for all bars of a row: up from the floor for each token. @param {number[]} row */
export function barsOf(row) {
  return row
    .map((w, j) => `M${STEP * j + 2} ${HEIGHT}v${-Math.max(w * HEIGHT, 0.6).toFixed(2)}`)
    .join("");
}

/** One head: its bars over its number. */
function headCell() {
  const bars = svg("path", { d: "" });
  const drawing = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "none" }, bars);
  const text = h("span");
  return { cell: h("td", {}, drawing, text), bars, drawing, text };
}

/** The grid; a click on a head chooses it. @param {(layer: number, head: number) => void} choose */
export function headsGrid(choose) {
  const cells = Array.from({ length: HEADS }, () => Array.from({ length: LAYERS }, headCell));
  const names = counted(cells).map((name) => h("th", { scope: "row" }, name));
  const lines = cells.map((row, head) => h("tr", {}, names[head], ...row.map(({ cell }) => cell)));
  const columns = counted(cells[0]).map((name) => h("th", { scope: "col" }, name));
  const caption = h("caption");
  const head = h("thead", {}, h("tr", {}, h("td"), ...columns));
  const table = h("table", { class: "tl-matrix hr-grid" }, caption, head, h("tbody", {}, ...lines));
  cells.forEach((row, i) =>
    row.forEach(({ cell }, j) => cell.addEventListener("click", () => choose(j, i))),
  );
  /** @type {number[][][]} */
  let drawn = [];
  return {
    element: h("div", { class: "tl-matrix-box tl-answer", "data-result": "grid" }, table),
    /**
     * @param {number[][][]} rows by layers and heads @param {number[][]} largest
     * @param {{layer: number, head: number, words: Record<string, string>}} chosen
     */
    update(rows, largest, { layer, head, words }) {
      cells.forEach((line, i) =>
        line.forEach(({ cell }, j) => {
          cell.classList.toggle("hr-chosen", i === head && j === layer);
        }),
      );
      if (drawn === rows) return; // another head was chosen among the same
      drawn = rows;
      setText(caption, fill(shared.captions.grid, words));
      const top = largestOf(largest.flat());
      cells.forEach((line, i) =>
        line.forEach(({ bars, drawing, text }, j) => {
          const row = rows[j][i];
          place(drawing, { viewBox: `0 0 ${STEP * row.length} ${HEIGHT}` });
          place(bars, { d: barsOf(row) });
          showNumber(/** @type {any} */ (text), largest[i][j], top, write);
        }),
      );
    },
  };
}
