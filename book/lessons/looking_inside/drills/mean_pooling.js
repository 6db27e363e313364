// @ts-check
// The vector of a sentence: the mean over its real tokens, special ones included, pads left out.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { pick, shuffled, sumOf, whole, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{tokens: string[], vectors: number[][]}} Problem */

const PLACES = 6;
const SPECIAL = 2; // [CLS] and [SEP]
const WORDS = ["birds", "sing", "cats", "sleep", "rain", "falls", "dogs", "run"];

/** Each of the two numbers, summed over some tokens. @param {number[][]} vectors */
const sums = (vectors) => [0, 1].map((d) => vectors.reduce((total, x) => total + x[d], 0));

/** @param {number[][]} vectors @param {number} count */
const over = (vectors, count) => sums(vectors).map((x) => x / count);

/** The vectors of the real tokens. @param {Problem} problem */
const real = ({ tokens, vectors }) => vectors.filter((_, t) => tokens[t] !== "[PAD]");

export default play({
  name: "mean_pooling",
  title: "A sentence’s vector: the mean over its real tokens",
  ...TWO_DECIMALS,
  draw: (random) => {
    const count = whole(random, 1, PLACES - SPECIAL - 1);
    const words = shuffled(random, WORDS).slice(0, count);
    const pads = Array.from({ length: PLACES - SPECIAL - count }, () => "[PAD]");
    const numbers = () => wholes(random, 2, -4, 6).map((x) => x || pick(random, [1, 2]));
    const tokens = ["[CLS]", ...words, "[SEP]", ...pads];
    return { tokens, vectors: tokens.map(numbers) };
  },
  answer: (problem) => {
    const count = real(problem).length;
    return [count, ...over(real(problem), count)];
  },
  mistakes: (problem) => {
    const { vectors } = problem;
    const kept = real(problem);
    const count = kept.length;
    return [
      {
        answer: [count, ...over(kept, PLACES)],
        cause: `The sum is right, but you divided by T = ${PLACES}. Divide by the number of real tokens.`,
      },
      {
        answer: [PLACES, ...over(vectors, PLACES)],
        cause:
          "You included the padding in the sum and in the count, so the vector would change with the batch.",
      },
      {
        answer: [count, ...over(vectors, count)],
        cause:
          "The vectors of the padding tokens are still in the sum. They have values, but no meaning.",
      },
      {
        answer: [count - SPECIAL, ...over(kept.slice(1, -1), count - SPECIAL)],
        cause: "[CLS] and [SEP] are real tokens too: this model includes them in the mean.",
      },
      {
        answer: [1, ...vectors[0]],
        cause:
          "That is the vector of [CLS] alone. Some models use it, but here all real tokens count.",
      },
      {
        answer: [count, ...sums(kept)],
        cause: "That is the sum. Divide it by the number of real tokens.",
      },
    ];
  },
  show: (problem) => {
    const { tokens, vectors } = problem;
    const kept = real(problem);
    const count = kept.length;
    const lines = [0, 1].map((d) => {
      const list = kept.map((x) => x[d]);
      const total = sums(kept)[d];
      return `x${"₁₂"[d]}: (${sumOf(list)}) / ${count} = ${format(total)} / ${count} = ${format(total / count, 3)}`;
    });
    return {
      task: "The last layer of an encoder returned these vectors for a sentence in a batch. Compute the sentence’s vector: the mean over its real tokens, [CLS] and [SEP] included.",
      given: [{ caption: "the last layer", heads: ["x₁", "x₂"], rows: tokens, cells: vectors }],
      asked: {
        caption: "the sentence",
        heads: ["answer"],
        rows: ["real tokens", "mean of x₁", "mean of x₂"],
      },
      way: [
        `Real tokens: ${tokens.slice(0, count).join(", ")}. There are ${count} of them. Padding does not count.`,
        ...lines,
      ],
      praise:
        "The mean stays the same with any number of padding tokens. Divided by its length, it can be compared with the vectors of other sentences.",
    };
  },
});
