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
        cause: "The pad has got a weight. Hide it: its score becomes −∞, and its weight 0.",
      },
      {
        answer: mixed(
          scoresOf(problem, (j) => isReal(j) && j <= asks),
          values,
        ),
        cause:
          "You hid what stands to the right, as in the decoder's self-attention. The source is all there: only its pad is hidden.",
      },
      {
        answer: mixed(scoresOf(problem, isReal, 1), values),
        cause: "The scores are not divided by the root of the width: √4 = 2.",
      },
      {
        answer: [...open.map((w, j) => (isReal(j) ? w : 0)), dot(open.slice(0, -1), values)],
        cause:
          "You took the pad's weight away after the softmax, so the others no longer add up to 1. Hide it before.",
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
      task: `The decoder has written two tokens, the encoder has read three and a pad. The ${TARGETS[asks]} target token asks with the query q. With scaled dot-product attention, how much weight does each source token get, and what is the context, here of width 1?`,
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
        `powers of e: ${sumOf(powers, 3)} = ${format(total, 3)}`,
        `weights: ${powers.map((x) => `${format(x, 3)} / ${format(total, 3)} = ${format(x / total, 3)}`).join(", ")}`,
        `context: ${right
          .slice(0, 3)
          .map((w, j) => `${format(w, 3)} · ${inside(values[j])}`)
          .join(" + ")} = ${format(right[SOURCE], 3)}`,
      ],
      praise:
        "Two target tokens and four source tokens make a table of 2 × 4 weights. Which of the two asked made no difference to what may be seen.",
    };
  },
});
