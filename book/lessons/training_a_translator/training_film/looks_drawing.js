// @ts-check
// A field of cells: a row for each right English word, a column for each French one, a shade for
// each weight. A bar after each row is the probability of that word.

import { place, svg } from "../../kit/figures/drawing.js";
import { format, setText } from "../../kit/figures/kit.js";

const [EDGE, ABOVE, CELL, ROW] = [62, 60, 24, 22];
const [BAR, GAP] = [68, 22];

/** A French word above its column, aslant. @param {string} word @param {number} j */
function columnName(word, j) {
  const turned = `translate(${EDGE + (j + 0.6) * CELL} ${ABOVE - 5}) rotate(-50)`;
  return svg("text", { transform: turned, class: "tf-french" }, word);
}

/** One row: its word, its cells, its bar. @param {string} word @param {number} i @param {string[]} source */
function rowParts(word, i, source) {
  const y = ABOVE + i * ROW;
  const cells = source.map((_, j) => {
    const title = svg("title");
    const box = { x: EDGE + j * CELL + 1, y: y + 1, width: CELL - 2, height: ROW - 2, rx: 3 };
    return { title, rect: svg("rect", { ...box, class: "tf-cell" }, title) };
  });
  const x = EDGE + source.length * CELL + GAP;
  const bar = { x, y: y + 4, width: BAR, height: ROW - 8 };
  const share = svg("rect", { ...bar, class: "tf-share" });
  const title = svg("title");
  const whole = svg("rect", { ...bar, class: "tf-whole" }, title);
  const name = svg("text", { x: EDGE - 6, y: y + 16, class: "tf-word" }, word);
  return { cells, share, title, elements: [name, ...cells.map(({ rect }) => rect), share, whole] };
}

/** The field of one sentence. @param {string[]} words @param {string[]} source */
export function looks(words, source) {
  const rows = words.map((word, i) => rowParts(word, i, source));
  const x = EDGE + source.length * CELL + GAP;
  const head = svg("text", { x, y: ABOVE - 6, class: "tf-head" }, "probability");
  const [width, height] = [x + BAR + 2, ABOVE + words.length * ROW + 2];
  const size = { viewBox: `0 0 ${width} ${height}`, class: "tl-drawing tf-looks" };
  const elements = rows.flatMap((row) => row.elements);
  const drawing = svg(
    "svg",
    { ...size, "aria-hidden": "true" },
    ...source.map(columnName),
    head,
    ...elements,
  );
  drawing.style.maxWidth = `${width * 1.2}px`;
  return {
    element: drawing,
    /** @param {number[][]} weights @param {number[][]} right */
    update(weights, right) {
      rows.forEach(({ cells, share, title }, i) => {
        const most = Math.max(...weights[i]);
        cells.forEach(({ title: said, rect }, j) => {
          const weight = weights[i][j];
          place(rect, { "fill-opacity": weight });
          rect.classList.toggle("tf-most", weight === most);
          setText(said, `${words[i]} attends to ${source[j]}: ${format(weight, 2)}`);
        });
        place(share, { width: BAR * right[i][0] });
        setText(title, `probability of ${words[i]}: ${format(right[i][0], 2)}`);
      });
    },
  };
}
