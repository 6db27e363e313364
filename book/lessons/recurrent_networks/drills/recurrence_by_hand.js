// @ts-check
// Three steps of a recurrence of width 1: h = tanh(w x + u h + b).

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { inside, pick, rowTable, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{x: number[], w: number, u: number, b: number}} Problem */

const STEPS = ["h₁", "h₂", "h₃"];
const WEIGHTS = [-1.5, -1, -0.5, 0.5, 1, 1.5];

/**
 * What a cell passes on, step by step; `cell` gets the input and what was passed on before.
 * @param {number[]} x @param {(x: number, before: number, step: number) => number} cell
 */
function passed(x, cell) {
  let before = 0;
  return x.map((input, step) => (before = cell(input, before, step)));
}

/** @param {Problem} problem */
const answer = ({ x, w, u, b }) => passed(x, (input, h) => Math.tanh(w * input + u * h + b));

export default play({
  name: "recurrence_by_hand",
  title: "Three steps of a recurrence",
  ...TWO_DECIMALS,
  draw: (random) => ({
    x: wholes(random, 3, -2, 2),
    w: pick(random, WEIGHTS),
    u: pick(random, WEIGHTS),
    b: pick(random, [-0.5, 0.5]),
  }),
  answer,
  mistakes: ({ x, w, u, b }) => [
    {
      answer: passed(x, (input, h) => w * input + u * h + b),
      cause: "The tanh is missing: each state is between −1 and 1.",
    },
    {
      answer: x.map((input) => Math.tanh(w * input + b)),
      cause: "Each step started from zero. Add u times the state of the step before.",
    },
    {
      answer: passed(x, (input, h) => Math.tanh(u * input + w * h + b)),
      cause: "w and u are exchanged: w belongs to the input, u to the state before.",
    },
    {
      answer: passed(x, (input, h) => Math.tanh(w * input + u * h)),
      cause: "The bias b is missing. It is added at every step.",
    },
    {
      answer: passed(x, (input, h) => Math.tanh(w * input + u * h) + b),
      cause: "You added b after the tanh. It belongs inside.",
    },
    {
      answer: passed(x, (input, sum) => w * input + u * sum + b).map(Math.tanh),
      cause: "You passed on the sum before the tanh. Pass on h, the value after the tanh.",
    },
    {
      answer: x.map((input, i) => Math.tanh(w * input + u * (x[i - 1] ?? 0) + b)),
      cause: "You used the input of the previous step. The recurrence uses the state h.",
    },
  ],
  show: (problem) => {
    const { x, w, u, b } = problem;
    const states = answer(problem);
    const line = (/** @type {number} */ i) => {
      const before = i ? states[i - 1] : 0;
      const sum = w * x[i] + u * before + b;
      const terms = `${format(w)} · ${inside(x[i])} + ${inside(u)} · ${inside(before, 3)} + ${inside(b)}`;
      return `${STEPS[i]} = tanh(${terms}) = tanh(${format(sum, 3)}) = ${format(states[i], 3)}`;
    };
    return {
      task: "A recurrent cell of width 1 reads three inputs: h = tanh(w · x + u · h before + b). It starts with h₀ = 0. Compute its three states.",
      given: [
        rowTable("inputs", "x", x),
        {
          caption: "the cell, the same at every step",
          heads: ["w", "u", "b"],
          rows: ["weight"],
          cells: [[w, u, b]],
        },
      ],
      asked: { caption: "states", heads: ["state"], rows: STEPS },
      way: x.map((_, i) => line(i)),
      praise: "The last state has seen all three inputs, the first of them through u twice.",
    };
  },
});
