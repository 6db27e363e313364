// @ts-check
// Tables of numbers: shading shows size, the text shows the number.

import { fill, format, h, setText } from "./kit.js";

/** @typedef {ReturnType<typeof matrix>} Table */
/**
 * `most` has the full shade; without it, the largest number has.
 * @typedef {{rows: number, columns: number, kind?: string, write?: (x: number) => string, most?: number}} Shape
 */

/** What each cell shows. A cell that does not change costs nothing. @type {WeakMap<Element, string>} */
const shown = new WeakMap();

/**
 * Show one number in a table cell: its text, its full precision, its shade among `largest`.
 * @param {HTMLTableCellElement} cell @param {number} value @param {number} largest
 * @param {(x: number) => string} [write]
 */
export function showNumber(cell, value, largest, write = format) {
  const share = Number.isFinite(value) ? Math.abs(value) / largest : 0;
  const heat = Math.min(1, share).toFixed(3);
  if (shown.get(cell) === `${value} ${heat}`) return;
  shown.set(cell, `${value} ${heat}`);
  setText(cell, write(value));
  cell.dataset.value = String(value);
  cell.style.setProperty("--heat", heat);
  cell.classList.toggle("tl-off", value === -Infinity);
  cell.classList.toggle("tl-nan", Number.isNaN(value));
  cell.classList.toggle("tl-negative", value < 0 && Number.isFinite(value));
}

/** The largest absolute value among numbers, the full shade. @param {number[]} values */
export function largestOf(values) {
  return Math.max(1e-9, ...values.filter(Number.isFinite).map(Math.abs));
}

/**
 * The elements of a table that is still empty, named in its first row and column.
 * @param {string} caption @param {Shape} shape
 */
function frame(caption, { rows, columns, kind = "" }) {
  const columnNames = Array.from({ length: columns }, () => h("th", { scope: "col" }));
  const rowNames = Array.from({ length: rows }, () => h("th", { scope: "row" }));
  const cells = rowNames.map(() => Array.from({ length: columns }, () => h("td")));
  const lines = cells.map((row, i) => h("tr", {}, rowNames[i], ...row));
  const title = h("caption", {}, caption);
  const head = h("thead", {}, h("tr", {}, h("td"), ...columnNames));
  const table = h("table", { class: `tl-matrix ${kind}` }, title, head, h("tbody", {}, ...lines));
  const element = h("div", { class: "tl-matrix-box" }, table);
  return { element, title, columnNames, rowNames, cells, lines };
}

/**
 * A table of numbers with row and column names; rows without numbers are hidden.
 * @param {string} caption with words in braces that `name` puts in @param {Shape} shape
 */
export function matrix(caption, shape) {
  const { element, title, columnNames, rowNames, cells, lines } = frame(caption, shape);
  return {
    element,
    cells,
    lines,
    rowNames,
    /** Put words into the caption. @param {Record<string, string | number>} words */
    name(words) {
      setText(title, fill(caption, words));
    },
    /** @param {number[][]} values @param {string[]} names @param {string[]} heads @param {number} [selected] */
    update(values, names, heads, selected = -1) {
      const largest = shape.most ?? largestOf(values.flat());
      heads.forEach((head, j) => setText(columnNames[j], head));
      lines.forEach((line, i) => {
        line.hidden = i >= values.length;
        line.classList.toggle("tl-selected", i === selected);
      });
      values.forEach((row, i) => {
        setText(rowNames[i], names[i]);
        row.forEach((value, j) => showNumber(cells[i][j], value, largest, shape.write));
      });
    },
    /** Mark the cells for which `is` holds. @param {string} kind @param {(i: number, j: number) => boolean} is */
    mark(kind, is) {
      cells.forEach((row, i) => row.forEach((cell, j) => cell.classList.toggle(kind, is(i, j))));
    },
    /** Do something when a cell is clicked. @param {(i: number, j: number) => void} choose */
    onclick(choose) {
      cells.forEach((row, i) =>
        row.forEach((cell, j) => cell.addEventListener("click", () => choose(i, j))),
      );
    },
  };
}

/**
 * One table a result, each with its caption, and its name as `data-result`.
 * @template {string} Name
 * @param {Record<NoInfer<Name>, string>} captions @param {Record<Name, Shape>} shapes
 */
export function tables(captions, shapes) {
  const entries = /** @type {[Name, Shape][]} */ (Object.entries(shapes)).map(([name, shape]) => {
    const view = matrix(captions[name], shape);
    view.element.dataset.result = name;
    return [name, view];
  });
  return /** @type {Record<Name, Table>} */ (Object.fromEntries(entries));
}
