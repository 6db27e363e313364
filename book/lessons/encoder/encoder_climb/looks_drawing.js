// @ts-check
// The two sentences side by side, word under word: arcs show what the chosen word looks at.

import { place, svg } from "../../kit/figures/drawing.js";

/** @typedef {{words: string[], chosen: number | undefined, weights: number[]}} Side */

const [WIDTH, ROW, ABOVE] = [360, 22, 26];
const [BAND, EDGE] = [96, 70]; // how wide a word's band is, and where the left ones begin
const LEAST = 6; // rows that always have room

/** The middle of a row. @param {number} row */
const level = (row) => ABOVE + (row + 0.5) * ROW;

/** The way from one row to another, bulging to the left; to the same row it is a loop. @param {number} from @param {number} to */
export function arc(from, to) {
  const [a, b] = from === to ? [level(from) - 5, level(from) + 5] : [level(from), level(to)];
  const bulge = EDGE - Math.min(EDGE + 14, 22 + 8 * Math.abs(to - from));
  return `M${EDGE} ${a}C${bulge} ${a} ${bulge} ${b} ${EDGE} ${b}`;
}

/** One sentence; the right one is the mirror image of the left one. @param {Side} side @param {boolean} mirrored */
function column({ words, chosen, weights }, mirrored) {
  const x = mirrored ? WIDTH - EDGE - BAND : EDGE;
  const bands = words.map((word, row) => {
    const band = { x, y: level(row) - ROW / 2 + 1, width: BAND, height: ROW - 2, rx: 4 };
    const heat = svg("rect", { ...band, class: "ec-heat", "fill-opacity": weights[row] ?? 0 });
    const box = svg("rect", { ...band, class: "ec-box" });
    const text = svg("text", { x: x + BAND / 2, y: level(row) + 4.5 }, word);
    const kind = row === chosen ? "ec-chosen" : "";
    return svg("g", { class: kind }, heat, box, text);
  });
  const arcs = weights.map((weight, row) =>
    svg("path", {
      class: "ec-arc",
      d: chosen === undefined ? "" : arc(chosen, row),
      "stroke-width": (9 * weight).toFixed(2),
      "stroke-opacity": (0.4 + 0.6 * weight).toFixed(2),
    }),
  );
  const flipped = mirrored ? `translate(${WIDTH}) scale(-1 1)` : "";
  return svg("g", {}, svg("g", { transform: flipped }, ...arcs), ...bands);
}

/** The drawing of both sentences under their names. @param {string[]} names */
export function looksDrawing(names) {
  const heads = names.map((name, i) => {
    const x = i ? WIDTH - EDGE - BAND / 2 : EDGE + BAND / 2;
    return svg("text", { x, y: 14, class: "ec-name" }, name);
  });
  const link = svg("path", { class: "ec-link" });
  const sides = svg("g");
  const drawing = svg("svg", { class: "tl-drawing ec-looks", "aria-hidden": "true" });
  drawing.append(link, sides, ...heads);
  return {
    element: drawing,
    /** @param {Side} first @param {Side} second */
    update(first, second) {
      const rows = Math.max(LEAST, first.words.length, second.words.length);
      place(drawing, { viewBox: `0 0 ${WIDTH} ${ABOVE + rows * ROW + 4}` });
      sides.replaceChildren(column(first, false), column(second, true));
      const [from, to] = [EDGE + BAND, WIDTH - EDGE - BAND];
      const ends = [first.chosen, second.chosen].map((row) => row ?? -1);
      const way = `M${from} ${level(ends[0])}L${to} ${level(ends[1])}`;
      place(link, { d: first.chosen === undefined ? "" : way });
    },
  };
}
