// @ts-check
// RMSNorm of one token: no mean is subtracted.

import { format } from "../../kit/figures/kit.js";
import { average, dot, moments } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { indexed, pick, rowTable, shuffled, sumOf } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{x: number[], gamma: number}} Problem */

// Sizes of entries whose mean square is a square.
const SIZES = [
  [5, 3, 1, 1],
  [7, 7, 1, 1],
  [7, 5, 5, 1],
  [8, 4, 4, 2],
  [9, 3, 3, 1],
  [10, 6, 2, 2],
];

/** @param {Problem} problem @param {number} root what the entries are divided by */
function divided({ x, gamma }, root) {
  return [root, ...x.map((value) => (gamma * value) / root)];
}

/** @param {number[]} x */
const meanSquare = (x) => dot(x, x) / x.length;

export default play({
  name: "rms_norm",
  title: "RMSNorm of one token",
  ...TWO_DECIMALS,
  note: `${TWO_DECIMALS.note} ε is too small to matter.`,
  draw: (random) => ({
    x: shuffled(random, pick(random, SIZES)).map((size) => size * pick(random, [1, -1])),
    gamma: pick(random, [2, 3, -2, 0.5]),
  }),
  answer: (problem) => divided(problem, Math.sqrt(meanSquare(problem.x))),
  mistakes: (problem) => {
    const { x, gamma } = problem;
    const root = Math.sqrt(meanSquare(x));
    const { mean, variance } = moments(x);
    return [
      {
        answer: divided(problem, meanSquare(x)),
        cause: "You forgot the square root: RMS is the square root of the mean square.",
      },
      {
        answer: divided(problem, Math.sqrt(dot(x, x))),
        cause:
          "This is the square root of the sum of the squares. Take their mean first: divide the sum by 4.",
      },
      {
        answer: [
          Math.sqrt(variance),
          ...x.map((value) => (gamma * (value - mean)) / Math.sqrt(variance)),
        ],
        cause: "You subtracted the mean: that is layer norm. RMSNorm does not subtract it.",
      },
      {
        answer: divided(problem, Math.sqrt(dot(x, x) / 3)),
        cause: "You divided the sum of the squares by n − 1 = 3. RMS divides by n = 4.",
      },
      {
        answer: divided(problem, average(x.map(Math.abs))),
        cause: "This is the mean of the absolute values. Square the entries first.",
      },
      {
        answer: [root, ...x.map((value) => value / root)],
        cause: "γ is missing: multiply each quotient by it.",
      },
    ];
  },
  show: ({ x, gamma }) => {
    const root = Math.sqrt(meanSquare(x));
    return {
      task: `RMSNorm divides a token by its root mean square and multiplies by γ = ${format(gamma)}. Compute the root mean square and the output.`,
      given: [rowTable("token", "x", x)],
      asked: { caption: "results", heads: ["value"], rows: ["RMS", ...indexed("y", x)] },
      way: [
        `Squares: ${x.map((value) => format(value * value)).join(", ")}`,
        `Their mean: (${sumOf(x.map((value) => value * value))}) / 4 = ${format(meanSquare(x))}`,
        `RMS = √${format(meanSquare(x))} = ${format(root)}`,
        ...x.map(
          (value, i) =>
            `${indexed("y", x)[i]} = ${format(gamma)} · ${format(value)} / ${format(root)} = ${format((gamma * value) / root, 3)}`,
        ),
      ],
      praise: "RMSNorm needs only the root mean square: no mean to subtract, no shift to add.",
    };
  },
});
