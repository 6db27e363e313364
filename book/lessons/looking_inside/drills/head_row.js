// @ts-check
// One head's row from its query and keys: products, the root of the head width, softmax.

import { format } from "../../kit/figures/kit.js";
import { scoreMatrix, softmax } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { productsOf, sumOf, whole, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{query: number[], keys: number[][]}} Problem */

const KEYS = ["key 1", "key 2", "key 3"];
const WIDTH = 4; // of the head
const MODEL = 36; // nine such heads
const LISTED = [-2, -1, 0, 1, 2]; // what a scaled score may be: the powers of these are given

/** @param {Problem} problem */
const scoresOf = ({ query, keys }) => scoreMatrix([query], keys)[0];

/** The answer of who divides the scores by `by`: each scaled score with its weight. @param {number[]} scores @param {number} by */
function rows(scores, by, weigh = softmax) {
  const scaled = scores.map((s) => s / by);
  const weights = weigh(scaled);
  return scaled.flatMap((s, j) => [s, weights[j]]);
}

/** @param {number[]} list */
const sum = (list) => list.reduce((a, b) => a + b, 0);

/** Whether the powers of all scaled scores are listed, and no score is there twice. @param {number[]} scores */
function isFit(scores) {
  const listed = scores.every((s) => LISTED.includes(s / Math.sqrt(WIDTH)));
  return listed && new Set(scores).size === scores.length && sum(scores) !== 0;
}

export default play({
  name: "head_row",
  title: "One head’s row, from its query and keys",
  ...TWO_DECIMALS,
  draw: (random) => {
    for (;;) {
      const keys = KEYS.map(() => wholes(random, WIDTH, -2, 2));
      const problem = { query: [...wholes(random, WIDTH - 1, -2, 2), whole(random, 1, 2)], keys };
      if (isFit(scoresOf(problem))) return problem;
    }
  },
  answer: (problem) => rows(scoresOf(problem), Math.sqrt(WIDTH)),
  mistakes: (problem) => {
    const [scores, root] = [scoresOf(problem), Math.sqrt(WIDTH)];
    return [
      {
        answer: rows(scores, 1),
        cause:
          "You did not scale the scores: divide each one by the square root of the head width first.",
      },
      {
        answer: rows(scores, WIDTH),
        cause: `You divided by the head width ${WIDTH}. Divide by its square root.`,
      },
      {
        answer: rows(scores, Math.sqrt(MODEL)),
        cause: `You divided by the square root of the model’s width, √${MODEL}. A head uses the square root of its own width.`,
      },
      {
        answer: rows(scores, root, (scaled) => scaled.map(Math.exp)),
        cause: "The exponentials are right. Divide each by their sum, so the row adds up to 1.",
      },
      {
        answer: rows(scores, root, (scaled) => scaled.map((s) => s / sum(scaled))),
        cause: "You divided the scaled scores by their sum. Softmax first takes e^s of each score.",
      },
      {
        answer: rows(scores, root, (scaled) => softmax(scaled.map((s) => -s))),
        cause: "Your weights fall as the scores grow. A larger score must get a larger weight.",
      },
    ];
  },
  show: (problem) => {
    const { query, keys } = problem;
    const [scores, root] = [scoresOf(problem), Math.sqrt(WIDTH)];
    const powers = scores.map((s) => Math.exp(s / root));
    const total = sum(powers);
    return {
      task: `A model has the width ${MODEL} and ${MODEL / WIDTH} heads, so d_head is ${WIDTH}. Compute the scaled scores and the attention weights of one row from the query and the keys of one head.`,
      given: [
        {
          caption: "query and keys",
          heads: ["1", "2", "3", "4"],
          rows: ["query", ...KEYS],
          cells: [query, ...keys],
        },
        {
          caption: "powers of e",
          heads: LISTED.map((s) => format(s)),
          rows: ["e^s"],
          cells: [LISTED.map((s) => format(Math.exp(s), 3))],
        },
      ],
      asked: { caption: "the row", heads: ["scaled", "weight"], rows: KEYS },
      way: [
        ...keys.map((key, j) => `${KEYS[j]}: ${productsOf(query, key)} = ${format(scores[j])}`),
        `Divided by √${WIDTH} = ${root}: ${scores.map((s) => format(s / root)).join(", ")}`,
        `Exponentials: ${powers.map((x) => format(x, 3)).join(", ")}; their sum: ${sumOf(powers, 3)} = ${format(total, 3)}`,
        `Weights: ${powers.map((x) => `${format(x, 3)} / ${format(total, 3)} = ${format(x / total, 3)}`).join(", ")}`,
      ],
      praise:
        "The row adds up to 1. A weight says how much of a value is used, but not how long the value is.",
    };
  },
});
