// @ts-check
// The shape to which two tensors broadcast, if they do.

import { play } from "../../kit/drills/drill.js";
import { pick, shuffled } from "../../kit/drills/draw.js";
import { NO_SHAPE, SHAPES, shape } from "../../kit/drills/shapes.js";

/** @typedef {{pairs: [number[], number[]][]}} Problem */

const NAMES = ["a + b", "c + d", "e + f"];

/** What who applies a rule to each pair of shapes answers. @param {Problem} problem @param {(a: number[], b: number[]) => string} rule */
const each = ({ pairs }, rule) => pairs.map(([a, b]) => rule(a, b));

/** Fill the shorter shape up with ones, on the left or on the right. @param {number[]} a @param {number} rank */
const filled = (a, rank, behind = false) => {
  const ones = Array(rank - a.length).fill(1);
  return behind ? [...a, ...ones] : [...ones, ...a];
};

/** @param {number[]} a @param {number[]} b @param {{behind?: boolean, always?: boolean}} [wrong] */
function broadcast(a, b, { behind = false, always = false } = {}) {
  const rank = Math.max(a.length, b.length);
  const [left, right] = [filled(a, rank, behind), filled(b, rank, behind)];
  const fits = left.every((size, i) => size === right[i] || size === 1 || right[i] === 1);
  return fits || always ? shape(left.map((size, i) => Math.max(size, right[i]))) : NO_SHAPE;
}

export default play({
  name: "broadcast_shape",
  title: "Do they broadcast?",
  ...SHAPES,
  draw: (random) => {
    const [m, n, k, p, q] = shuffled(random, [2, 3, 4, 5, 6, 7, 8]);
    // A column with a row, a shorter shape against a longer one, and two that do not fit.
    const clash = pick(random, [
      [[p, q], [p]],
      [
        [m, n],
        [m, k],
      ],
      [
        [k, m, n],
        [k, 1],
      ],
    ]);
    const pairs = [
      [
        [m, 1],
        [1, n],
      ],
      pick(random, [
        [[k, m, n], [n]],
        [
          [k, m, n],
          [m, 1],
        ],
      ]),
      clash,
    ].map(([a, b]) => (random() < 0.5 ? [a, b] : [b, a]));
    return { pairs: /** @type {[number[], number[]][]} */ (shuffled(random, pairs)) };
  },
  answer: (problem) => each(problem, (a, b) => broadcast(a, b)),
  mistakes: (problem) => [
    {
      answer: each(problem, (a, b) => broadcast(a, b, { behind: true })),
      cause:
        "You lined the shapes up on the left. They are lined up on the right, and missing axes are added in front.",
    },
    {
      answer: each(problem, (a, b) => broadcast(a, b, { always: true })),
      cause:
        "Two sizes fit only if they are equal or one of them is 1. The larger one does not win by itself.",
    },
    {
      answer: each(problem, () => NO_SHAPE),
      cause: "Different shapes may fit: an axis of size 1, or one that is missing, is repeated.",
    },
  ],
  show: (problem) => ({
    task: "Which shape has each sum? Write its sizes, or “no” if the tensors do not fit.",
    given: [
      {
        caption: "shapes",
        heads: ["first", "second"],
        rows: NAMES,
        cells: problem.pairs.map(([a, b]) => [shape(a), shape(b)]),
      },
    ],
    asked: { caption: "sums", heads: ["shape"], rows: NAMES },
    way: problem.pairs.map(([a, b], i) => {
      const rank = Math.max(a.length, b.length);
      const aligned = `${shape(filled(a, rank))} and ${shape(filled(b, rank))}`;
      const result = broadcast(a, b);
      if (result !== NO_SHAPE)
        return `${NAMES[i]}: lined up on the right, ${aligned} give ${result}`;
      return `${NAMES[i]}: lined up on the right, ${aligned} differ where neither size is 1: no`;
    }),
    praise: "A mask (B, 1, 1, S) meets scores (B, H, T, S) by the same rule.",
  }),
});
