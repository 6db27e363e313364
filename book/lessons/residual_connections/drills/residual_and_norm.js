// @ts-check
// A residual connection with its norm, after the addition or before the sub-layer.

import { format, formatVector } from "../../kit/figures/kit.js";
import { moments, standardize } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { friendlyRow, pick, rowTable, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{x: number[], update: number[] | null, factor: number}} Problem the sub-layer's output, or the factor by which it multiplies */

/** @param {number[]} x */
const norm = (x, unbiased = false) => standardize(x, moments(x, unbiased), 0);
/** @param {number[]} x @param {number} by */
const divided = (x, by) => x.map((value) => (value - moments(x).mean) / by);
/** @param {number[]} a @param {number[]} b */
const plus = (a, b) => a.map((value, i) => value + b[i]);
/** @param {number[]} x @param {number} factor */
const times = (x, factor) => x.map((value) => factor * value);

/** Two columns of boxes. @param {number[]} first @param {number[]} second */
const columns = (first, second) => first.flatMap((value, i) => [value, second[i]]);

/** @param {Problem} problem */
function answer({ x, update, factor }) {
  if (update) return columns(plus(x, update), norm(plus(x, update)));
  return columns(norm(x), plus(x, times(norm(x), factor)));
}

/** @param {number[]} x @param {number[]} update */
function postMistakes(x, update) {
  const sum = plus(x, update);
  return [
    {
      answer: columns(update, norm(update)),
      cause: "The residual connection is missing: add x to F(x) before the norm.",
    },
    {
      answer: columns(sum, plus(norm(x), update)),
      cause:
        "You normalized x before adding. In post-norm the norm comes last and normalizes the sum.",
    },
    {
      answer: columns(sum, plus(x, norm(update))),
      cause: "You normalized only F(x). In post-norm, normalize the whole sum.",
    },
    {
      answer: columns(sum, divided(sum, 1)),
      cause: "You only subtracted the mean. Also divide by the standard deviation.",
    },
    {
      answer: columns(sum, divided(sum, moments(sum).variance)),
      cause: "You divided by the variance. Divide by its square root, the standard deviation.",
    },
    {
      answer: columns(sum, norm(sum, true)),
      cause: "You divided by n − 1 in the variance. Layer norm divides by n.",
    },
  ];
}

/** @param {number[]} x @param {number} factor */
function preMistakes(x, factor) {
  const normed = norm(x);
  const byVariance = divided(x, moments(x).variance);
  return [
    {
      answer: columns(normed, times(normed, factor)),
      cause: "The residual connection is missing: add x to what the sub-layer returns.",
    },
    {
      answer: columns(normed, plus(normed, times(normed, factor))),
      cause: "You added the normalized token. In pre-norm, add x itself.",
    },
    {
      answer: columns(normed, plus(x, times(x, factor))),
      cause: "You applied the sub-layer to x. In pre-norm, apply it to the normalized token.",
    },
    {
      answer: columns(normed, plus(x, normed)),
      cause: "The sub-layer is missing: apply it to the normalized token before you add x.",
    },
    {
      answer: columns(normed, norm(plus(x, times(normed, factor)))),
      cause: "You normalized the sum. In pre-norm the sum stays as it is.",
    },
    {
      answer: columns(byVariance, plus(x, times(byVariance, factor))),
      cause: "You divided by the variance. Divide by its square root, the standard deviation.",
    },
    {
      answer: columns(norm(x, true), plus(x, times(norm(x, true), factor))),
      cause: "You divided by n − 1 in the variance. Layer norm divides by n.",
    },
  ];
}

/** The way, with its numbers. @param {Problem} problem */
function way({ x, update, factor }) {
  const normedRow = update ? plus(x, update) : x;
  const { mean, variance } = moments(normedRow);
  const normed = formatVector(norm(normedRow), 3);
  const statistics = `Its mean is ${format(mean)}, its variance ${format(variance)}, so its standard deviation is ${format(Math.sqrt(variance))}.`;
  if (update)
    return [
      `x + F(x) = ${formatVector(normedRow)}`,
      statistics,
      `Subtract the mean and divide by the standard deviation: ${normed}`,
    ];
  return [
    `The norm comes first and normalizes x. ${statistics}`,
    `norm(x) = ${normed}`,
    `F multiplies by ${factor}: ${formatVector(times(norm(x), factor), 3)}`,
    `Add x: ${formatVector(plus(x, times(norm(x), factor)), 3)}`,
  ];
}

export default play({
  name: "residual_and_norm",
  title: "Residual and norm",
  ...TWO_DECIMALS,
  draw: (random) => {
    const row = friendlyRow(random);
    if (random() < 0.5) return { x: row, update: null, factor: pick(random, [2, 3, -2]) };
    const update = wholes(random, 4, -4, 4);
    return { x: row.map((value, i) => value - update[i]), update, factor: 0 };
  },
  answer,
  mistakes: ({ x, update, factor }) => (update ? postMistakes(x, update) : preMistakes(x, factor)),
  show: (problem) => {
    const { x, update, factor } = problem;
    const says = `multiplies by ${format(factor)}`;
    return {
      task: update
        ? "Post-norm: the sub-layer has returned F(x). Add, then normalize the sum (no γ, no β; ε is too small to show)."
        : `Pre-norm: normalize x, apply the sub-layer, and add x. This sub-layer F ${says} (no γ, no β; ε is too small to show).`,
      given: [
        rowTable("token", "x", x),
        update
          ? rowTable("sub-layer's output", "F(x)", update)
          : { caption: "sub-layer", heads: ["what it does"], rows: ["F"], cells: [[says]] },
      ],
      asked: {
        caption: "results",
        heads: update ? ["x + F(x)", "norm of it"] : ["norm(x)", "x + F(norm(x))"],
        rows: ["entry 1", "entry 2", "entry 3", "entry 4"],
      },
      way: way(problem),
      praise: update
        ? "The result has mean 0 and variance 1. In post-norm the sum is rescaled after every sub-layer."
        : "In pre-norm x itself reaches the end unchanged. This is the residual stream.",
    };
  },
});
