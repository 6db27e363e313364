// @ts-check
// The first step of Adam, by hand.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { inside, pick } from "../../kit/drills/draw.js";
import { THREE_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{weights: number[], gradients: number[], rate: number}} Problem */

const ROWS = ["weight 1", "weight 2"];
const [BETA_1, BETA_2] = [0.9, 0.999];

/** @typedef {(gradient: number) => {m: number, v: number}} Moments */

/** @type {Moments} */
const corrected = (g) => ({ m: g, v: g * g });
/** @type {Moments} */
const uncorrected = (g) => ({ m: (1 - BETA_1) * g, v: (1 - BETA_2) * g * g });

/** The boxes of who takes these steps. @param {Problem} problem @param {Moments} moments @param {(g: number, moments: {m: number, v: number}) => number} step */
function rows({ weights, gradients }, moments, step) {
  return gradients.flatMap((g, i) => {
    const { m, v } = moments(g);
    return [m, v, weights[i] - step(g, { m, v })];
  });
}

export default play({
  name: "adam_step",
  title: "The first step of Adam",
  ...THREE_DECIMALS,
  draw: (random) => {
    const number = () => pick(random, [-4, -3, -2, -0.5, 0.5, 2, 3, 4]);
    return {
      weights: [number(), number()],
      gradients: [number(), number()],
      rate: pick(random, [0.1, 0.2, 0.01]),
    };
  },
  answer: (problem) => rows(problem, corrected, (_, { m, v }) => (problem.rate * m) / Math.sqrt(v)),
  mistakes: (problem) => {
    const { rate } = problem;
    return [
      {
        answer: rows(problem, uncorrected, (_, { m, v }) => (rate * m) / Math.sqrt(v)),
        cause:
          "The bias correction is missing: divide m by 1 − β₁ and v by 1 − β₂ in the first step.",
      },
      {
        answer: rows(problem, corrected, (g) => rate * g),
        cause: "This is a step of plain gradient descent. Adam divides by the root of v̂.",
      },
      {
        answer: rows(problem, corrected, (_, { m, v }) => (rate * m) / v),
        cause: "You forgot the root: divide by √v̂.",
      },
      {
        answer: rows(problem, corrected, (_, { m, v }) => (-rate * m) / Math.sqrt(v)),
        cause: "You stepped uphill. The step is subtracted from the weight.",
      },
    ];
  },
  show: (problem) => {
    const { weights, gradients, rate } = problem;
    const lines = gradients.flatMap((g, i) => [
      `${ROWS[i]}: m = 0.1 · ${inside(g)} = ${format(0.1 * g)}, so m̂ = ${format(0.1 * g)} / 0.1 = ${format(g)}`,
      `${ROWS[i]}: v = 0.001 · ${inside(g)}² = ${format(0.001 * g * g, 6)}, so v̂ = ${format(0.001 * g * g, 6)} / 0.001 = ${format(g * g)}`,
      `${ROWS[i]}: ${format(weights[i])} − ${rate} · ${inside(g)} / √${format(g * g)} = ${format(weights[i] - rate * Math.sign(g))}`,
    ]);
    return {
      task: `Adam takes its first step, with rate ${rate}, β₁ = 0.9 and β₂ = 0.999; m and v begin at 0, and ε is too small to show. Compute m̂, v̂ and the new weights.`,
      given: [
        {
          caption: "before the step",
          heads: ["weight", "gradient"],
          rows: ROWS,
          cells: weights.map((weight, i) => [weight, gradients[i]]),
        },
      ],
      asked: { caption: "after the step", heads: ["m̂", "v̂", "new weight"], rows: ROWS },
      way: lines,
      praise: `Both weights moved by the rate, ${rate}: in its first step Adam looks only at the sign of a gradient.`,
    };
  },
});
