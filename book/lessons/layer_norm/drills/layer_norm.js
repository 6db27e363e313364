// @ts-check
// Layer normalization of one token, with ε large enough to show where it belongs.

import { format } from "../../kit/figures/kit.js";
import { moments, standardize } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { indexed, inside, pick, rowTable, shuffled, sumOf, whole } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{x: number[], eps: number, gamma: number, beta: number}} Problem */

/** Deviations from the mean, and an ε that makes variance + ε a square. @type {[number[], number][]} */
const TOKENS = [
  [[-3, -1, 1, 3], 4],
  [[-2, 0, 0, 2], 2],
  [[-3, 1, 1, 1], 1],
  [[-5, -1, 1, 5], 3],
  [[-4, -2, 2, 4], 6],
  [[-6, 2, 2, 2], 4],
];

/** @param {Problem} problem @param {number} root what the distances are divided by */
function normalized({ x, gamma, beta }, root) {
  const { mean } = moments(x);
  return x.map((value) => (gamma * (value - mean)) / root + beta);
}

/** @param {Problem} problem */
function answer({ x, eps, gamma, beta }) {
  return standardize(x, moments(x), eps).map((value) => gamma * value + beta);
}

export default play({
  name: "layer_norm",
  title: "Layer norm of one token",
  ...TWO_DECIMALS,
  draw: (random) => {
    const [deviations, eps] = pick(random, TOKENS);
    const mean = whole(random, -3, 8);
    const x = shuffled(random, deviations).map((value) => mean + value);
    return { x, eps, gamma: pick(random, [2, 3, -2, 0.5]), beta: pick(random, [1, -1, 2, 5]) };
  },
  answer,
  mistakes: (problem) => {
    const { x, eps, gamma, beta } = problem;
    const { variance } = moments(x);
    return [
      {
        answer: normalized(problem, Math.sqrt(variance) + eps),
        cause: "ε is outside the square root. Add it to the variance, inside: √(σ² + ε).",
      },
      {
        answer: normalized(problem, Math.sqrt(variance)),
        cause: "You left out ε. Add it to the variance, inside the square root.",
      },
      {
        answer: normalized(problem, variance + eps),
        cause: "You forgot the square root: divide by √(σ² + ε).",
      },
      {
        answer: normalized(problem, Math.sqrt(moments(x, true).variance + eps)),
        cause: "You divided by n − 1 in the variance. Layer norm divides by n.",
      },
      {
        answer: standardize(x, moments(x), eps),
        cause: "The normalized token is right. γ and β are missing: multiply by γ, then add β.",
      },
      {
        answer: standardize(x, moments(x), eps).map((value) => gamma * (value + beta)),
        cause: "You added β before multiplying. First times γ, then plus β.",
      },
      {
        answer: answer(problem).map((value) => value - beta),
        cause: "β is missing: add it at the end.",
      },
      {
        answer: standardize(x, moments(x), eps).map((value) => value + beta),
        cause: "γ is missing: multiply the normalized token by it, then add β.",
      },
      {
        answer: x.map((value) => (gamma * value) / Math.sqrt(variance + eps) + beta),
        cause: "The mean is missing: subtract it from each entry before you divide.",
      },
    ];
  },
  show: (problem) => {
    const { x, eps, gamma, beta } = problem;
    const { mean, variance } = moments(x);
    const root = Math.sqrt(variance + eps);
    const y = answer(problem);
    return {
      task: `Normalize this token: y = γ · (x − μ) / √(σ² + ε) + β, with γ = ${format(gamma)}, β = ${format(beta)} and ε = ${eps}. This ε is far larger than in practice, so you can see where it belongs.`,
      given: [rowTable("token", "x", x)],
      asked: { caption: "after layer norm", heads: ["value"], rows: indexed("y", x) },
      way: [
        `Mean: μ = (${sumOf(x)}) / 4 = ${format(mean)}`,
        `Variance: σ² = (${sumOf(x.map((value) => (value - mean) ** 2))}) / 4 = ${format(variance)}`,
        `Root: √(${format(variance)} + ${eps}) = ${format(root)}`,
        ...x.map(
          (value, i) =>
            `${indexed("y", x)[i]} = ${format(gamma)} · (${format(value)} − ${inside(mean)}) / ${format(root)} + ${inside(beta)} = ${format(y[i], 3)}`,
        ),
      ],
      praise: `The outputs have the mean β = ${format(beta)}. All statistics come from this one token. No other token of the batch is used.`,
    };
  },
});
