// @ts-check
// Where an entry goes when the width is split into heads.

import { play } from "../../kit/drills/drill.js";
import { pick, whole } from "../../kit/drills/draw.js";
import { WHOLE } from "../../kit/drills/judge.js";

/** @typedef {{heads: number, headWidth: number, length: number, entries: [number, number][]}} Problem */

const SIZES = [
  [2, 3],
  [3, 2],
  [2, 4],
  [4, 2],
  [3, 4],
  [4, 3],
];

/** The boxes of who sends each entry to (head, row, column). @param {Problem} problem @param {(t: number, d: number) => number[]} to */
function places({ entries }, to) {
  return entries.flatMap(([t, d]) => to(t, d));
}

/** @param {Problem} problem */
function answer(problem) {
  const { headWidth } = problem;
  return places(problem, (t, d) => [Math.floor(d / headWidth), t, d % headWidth]);
}

export default play({
  name: "head_split_index",
  title: "Where an entry goes",
  ...WHOLE,
  note: "All numbers count from 0.",
  draw: (random) => {
    const [heads, headWidth] = pick(random, SIZES);
    const length = whole(random, 3, 5);
    const entry = () =>
      /** @type {[number, number]} */ ([
        whole(random, 1, length - 1),
        whole(random, 1, heads * headWidth - 1),
      ]);
    return { heads, headWidth, length, entries: [entry(), entry()] };
  },
  answer,
  mistakes: (problem) => {
    const { heads, headWidth, length } = problem;
    const size = length * headWidth;
    return [
      {
        answer: places(problem, (t, d) => {
          const flat = t * heads * headWidth + d;
          return [Math.floor(flat / size), Math.floor((flat % size) / headWidth), flat % headWidth];
        }),
        cause:
          "This is the result of view(H, T, K) without a transpose: a head gets numbers that are neighbors in memory, not a part of each token. View as (T, H, K), then swap the first two axes.",
      },
      {
        answer: places(problem, (t, d) => [d % heads, t, Math.floor(d / heads)]),
        cause:
          "You dealt the features to the heads in turn. Each head gets K neighboring features.",
      },
      {
        answer: places(problem, (t, d) => [d % headWidth, t, Math.floor(d / headWidth)]),
        cause:
          "You swapped head and column: the head is the quotient of d / K, the column is the remainder.",
      },
      {
        answer: answer(problem).map((x) => x + 1),
        cause: "You counted from 1. Heads, rows and columns count from 0.",
      },
    ];
  },
  show: ({ heads, headWidth, length, entries }) => ({
    task: `A table X has T = ${length} tokens of width D = ${heads * headWidth}. It is split into H = ${heads} heads of width K = ${headWidth}. To which head, row and column do these entries X[t, d] go?`,
    given: [],
    asked: {
      caption: "entries after the split",
      heads: ["head", "row", "column"],
      rows: entries.map(([t, d]) => `X[${t}, ${d}]`),
    },
    way: entries.map(
      ([t, d]) =>
        `X[${t}, ${d}]: ${d} = ${Math.floor(d / headWidth)} · ${headWidth} + ${d % headWidth}, so head ${Math.floor(d / headWidth)}, column ${d % headWidth}; the row stays ${t}.`,
    ),
    praise: "The token keeps its row in every head; the feature alone determines the head.",
  }),
});
