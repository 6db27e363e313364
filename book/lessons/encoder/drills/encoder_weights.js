// @ts-check
// How many weights an encoder has, part by part.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { pick, whole } from "../../kit/drills/draw.js";
import { COUNTS, WHOLE } from "../../kit/drills/judge.js";

/** @typedef {{layers: number, D: number, H: number, M: number}} Problem */

const ROWS = ["one attention", "one feed-forward layer", "the norms of one layer", "the encoder"];

/** The four counts from those of the parts of one layer. @param {number[]} parts @param {number} layers */
const total = (parts, layers) => [...parts, layers * parts.reduce((sum, part) => sum + part, 0)];

/** @param {Problem} problem */
function parts({ D, M }) {
  return [4 * (D * D + D), 2 * D * M + M + D, 4 * D];
}

/** @param {Problem} problem */
function answer(problem) {
  return total(parts(problem), problem.layers);
}

/** @param {Problem} problem @returns {import("../../kit/drills/judge.js").Mistake[]} */
function mistakes(problem) {
  const { layers, D, H, M } = problem;
  const [attention, ff, norms] = parts(problem);
  const one = attention + ff + norms;
  return [
    {
      answer: total([4 * D * D, 2 * D * M, norms], layers),
      cause: "The biases are missing. Each linear layer adds one number for each of its outputs.",
    },
    {
      answer: total([3 * (D * D + D), ff, norms], layers),
      cause: "Attention has four linear layers: query, key, value, and the one after the heads.",
    },
    {
      answer: total([H * attention, ff, norms], layers),
      cause: "The heads divide the width D among them. More heads do not add weights.",
    },
    {
      answer: total([attention, 2 * D * M + 2 * M, norms], layers),
      cause: "The second bias of the feed-forward layer is as long as its output: D, not M.",
    },
    {
      answer: total([attention, ff, 2 * D], layers),
      cause: "A layer has two norms, and each has a gain and a shift: 2D numbers in each norm.",
    },
    {
      answer: [attention, ff, norms, one],
      cause: "This is one layer. Each layer of the encoder has its own weights.",
    },
    {
      answer: [attention, ff, norms, layers * (one + attention)],
      cause: "An encoder layer has one attention. The second one belongs to the decoder.",
    },
  ];
}

export default play({
  name: "encoder_weights",
  title: "Count an encoder",
  ...WHOLE,
  note: "Whole numbers. Every linear layer has a bias.",
  reader: COUNTS,
  draw: (random) => {
    const [H, K] = [pick(random, [3, 4]), whole(random, 1, 3)];
    return { layers: whole(random, 2, 6), D: H * K, H, M: H * K * pick(random, [2, 3, 4]) };
  },
  answer,
  mistakes,
  show: (problem) => {
    const { layers, D, H, M } = problem;
    const [attention, ff, norms, all] = answer(problem);
    return {
      task: `An encoder of ${layers} layers has the width D = ${D}, H = ${H} heads and M = ${M} hidden units. Each layer has two layer norms; after the last layer there is none. How many weights does each part have, biases and norms included?`,
      given: [],
      asked: { caption: "weights", heads: ["weights"], rows: ROWS },
      way: [
        `Attention, four linear layers of D · D weights and D biases: 4 · (${D} · ${D} + ${D}) = ${format(attention)}`,
        `Feed-forward, up and down: (${D} · ${M} + ${M}) + (${M} · ${D} + ${D}) = ${format(ff)}`,
        `Norms, two with a gain and a shift each: 2 · 2 · ${D} = ${format(norms)}`,
        `All: ${layers} · (${format(attention)} + ${format(ff)} + ${format(norms)}) = ${format(all)}`,
      ],
      praise: `${Math.round((100 * ff) / (attention + ff + norms))} in 100 weights of this encoder are in its feed-forward layers.`,
    };
  },
});
