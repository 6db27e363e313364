// @ts-check
// A hidden layer by hand: weights, bias, ReLU.

import { format } from "../../kit/figures/kit.js";
import { dot } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { indexed, inside, productsOf, rowTable, wholes } from "../../kit/drills/draw.js";
import { WHOLE } from "../../kit/drills/judge.js";

/** @typedef {{x: number[], weights: number[][], bias: number[]}} Problem a row of weights for each hidden unit */

const UNITS = ["unit 1", "unit 2", "unit 3"];

/** @param {number} z */
const relu = (z) => Math.max(0, z);

/** @param {Problem} problem */
const before = ({ x, weights, bias }) => weights.map((row, i) => dot(row, x) + bias[i]);

export default play({
  name: "relu_layer",
  title: "A hidden layer with ReLU",
  ...WHOLE,
  draw: (random) => ({
    x: wholes(random, 2, -3, 4),
    weights: UNITS.map(() => wholes(random, 2, -3, 3)),
    bias: wholes(random, 3, -4, 4),
  }),
  answer: (problem) => before(problem).map(relu),
  mistakes: (problem) => {
    const { x, weights, bias } = problem;
    return [
      {
        answer: before(problem),
        cause: "ReLU is missing: negative numbers become 0.",
      },
      {
        answer: weights.map((row, i) => relu(dot(row, x)) + bias[i]),
        cause: "You applied ReLU before the bias. Add the bias first.",
      },
      {
        answer: weights.map((row) => relu(dot(row, x))),
        cause: "The bias is missing: add it before ReLU.",
      },
      {
        answer: before(problem).map(Math.abs),
        cause: "You dropped the minus signs. ReLU turns a negative number into 0.",
      },
    ];
  },
  show: (problem) => {
    const { x, weights, bias } = problem;
    const z = before(problem);
    return {
      task: "A hidden layer has three units. Compute ReLU(W x + b): for each unit its row of W times x, plus its bias. Negative results become 0.",
      given: [
        rowTable("input", "x", x),
        {
          caption: "weights and bias",
          heads: [...indexed("w", x), "b"],
          rows: UNITS,
          cells: weights.map((row, i) => [...row, bias[i]]),
        },
      ],
      asked: { caption: "hidden layer", heads: ["ReLU(W x + b)"], rows: UNITS },
      way: weights.map(
        (row, i) =>
          `${UNITS[i]}: ${productsOf(row, x)} + ${inside(bias[i])} = ${format(z[i])}, and ReLU gives ${format(relu(z[i]))}.`,
      ),
      praise:
        "A unit at 0 adds nothing to the output, and for this input no gradient flows through it either.",
    };
  },
});
