// @ts-check
// What attention costs: the multiply–adds of its parts.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { whole } from "../../kit/drills/draw.js";
import { COUNTS, WHOLE } from "../../kit/drills/judge.js";

/** @typedef {{T: number, D: number}} Problem */

const ROWS = ["scores QKᵀ", "one linear layer", "whole attention"];

/** @param {Problem} problem */
function answer({ T, D }) {
  return [T * T * D, T * D * D, 4 * T * D * D + 2 * T * T * D];
}

export default play({
  name: "multiply_adds",
  title: "What attention costs",
  ...WHOLE,
  note: "Whole numbers; one multiply–add is one product together with its addition.",
  reader: COUNTS,
  draw: (random) => ({ T: whole(random, 2, 12), D: whole(random, 2, 12) }),
  answer,
  mistakes: (problem) => {
    const { T, D } = problem;
    const [scores, layer, all] = answer(problem);
    return [
      {
        answer: [layer, scores, 4 * scores + 2 * layer],
        cause: "You swapped T and D: scores cost T²D, a linear layer costs TD².",
      },
      {
        answer: [2 * scores, 2 * layer, 2 * all],
        cause: "You counted products and additions separately. A multiply–add is both together.",
      },
      {
        answer: [T * T, T * D, 5 * T * D + T * T],
        cause:
          "This counts the entries of the results. Each entry is a sum of several products, and each product counts.",
      },
      {
        answer: [scores, layer, all - layer],
        cause: "One linear layer is missing. There are four: query, key, value and output.",
      },
      {
        answer: [scores, layer, all - scores],
        cause: "The product of weights and values is missing. It costs another T²D.",
      },
    ];
  },
  show: (problem) => {
    const { T, D } = problem;
    const [scores, layer, all] = answer(problem);
    return {
      task: `T = ${T} tokens of width D = ${D}. Count the multiply–adds of the scores QKᵀ, of one linear layer with its D × D weights, and of the whole attention with its four linear layers.`,
      given: [],
      asked: { caption: "cost", heads: ["multiply–adds"], rows: ROWS },
      way: [
        `QKᵀ has T · T entries, each made from D products: ${T} · ${T} · ${D} = ${format(scores)}`,
        `A linear layer has T · D entries, each made from D products: ${T} · ${D} · ${D} = ${format(layer)}`,
        `All: four linear layers, the scores, and the weights times V: 4 · ${format(layer)} + 2 · ${format(scores)} = ${format(all)}`,
      ],
      praise:
        T === 2 * D
          ? "Here T = 2D, so the tables and the linear layers cost the same."
          : `Here the ${T > 2 * D ? "tables cost more than the linear layers" : "linear layers cost more than the tables"}. At T = 2D they cost the same.`,
    };
  },
});
