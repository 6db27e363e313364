// @ts-check
// One row of cross-attention: a target token asks a source of another length, whose end is a pad.

import { format } from "../../kit/figures/kit.js";
import { dot, softmax } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import {
  indexed,
  inside,
  productsOf,
  rowTable,
  sumOf,
  whole,
  wholes,
} from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{query: number[], asks: number, keys: number[][], values: number[]}} Problem `asks` counts from 0 */

const WIDTH = 4;
const SOURCE = 4; // the last one is a pad
const NAMES = ["source 1", "source 2", "source 3", "pad"];
const TARGETS = ["first", "second"];

/** The weights of all keys, and what they mix. @param {number[]} scores @param {number[]} values */
function mixed(scores, values) {
  const weights = softmax(scores);
  return [...weights, dot(weights, values)];
}

/** Scores, where `open` says so; elsewhere −∞. @param {Problem} problem @param {(key: number) => boolean} open @param {number} [root] */
function scoresOf({ query, keys }, open, root = 2) {
  return keys.map((key, j) => (open(j) ? dot(query, key) / root : -Infinity));
}

const isReal = (/** @type {number} */ j) => j < SOURCE - 1;

/** @param {Problem} problem */
const answer = (problem) => mixed(scoresOf(problem, isReal), problem.values);

export default play({
  name: "cross_attention_row",
  title: "One row of cross-attention",
  ...TWO_DECIMALS,
  draw: (random) => ({
    query: wholes(random, WIDTH, -1, 2),
    asks: whole(random, 0, 1),
    keys: Array.from({ length: SOURCE }, () => wholes(random, WIDTH, -1, 2)),
    values: wholes(random, SOURCE, -9, 9),
  }),
  answer,
  mistakes: (problem) => {
    const { asks, values } = problem;
    const open = softmax(scoresOf(problem, () => true));
    return [
      {
        answer: mixed(
          scoresOf(problem, () => true),
          values,
        ),
        cause: "You gave the pad a weight. Mask it: its score becomes −∞ and its weight 0.",
      },
      {
        answer: mixed(
          scoresOf(problem, (j) => isReal(j) && j <= asks),
          values,
        ),
        cause:
          "You masked the tokens to the right, as in the decoder's self-attention. In cross-attention only the pad is masked.",
      },
      {
        answer: mixed(scoresOf(problem, isReal, 1), values),
        cause: "You did not divide the scores by the square root of the width: √4 = 2.",
      },
      {
        answer: [...open.map((w, j) => (isReal(j) ? w : 0)), dot(open.slice(0, -1), values)],
        cause:
          "You removed the pad's weight after the softmax, so the others no longer add up to 1. Mask it before the softmax.",
      },
    ];
  },
  show: (problem) => {
    const { query, asks, keys, values } = problem;
    const [scores, right] = [scoresOf(problem, isReal), answer(problem)];
    const powers = scores.slice(0, -1).map(Math.exp);
    const total = powers.reduce((a, b) => a + b, 0);
    const heads = [...indexed("k", query), "value"];
    return {
      task: `The decoder has written two tokens, and the encoder has read three tokens and a pad. The ${TARGETS[asks]} target token has the query q. Use scaled dot-product attention: what is the weight of each source token, and what is the context vector, here of width 1?`,
      given: [
        rowTable("query", "q", query),
        {
          caption: "keys and values of the source",
          heads,
          rows: NAMES,
          cells: keys.map((key, j) => [...key, values[j]]),
        },
      ],
      asked: {
        caption: "weights and context",
        heads: ["number"],
        rows: [...NAMES.map((name) => `weight of ${name}`), "context"],
      },
      way: [
        ...keys
          .slice(0, -1)
          .map(
            (key, j) =>
              `score of ${NAMES[j]}: (${productsOf(query, key)}) / 2 = ${format(scores[j], 3)}`,
          ),
        `score of the pad: −∞, so its weight is 0`,
        `exponentials: ${sumOf(powers, 3)} = ${format(total, 3)}`,
        `weights: ${powers.map((x) => `${format(x, 3)} / ${format(total, 3)} = ${format(x / total, 3)}`).join(", ")}`,
        `context: ${right
          .slice(0, 3)
          .map((w, j) => `${format(w, 3)} · ${inside(values[j])}`)
          .join(" + ")} = ${format(right[SOURCE], 3)}`,
      ],
      praise:
        "Two target tokens and four source tokens make a table of 2 × 4 weights. Both target tokens may attend to the same source tokens.",
    };
  },
});
