// @ts-check
// How many numbers one layer keeps of a text, for five kinds of attention.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { pick, whole } from "../../kit/drills/draw.js";
import { COUNTS, WHOLE } from "../../kit/drills/judge.js";

/** @typedef {{tokens: number, heads: number, groups: number, width: number, latent: number, rotary: number, window: number}} Problem */

const ROWS = ["all heads", "groups", "latent", "groups, window", "state"];

/** @param {Problem} problem */
function answer({ tokens, heads, groups, width, latent, rotary, window }) {
  return [
    2 * heads * width * tokens,
    2 * groups * width * tokens,
    (latent + rotary) * tokens,
    2 * groups * width * window,
    heads * width * width,
  ];
}

/** @param {Problem} problem @returns {import("../../kit/drills/judge.js").Mistake[]} */
function mistakes(problem) {
  const { tokens, heads, width, latent, window } = problem;
  const [all, grouped, short, near, state] = answer(problem);
  return [
    {
      answer: [all / 2, grouped / 2, short, near / 2, state],
      cause: "Each head keeps a key and a value of each token: two vectors, not one.",
    },
    {
      answer: [all, grouped, latent * tokens, near, state],
      cause: "Latent attention also keeps the rotated key of each token, once for all heads.",
    },
    {
      answer: [all, grouped, 2 * short, near, state],
      cause: "Keys and values are made from the same latent. It is kept once.",
    },
    {
      answer: [all, grouped, heads * short, near, state],
      cause: "All heads share one latent and one rotated key.",
    },
    {
      answer: [all, grouped, short, grouped, state],
      cause: "A window keeps only its own tokens, however long the text is.",
    },
    {
      answer: [all, grouped, short, 2 * heads * width * window, state],
      cause: "The window has groups of keys and values here, not one for each head.",
    },
    {
      answer: [all, grouped, short, near, state * tokens],
      cause: "A state is one matrix for each head. It does not grow with the text.",
    },
    {
      answer: [all, grouped, short, near, width * width],
      cause: "Each head has a state of its own.",
    },
    {
      answer: [all, all, short, near, state],
      cause: "Heads of one group share a key and a value: count the groups.",
    },
  ];
}

export default play({
  name: "kept_numbers",
  title: "What one layer keeps of a text",
  ...WHOLE,
  note: "Whole numbers: numbers, not bytes.",
  reader: COUNTS,
  draw: (random) => ({
    tokens: 10 * whole(random, 4, 9),
    heads: pick(random, [6, 8]),
    groups: 2,
    width: whole(random, 3, 5),
    latent: whole(random, 6, 9),
    rotary: 2,
    window: whole(random, 11, 20),
  }),
  answer,
  mistakes,
  show: (problem) => {
    const { tokens, heads, groups, width, latent, rotary, window } = problem;
    const [all, grouped, short, near, state] = answer(problem);
    return {
      task: `A layer has ${heads} query heads of width ${width} and has read ${tokens} tokens. How many numbers does it keep: with keys and values for all heads; with ${groups} groups; with a latent of width ${latent} and a rotated key of width ${rotary}; with ${groups} groups and a window of ${window}; with a state for each head?`,
      given: [],
      asked: { caption: "kept by one layer", heads: ["numbers"], rows: ROWS },
      way: [
        `All heads: 2 · ${heads} · ${width} · ${tokens} = ${format(all)}`,
        `Groups: 2 · ${groups} · ${width} · ${tokens} = ${format(grouped)}`,
        `Latent and rotated key: (${latent} + ${rotary}) · ${tokens} = ${format(short)}`,
        `Groups and a window: 2 · ${groups} · ${width} · ${window} = ${format(near)}`,
        `A state, ${width} × ${width} for each head: ${heads} · ${width} · ${width} = ${format(state)}`,
      ],
      praise: "Only the last two would be the same for a text that is ten times as long.",
    };
  },
});
