// @ts-check
// How many weights a small GPT has, part by part, as the published sizes are counted.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { pick, whole } from "../../kit/drills/draw.js";
import { COUNTS, WHOLE } from "../../kit/drills/judge.js";

/** @typedef {{layers: number, D: number, H: number, M: number, V: number, P: number}} Problem */

const ROWS = ["embedding", "attention", "feed-forward", "norms", "the model"];

/** Embedding, attention, feed-forward and norms, and with what else counts, all. @param {number[]} parts */
const withTotal = (parts, more = 0) => [...parts, parts.reduce((sum, part) => sum + part, more)];

/** @param {Problem} problem */
function partsOf({ layers, D, M, V, P }) {
  const [attention, hidden] = [4 * (D * D + D), 2 * D * M + M + D];
  return [(V + P) * D, layers * attention, layers * hidden, (2 * layers + 1) * 2 * D];
}

/** @param {Problem} problem */
function answer(problem) {
  return withTotal(partsOf(problem));
}

/** @param {Problem} problem @returns {import("../../kit/drills/judge.js").Mistake[]} */
function mistakes(problem) {
  const { layers, D, H, M, V } = problem;
  const [embedding, attention, hidden, norms] = partsOf(problem);
  return [
    {
      answer: withTotal([embedding, layers * 4 * D * D, layers * 2 * D * M, norms]),
      cause: "The biases are missing. Each linear layer adds one number for each of its outputs.",
    },
    {
      answer: withTotal([embedding, attention, hidden, 0]),
      cause: "The norms have weights too: a gain and a shift for each of the D numbers of a token.",
    },
    {
      answer: withTotal([embedding, attention, hidden, layers * 4 * D]),
      cause: "One norm is missing: the last one, after all layers.",
    },
    {
      answer: withTotal([embedding, attention, hidden, norms], V * D),
      cause: "The output uses the token table again. A tied table exists once and counts once.",
    },
    {
      answer: withTotal([embedding, H * attention, hidden, norms]),
      cause: "The heads divide the width D among them. More heads do not add weights.",
    },
    {
      answer: withTotal([embedding, layers * 3 * (D * D + D), hidden, norms]),
      cause: "Attention has four linear layers: query, key, value, and the one after the heads.",
    },
    {
      answer: withTotal([V * D, attention, hidden, norms]),
      cause:
        "The positions are learned here: their table has a row of D numbers for each position.",
    },
    {
      answer: withTotal([embedding, attention / layers, hidden / layers, 6 * D]),
      cause: "This is one layer. Each layer has an attention, a feed-forward layer and two norms.",
    },
  ];
}

export default play({
  name: "parameter_count",
  title: "Count a small GPT",
  ...WHOLE,
  note: "Whole numbers. Every linear layer has a bias, except the output, which is tied.",
  reader: COUNTS,
  draw: (random) => {
    const [H, K] = [pick(random, [3, 4]), whole(random, 1, 3)];
    const M = H * K * pick(random, [2, 3, 4]);
    const tables = { V: whole(random, 20, 60), P: whole(random, 5, 15) };
    return { layers: whole(random, 2, 6), D: H * K, H, M, ...tables };
  },
  answer,
  mistakes,
  show: (problem) => {
    const { layers, D, H, M, V, P } = problem;
    const [embedding, attention, hidden, norms, all] = answer(problem);
    const linears = `${layers} · 4 · (${D} · ${D} + ${D})`;
    const upAndDown = `${layers} · ((${D} · ${M} + ${M}) + (${M} · ${D} + ${D}))`;
    return {
      task: `A small GPT knows ${V} tokens and ${P} learned positions. It has ${layers} layers of width D = ${D}, with H = ${H} heads and M = ${M} hidden units, two norms in each layer and one after all of them. Its output is tied to the token table. How many weights does it have?`,
      given: [],
      asked: { caption: "weights", heads: ["weights"], rows: ROWS },
      way: [
        `Embedding, a row for each token and each position: (${V} + ${P}) · ${D} = ${format(embedding)}`,
        `Attention, four linear layers in each layer: ${linears} = ${format(attention)}`,
        `Feed-forward, up and down in each layer: ${upAndDown} = ${format(hidden)}`,
        `Norms, each with a gain and a shift: (2 · ${layers} + 1) · 2 · ${D} = ${format(norms)}`,
        `The model: ${format(embedding)} + ${format(attention)} + ${format(hidden)} + ${format(norms)} = ${format(all)}. The output adds nothing.`,
      ],
      praise:
        "With D = 768, M = 3,072, 12 layers, 50,257 tokens and 1,024 positions the same sum gives the 124,439,808 weights of the smallest GPT-2.",
    };
  },
});
