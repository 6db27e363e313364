// @ts-check
// A matrix as a field of color: a row for each token, a cell for each number. Blue is above 0,
// orange below, and the stronger the larger; gray is −∞. Pointing at a cell, or moving to it, reads its number.

import { format, h } from "./kit.js";
import { largestOf } from "./table.js";

/** @typedef {{title: string, values: number[][], rows: string[], kept: boolean[], name: (i: number, j: number) => string, pick: (i: number, j: number) => void, heads?: string[]}} Matrix */

const [ABOVE, BELOW, HIDDEN] = [
  [0, 114, 178],
  [224, 110, 20],
  [125, 133, 144, 90],
];
/** How far a key moves in a field. @type {Record<string, [number, number]>} */
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** One row as a strip of colors, a pixel a number. @param {ArrayLike<number>} row @param {number} largest */
export function strip(row, largest) {
  const canvas = h("canvas", { width: row.length, height: 1 });
  const paint = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = paint.createImageData(row.length, 1);
  Array.from(row).forEach((x, i) => {
    const strength = Number.isFinite(x) ? Math.round((255 * Math.abs(x)) / largest) : 0;
    const color = x < 0 ? BELOW : ABOVE;
    image.data.set(x === -Infinity ? HIDDEN : [...color, strength], 4 * i);
  });
  paint.putImageData(image, 0, 0);
  return canvas;
}

/** The cell under a pointer: its row and column. @param {PointerEvent} event @param {HTMLElement[]} strips @param {number[][]} values */
function cellUnder({ clientX, clientY }, strips, values) {
  const i = strips.findIndex((one) => clientY <= one.getBoundingClientRect().bottom);
  if (i < 0) return undefined;
  const { left, width } = strips[i].getBoundingClientRect();
  const j = Math.floor(((clientX - left) / width) * values[i].length);
  return j < 0 || j >= values[i].length ? undefined : [i, j];
}

/**
 * The cell that is read: where it is, and its number for whoever listens. A click or Enter picks it.
 * @param {Matrix} matrix @param {HTMLElement[]} strips @param {(text: string) => void} read
 */
function cursor({ values, name, pick }, strips, read) {
  const mark = h("i", { class: "tl-field-mark" });
  let [i, j] = [0, 0];
  /** @param {number} row @param {number} place */
  const to = (row, place) => {
    const [down, along] = [Math.min(row, values.length - 1), Math.min(place, values[0].length - 1)];
    if (down < 0 || along < 0 || Number.isNaN(values[down][along])) return; // beyond what is folded
    [i, j] = [down, along];
    mark.style.setProperty("--at", String(j / values[i].length));
    mark.style.setProperty("--of", String(values[i].length));
    strips[i].append(mark);
    read(`${name(i, j)}: ${format(values[i][j])}`);
  };
  const onpointermove = (/** @type {PointerEvent} */ event) => {
    const cell = cellUnder(event, strips, values);
    if (cell) to(cell[0], cell[1]);
  };
  const onclick = (/** @type {PointerEvent} */ event) => {
    onpointermove(event);
    pick(i, j);
  };
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter") pick(i, j);
    const move = MOVES[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    to(i + move[0], j + move[1]);
  };
  return {
    onfocus: () => to(i, j),
    onpointermove,
    onpointerdown: onpointermove,
    onclick,
    onkeydown,
  };
}

/**
 * A field with its name above it; `read` gets what a reader points at.
 * @param {Matrix} matrix @param {(text: string) => void} read
 */
export function colorField(matrix, read) {
  const { title, values, rows, kept, heads } = matrix;
  const largest = largestOf(values.flat());
  const strips = values.map((row) => h("span", { class: "tl-field-strip" }, strip(row, largest)));
  const lines = strips.map((one, i) => {
    const word = h("span", { class: "tl-field-word" }, rows[i]);
    return h("div", { class: kept[i] ? "tl-field-row tl-field-kept" : "tl-field-row" }, word, one);
  });
  const size = `${values.length} rows, ${values[0].length} columns`;
  const name = {
    "aria-label": `${title}. ${size}. Arrow keys read the numbers, Enter shows how one was made.`,
  };
  const box = { class: "tl-field-cells", tabindex: 0, role: "application", ...name };
  const cells = [...(heads ? [headsRow(heads)] : []), ...lines];
  return h(
    "div",
    { class: "tl-color-field" },
    h("p", { class: "tl-field-title" }, title),
    h("div", { ...box, ...cursor(matrix, strips, read) }, ...cells),
  );
}

/** The words above the columns. @param {string[]} heads */
function headsRow(heads) {
  const cells = heads.map((text) => h("span", {}, text));
  return h(
    "div",
    { class: "tl-field-row tl-field-heads" },
    h("span", { class: "tl-field-word" }),
    h("span", { class: "tl-field-strip" }, ...cells),
  );
}
