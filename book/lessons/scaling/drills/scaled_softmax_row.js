// @ts-check
// One row of scaled dot-product attention: divide by the root of the key width, then softmax.

import { format } from "../../kit/figures/kit.js";
import { softmax } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { pick, rowTable, sumOf, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

const KEYS = ["key 1", "key 2", "key 3"];

/** The answer of who divides the scores by `by`: each scaled score with its weight. @param {number[]} scores @param {number} by */
function rows(scores, by, weigh = softmax) {
  const scaled = scores.map((s) => s / by);
  const weights = weigh(scaled);
  return scaled.flatMap((s, j) => [s, weights[j]]);
}

export default play({
  name: "scaled_softmax_row",
  title: "One row of weights, with scaling",
  ...TWO_DECIMALS,
  draw: (random) => {
    const root = pick(random, [2, 4]);
    return { scores: wholes(random, 3, -3, 4).map((x) => (x * root) / 2), width: root ** 2 };
  },
  answer: ({ scores, width }) => rows(scores, Math.sqrt(width)),
  mistakes: ({ scores, width }) => [
    {
      answer: rows(scores, 1),
      cause: "You forgot the scaling. Divide by the root of the key width first.",
    },
    {
      answer: rows(scores, width),
      cause: `You forgot the root: the scores are divided by √${width}, not by ${width}.`,
    },
    {
      answer: rows(scores, 1 / Math.sqrt(width)),
      cause: "You multiplied by the root. Scaling divides by it.",
    },
    {
      answer: rows(scores, Math.sqrt(width), (scaled) => scaled.map(Math.exp)),
      cause: "The powers of e are right. Divide each by their sum, then the weights add up to 1.",
    },
    {
      answer: rows(scores, Math.sqrt(width), (scaled) =>
        scaled.map((s) => s / scaled.reduce((a, b) => a + b, 0)),
      ),
      cause: "You divided the scaled scores by their sum. Take e to the power of each first.",
    },
  ],
  show: ({ scores, width }) => {
    const root = Math.sqrt(width);
    const powers = scores.map((s) => Math.exp(s / root));
    const total = powers.reduce((a, b) => a + b, 0);
    return {
      task: `The width of a key is ${width}. Scale the scores of one query, then take softmax of the row.`,
      given: [rowTable("scores", "s", scores)],
      asked: { caption: "scaled scores and weights", heads: ["scaled", "weight"], rows: KEYS },
      way: [
        `The root of the width: √${width} = ${root}`,
        `Scaled: ${scores.map((s) => `${format(s)} / ${root} = ${format(s / root)}`).join(", ")}`,
        `Powers: ${scores.map((s, j) => `e^(${format(s / root)}) = ${format(powers[j], 3)}`).join(", ")}`,
        `Their sum: ${sumOf(powers, 3)} = ${format(total, 3)}`,
        `Weights: ${powers.map((x) => `${format(x, 3)} / ${format(total, 3)} = ${format(x / total, 3)}`).join(", ")}`,
      ],
      praise: `Without the root each gap between scores would be ${root} times as large. Next the weights mix the values.`,
    };
  },
});
