// @ts-check
// The beams of a search as a tree, from left to right: one column a word, the kept prefixes below
// each other, the best first. The way to the best sentence is thick. Numbers are log-probabilities of
// all words so far: those of a way fall, as its scores need not. Its score is at the end of a row.

import { svg } from "../../kit/figures/drawing.js";
import { folded, format, h } from "../../kit/figures/kit.js";
import shared from "./translator.json" with { type: "json" };

/** @typedef {import("../../kit/figures/translator/beam.js").Level} Level */
/** @typedef {{x: number, y: number, word: string, logProb: number, isBest: boolean, goesOn: boolean, from: {x: number, y: number}}} Node */

const [COLUMN, ROW, LEFT, TOP] = [88, 40, 24, 18];

/** The position of the root or of a kept prefix. @param {number} level @param {number} place */
const at = (level, place) => ({ x: LEFT + level * COLUMN, y: TOP + place * ROW });

/**
 * The nodes of the tree. A beam that has ended stays where it is and is not drawn again.
 * @param {Level[]} tree @param {(id: number) => string} name @param {number} pad
 */
export function nodesOf(tree, name, pad) {
  const best = tree.map(() => 0);
  for (let t = tree.length - 1; t > 0; t -= 1) best[t - 1] = tree[t].kept[best[t]].parent;
  return tree.flatMap(({ kept }, t) =>
    kept.map(({ id, parent, logProb }, k) => {
      const place = { ...at(t + 1, k), from: t ? at(t, parent) : at(0, 0) };
      const goesOn = id === pad;
      return { ...place, word: goesOn ? "" : name(id), logProb, isBest: best[t] === k, goesOn };
    }),
  );
}

/** One node: the line that leads to it, its word, its number. @param {Node} node */
function drawnNode({ x, y, from, word, logProb, isBest, goesOn }) {
  const kind = `${isBest ? "tr-best" : ""} ${goesOn ? "tr-ended" : ""}`;
  const start = from.x + (from.x === LEFT ? 8 : 32);
  const bend = `C${start + 12} ${from.y} ${x - 46} ${y} ${x - (goesOn ? -32 : 33)} ${y}`;
  const line = svg("path", { class: "tr-branch", d: `M${start} ${from.y}${bend}` });
  if (goesOn) return svg("g", { class: kind }, line);
  const text = svg("text", { x, y: y + 1 }, word);
  const number = svg("text", { x, y: y + 14, class: "tr-number" }, format(logProb, 2));
  return svg("g", { class: kind }, line, text, number);
}

/** The tree in words, level by level. @param {Level[]} tree @param {(id: number) => string} name @param {number} pad */
function inWordsOf(tree, name, pad) {
  return tree.map(({ kept }, t) => {
    const parts = kept.map(({ id, parent, logProb }) => {
      const word = id === pad ? "has ended" : `“${name(id)}”`;
      return `${word} after beam ${t ? parent + 1 : 0}, log-probability ${format(logProb, 2)}`;
    });
    return h("li", {}, parts.join("; "));
  });
}

/** The tree, and the same in words, with a table. @param {HTMLElement} table */
export function beamDrawing(table) {
  const drawing = svg("svg", { class: "tr-tree", "aria-hidden": "true" });
  const list = h("ol", {});
  let tell = () => {};
  const inWords = folded("The tree as a list and a table", () => tell(), list, table);
  const scroller = h(
    "div",
    { class: "tr-scroll", tabindex: 0, role: "group", "aria-label": "Beam tree" },
    drawing,
  );
  const numbers = h("p", { class: "tr-hint" }, shared.tree);
  return {
    element: h("div", { class: "tr-beams" }, numbers, scroller, inWords.element),
    /** @param {Level[]} tree @param {number[]} scores @param {(id: number) => string} name @param {number} pad @param {() => void} fill what fills the table */
    update(tree, scores, name, pad, fill) {
      const width = LEFT + (tree.length + 1) * COLUMN + 44;
      const height = TOP + Math.max(...tree.map(({ kept }) => kept.length)) * ROW - 8;
      drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
      drawing.setAttribute("width", String(width));
      drawing.setAttribute("height", String(height));
      const root = svg("circle", { cx: LEFT, cy: TOP, r: 6, class: "tr-root" });
      const nodes = nodesOf(tree, name, pad);
      const order = [...nodes.filter((n) => !n.isBest), ...nodes.filter((n) => n.isBest)];
      const ends = scores.map((score, k) => {
        const { x, y } = at(tree.length + 1, k);
        return svg("text", { x, y: y + 1, class: "tr-number" }, `score ${format(score, 2)}`);
      });
      drawing.replaceChildren(root, ...order.map(drawnNode), ...ends);
      tell = () => {
        list.replaceChildren(...inWordsOf(tree, name, pad));
        fill();
      };
      inWords.update();
    },
  };
}
