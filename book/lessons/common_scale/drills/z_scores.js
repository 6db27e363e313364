// @ts-check
// A column of data on the common scale: its z-scores.

import { format } from "../../kit/figures/kit.js";
import { average, moments, standardize } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { friendlyRow, indexed, inside, rowTable, sumOf } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** Mean, deviation and z-scores of who divides by `deviation`. @param {number[]} x @param {number} deviation */
function scored(x, deviation) {
  const { mean } = moments(x);
  return [mean, deviation, ...standardize(x, { mean, variance: deviation ** 2 }, 0)];
}

export default play({
  name: "z_scores",
  title: "Z-scores of four numbers",
  ...TWO_DECIMALS,
  draw: (random) => ({ x: friendlyRow(random) }),
  answer: ({ x }) => scored(x, Math.sqrt(moments(x).variance)),
  mistakes: ({ x }) => {
    const { mean, variance } = moments(x);
    const root = Math.sqrt(variance);
    return [
      {
        answer: scored(x, Math.sqrt(moments(x, true).variance)),
        cause: "You divided by n − 1 = 3. The population variance divides by n = 4.",
      },
      {
        answer: scored(x, variance),
        cause:
          "You forgot the square root: this is the variance. The standard deviation is its square root.",
      },
      {
        answer: scored(x, average(x.map((value) => Math.abs(value - mean)))),
        cause:
          "This is the mean distance from the mean. Square the distances, take their mean, then the square root.",
      },
      {
        answer: [mean, root, ...x.map((value) => value / root)],
        cause: "You forgot to subtract the mean before dividing.",
      },
      {
        answer: [mean, root, ...x.map((value) => value - mean)],
        cause: "These are the distances from the mean. Divide each by σ.",
      },
      {
        answer: [mean, root, ...x.map((value) => (mean - value) / root)],
        cause:
          "The signs are reversed: subtract the mean from the number, not the number from the mean.",
      },
    ];
  },
  show: ({ x }) => {
    const { mean, variance } = moments(x);
    const root = Math.sqrt(variance);
    const squares = x.map((value) => (value - mean) ** 2);
    return {
      task: "Turn four numbers into z-scores: subtract their mean, then divide by their standard deviation (of a population, with n).",
      given: [rowTable("data", "x", x)],
      asked: {
        caption: "results",
        heads: ["value"],
        rows: ["mean", "deviation σ", ...indexed("z", x)],
      },
      way: [
        `Mean: (${sumOf(x)}) / 4 = ${format(mean)}`,
        `Squared distances from it: ${squares.map((value) => format(value)).join(", ")}`,
        `Variance: (${sumOf(squares)}) / 4 = ${format(variance)}, so σ = √${format(variance)} = ${format(root)}`,
        ...x.map(
          (value, i) =>
            `${indexed("z", x)[i]} = (${format(value)} − ${inside(mean)}) / ${format(root)} = ${format((value - mean) / root, 3)}`,
        ),
      ],
      praise: "The four z-scores have mean 0 and variance 1, whatever unit the data had.",
    };
  },
});
