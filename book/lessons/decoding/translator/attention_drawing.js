// @ts-check
// Two rows of words with lines between them, as thick as the weights. A word that is pointed at or
// focused shows its own lines and numbers alone.

import { svg } from "../../kit/figures/drawing.js";
import { format, h, setText } from "../../kit/figures/kit.js";

/** @typedef {{weights: number[][], rows: string[], columns: string[]}} Attention */

const HEIGHT = 40; // of the drawing between the rows; its width is 100
const THICKEST = 9;
const NOTHING = "\u00a0"; // keeps the line's height
const FAINT = 0.02; // thinner lines are left out

/** What a word takes from where, in words: the three largest. @param {number[]} row @param {string[]} columns */
export function inWords(row, columns) {
  const order = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, 3);
  return order.map((j) => `${columns[j]} ${format(row[j], 2)}`).join(", ");
}

/** A line from a word above to the word below that takes from it. @typedef {{line: Element, i: number, j: number}} Drawn */

/** The lines of one row. @param {number[]} row @param {number} i @param {number} count @returns {Drawn[]} */
function linesOf(row, i, count) {
  return row.flatMap((weight, j) => {
    if (weight < FAINT) return [];
    const [x1, x2] = [(100 * (j + 0.5)) / row.length, (100 * (i + 0.5)) / count];
    const style = `stroke-width:${(weight * THICKEST).toFixed(2)}px;--weight:${weight.toFixed(3)}`;
    return [{ line: svg("line", { x1, y1: 0, x2, y2: HEIGHT, style }), i, j }];
  });
}

/** The two rows of words and the lines between them, still empty. */
function emptyRows() {
  const above = h("div", { class: "tr-words tr-above" });
  const below = h("div", { class: "tr-words tr-below" });
  const size = { viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" };
  const lines = svg("svg", { class: "tr-lines", ...size });
  return { above, below, lines, inner: h("div", { class: "tr-inner" }, above, lines, below) };
}

/**
 * The drawing; `choose` gets the pressed word below.
 * @param {(i: number) => void} choose
 */
export function attentionDrawing(choose) {
  const { above, below, lines, inner } = emptyRows();
  /** @type {{drawn: Drawn[], numbers: HTMLElement[]}} */
  let shown = { drawn: [], numbers: [] };

  /** Show some lines alone, and the weights of one row. @param {(one: Drawn) => boolean} isLit @param {number[]} [row] */
  function light(isLit, row) {
    for (const one of shown.drawn) one.line.setAttribute("class", isLit(one) ? "" : "tr-dim");
    shown.numbers.forEach((number, j) => setText(number, row ? format(row[j], 2) : NOTHING));
  }
  const all = () => light(() => true);

  /** @param {string} word @param {number} j @param {HTMLElement} number */
  function wordAbove(word, j, number) {
    const on = { onpointerenter: () => light((one) => one.j === j), onpointerleave: all };
    return h("span", on, h("span", {}, word), number);
  }

  /** @param {string} word @param {number} i @param {number[]} row @param {string[]} columns @param {number} pressed */
  function wordBelow(word, i, row, columns, pressed) {
    const lit = () => light((one) => one.i === i, row);
    const on = { onpointerenter: lit, onfocus: lit, onpointerleave: all, onblur: all };
    const state = pressed < 0 ? {} : { "aria-pressed": String(i === pressed) };
    const label = { "aria-label": `${word}: ${inWords(row, columns)}` };
    return h(
      "button",
      { type: "button", ...on, onclick: () => choose(i), ...label, ...state },
      word,
    );
  }

  return {
    element: h("div", { class: "tr-drawing" }, inner),
    /** @param {Attention} attention @param {number} pressed the word below that is chosen, or −1 */
    update({ weights, rows, columns }, pressed) {
      const numbers = columns.map(() => h("small", {}, NOTHING));
      const drawn = weights.flatMap((row, i) => linesOf(row, i, rows.length));
      above.replaceChildren(...columns.map((word, j) => wordAbove(word, j, numbers[j])));
      below.replaceChildren(
        ...rows.map((word, i) => wordBelow(word, i, weights[i], columns, pressed)),
      );
      lines.replaceChildren(...drawn.map(({ line }) => line));
      above.style.setProperty("--count", String(columns.length));
      below.style.setProperty("--count", String(rows.length));
      inner.style.setProperty("--most", String(Math.max(rows.length, columns.length)));
      shown = { drawn, numbers };
    },
  };
}
