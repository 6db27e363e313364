// @ts-check
// Four weights rounded to a few bits by absmax: the scale, then the whole numbers.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { inside, pick, shuffled, whole } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{weights: number[], bits: number}} Problem */

/** The largest whole number of some bits, one of them the sign. @param {number} bits */
const topOf = (bits) => 2 ** (bits - 1) - 1;

/** @param {number[]} weights */
const largest = (weights) => Math.max(...weights.map(Math.abs));

/** The scale, and the weights divided by it and made whole. @param {number[]} weights @param {number} scale @param {(x: number) => number} [toWhole] */
const rounded = (weights, scale, toWhole = Math.round) => [
  scale,
  ...weights.map((w) => toWhole(w / scale) + 0),
];

/** @param {Problem} problem */
const answer = ({ weights, bits }) => rounded(weights, largest(weights) / topOf(bits));

/** @param {Problem} problem @returns {import("../../kit/drills/judge.js").Mistake[]} */
function mistakes({ weights, bits }) {
  const [top, most] = [topOf(bits), largest(weights)];
  const signed = Math.max(...weights);
  return [
    {
      answer: rounded(weights, most / (top + 1)),
      cause: `You divided by ${top + 1}. With ${bits} bits and a sign, the largest whole number is ${top}.`,
    },
    {
      answer: rounded(weights, most / (2 * top + 1)),
      cause: `You divided by ${2 * top + 1}. One of the ${bits} bits is the sign, so the largest whole number is ${top}.`,
    },
    {
      answer: rounded(weights, most / top, Math.trunc),
      cause: "You cut the decimals off. Round to the nearest whole number.",
    },
    {
      answer: rounded(weights, signed / top),
      cause:
        "You took the largest weight. Take the largest absolute value: a negative weight may be larger.",
    },
    {
      answer: rounded(weights, most),
      cause: `This is the largest absolute value. Divide it by ${top}, and it becomes the whole number ${top}.`,
    },
    {
      answer: [top / most, ...rounded(weights, most / top).slice(1)],
      cause: "The scale is inverted: a weight is about its whole number times the scale.",
    },
  ];
}

export default play({
  name: "absmax_rounding",
  title: "Four weights in a few bits",
  ...TWO_DECIMALS,
  draw: (random) => {
    const bits = pick(random, [3, 4]);
    const [top, scale] = [topOf(bits), pick(random, [0.1, 0.2, 0.3, 0.5])];
    const others = [1, 2, 3].map(
      () => whole(random, 1 - top, top - 1) + pick(random, [-0.4, -0.3, 0.3, 0.4]),
    );
    const ends = shuffled(random, [-top, ...others]);
    const sign = pick(random, [1, -1, -1]);
    return { weights: ends.map((x) => Math.round(1000 * sign * x * scale) / 1000), bits };
  },
  answer,
  mistakes,
  show: (problem) => {
    const { weights, bits } = problem;
    const [scale, ...numbers] = answer(problem);
    const top = topOf(bits);
    const names = weights.map((_, i) => `weight ${i + 1}`);
    return {
      task: `Round four weights to ${bits} bits by absmax: the largest absolute value becomes ${top}. What is the scale, and which whole numbers are stored?`,
      given: [
        { caption: "the weights", heads: ["weight"], rows: names, cells: weights.map((w) => [w]) },
      ],
      asked: { caption: "what is stored", heads: ["answer"], rows: ["scale", ...names] },
      way: [
        `Largest absolute value: ${format(largest(weights))}`,
        `Scale: ${format(largest(weights))} / ${top} = ${format(scale)}`,
        `Divide and round: ${weights.map((w, i) => `${inside(w)} / ${format(scale)} = ${format(w / scale)} → ${format(numbers[i])}`).join("; ")}`,
      ],
      praise: `No weight is off by more than half the scale, ${format(scale / 2)}.`,
    };
  },
});
