// @ts-check
// One row of additive attention: energies from a small network, weights, and the context.

import { format } from "../../kit/figures/kit.js";
import { dot, softmax } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { inside, pick, productsOf, sumOf, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{state: number[], keys: number[][], v: number[], notes: number[]}} Problem W_q s, each W_k h, v, each h */

const NAMES = ["le", "chat", "dort"];

/** @param {number[]} a @param {number[]} b */
const plus = (a, b) => a.map((x, i) => x + b[i]);

/** Energies, weights and context, from the energies. @param {number[]} energies @param {number[]} notes */
function boxes(energies, notes) {
  const weights = softmax(energies);
  return [...energies, ...weights, dot(weights, notes)];
}

/** The energy of each source word. @param {Problem} problem */
function energiesOf({ state, keys, v }) {
  return keys.map((key) => dot(v, plus(state, key).map(Math.tanh)));
}

/** Multiples of one half. @param {import("../../kit/drills/draw.js").Random} random */
const halves = (random) => wholes(random, 2, -2, 2).map((x) => x / 2);

export default play({
  name: "additive_attention_row",
  title: "One row of additive attention",
  ...TWO_DECIMALS,
  draw: (random) => ({
    state: halves(random),
    keys: NAMES.map(() => halves(random)),
    v: [0, 1].map(() => pick(random, [-2, -1, 1, 2])),
    notes: wholes(random, NAMES.length, -5, 9),
  }),
  answer: (problem) => boxes(energiesOf(problem), problem.notes),
  mistakes: (problem) => {
    const { state, keys, v, notes } = problem;
    const energies = energiesOf(problem);
    const total = energies.reduce((a, b) => a + b, 0);
    const shares = energies.map((energy) => energy / total);
    const of = (/** @type {(key: number[]) => number} */ energy) => boxes(keys.map(energy), notes);
    return [
      {
        answer: of((key) => dot(v, plus(state, key))),
        cause: "The tanh is missing between the sum and v.",
      },
      {
        answer: of((key) => Math.tanh(dot(v, plus(state, key)))),
        cause: "Apply the tanh before v, to each of the two entries of the sum.",
      },
      {
        answer: of((key) => dot(state, key)),
        cause:
          "That is the dot product of the two. Additive attention adds them, takes tanh, and then multiplies by v.",
      },
      {
        answer: of((key) => dot([1, 1], plus(state, key).map(Math.tanh))),
        cause: "v is missing: each entry after tanh is multiplied by its entry of v.",
      },
      {
        answer: of(() => dot(v, state.map(Math.tanh))),
        cause:
          "The source words are missing from the energies: add W_k h, a different one for each word.",
      },
      {
        answer: of((key) => dot(v, key.map(Math.tanh))),
        cause: "The decoder's state is missing from the energies: add W_q s to each W_k h.",
      },
      {
        answer: [...energies, ...shares, dot(shares, notes)],
        cause: "You divided each energy by their sum. Weights are the softmax: powers of e first.",
      },
      {
        answer: [...energies, ...softmax(energies), dot([1, 1, 1], notes)],
        cause: "You added the annotations as they are. Multiply each by its weight first.",
      },
    ];
  },
  show: (problem) => {
    const { state, keys, v, notes } = problem;
    const energies = energiesOf(problem);
    const powers = energies.map(Math.exp);
    const total = powers.reduce((a, b) => a + b, 0);
    const weights = powers.map((power) => power / total);
    const energyLine = (/** @type {number[]} */ key, /** @type {number} */ j) => {
      const tanhs = plus(state, key).map((x) => Number(Math.tanh(x).toFixed(3)));
      return `energy of ${NAMES[j]}: ${productsOf(v, tanhs)} = ${format(energies[j], 3)}`;
    };
    return {
      task: "A decoder's state s attends to three source words with the annotations h, here of width 1. W_q s and each W_k h are given. Compute the energies v · tanh(W_q s + W_k h), the weights, and the context: the annotations mixed by their weights.",
      given: [
        { caption: "state and v", heads: ["1", "2"], rows: ["W_q s", "v"], cells: [state, v] },
        {
          caption: "source words",
          heads: ["W_k h, 1", "W_k h, 2", "h"],
          rows: NAMES,
          cells: keys.map((key, j) => [...key, notes[j]]),
        },
      ],
      asked: {
        caption: "from energies to context",
        heads: ["number"],
        rows: [
          ...NAMES.map((name) => `energy of ${name}`),
          ...NAMES.map((name) => `weight of ${name}`),
          "context",
        ],
      },
      way: [
        ...keys.map(
          (key, j) =>
            `W_q s + W_k h of ${NAMES[j]}: ${plus(state, key)
              .map((x) => `tanh(${format(x)}) = ${format(Math.tanh(x), 3)}`)
              .join(", ")}`,
        ),
        ...keys.map(energyLine),
        `powers of e: ${sumOf(powers, 3)} = ${format(total, 3)}`,
        `weights: ${weights.map((w) => format(w, 3)).join(", ")}`,
        `context: ${weights.map((w, j) => `${format(w, 3)} · ${inside(notes[j])}`).join(" + ")} = ${format(dot(weights, notes), 3)}`,
      ],
      praise:
        "The next target word has its own state, so the same annotations are mixed with other weights.",
    };
  },
});
