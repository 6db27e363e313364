// @ts-check
// The gradient of a whole batch from the workers' own: weighted by their tokens.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { inside, pick, sumOf, whole } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{sentences: number[], tokens: number[], gradients: number[]}} Problem */

/** @param {number[]} list */
const total = (list) => list.reduce((sum, x) => sum + x, 0);

/** Worker 0's share, and the sum of gradients, each times its share. @param {number[]} sizes @param {number[]} gradients */
function weighted(sizes, gradients) {
  const shares = sizes.map((size) => size / total(sizes));
  return [shares[0], total(gradients.map((g, m) => shares[m] * g))];
}

/** @param {Problem} problem */
const answer = ({ tokens, gradients }) => weighted(tokens, gradients);

/** @param {Problem} problem @returns {import("../../kit/drills/judge.js").Mistake[]} */
function mistakes(problem) {
  const { sentences, tokens, gradients } = problem;
  const [share, right] = answer(problem);
  const n = tokens.length;
  return [
    {
      answer: [1 / n, total(gradients) / n],
      cause: "That is the mean of means: a worker with few tokens counts as much as one with many.",
    },
    {
      answer: [1, total(gradients)],
      cause: "That is the sum of the gradients. Each is already a mean. Weight them, then add.",
    },
    {
      answer: weighted(sentences, gradients),
      cause: "You weighted by sentences. The loss is a mean over tokens, so weight by tokens.",
    },
    {
      answer: [share, right / n],
      cause: `You also took the mean over the workers, which divides by ${n} once more. If an engine does that, multiply each loss by ${n} first.`,
    },
    {
      answer: [n * share, n * right],
      cause: `The factor ${n} is needed only if an engine takes the mean over the workers afterwards. Here the parts are added.`,
    },
    {
      answer: [tokens[0], total(gradients.map((g, m) => tokens[m] * g))],
      cause: "You summed over all tokens and did not divide by their number.",
    },
    {
      answer: [share, total(gradients.map((g, m) => tokens[m] * g)) / n],
      cause: "You summed over all tokens and divided by the workers. Divide by all tokens.",
    },
  ];
}

export default play({
  name: "gradient_average",
  title: "One gradient from several workers",
  ...TWO_DECIMALS,
  draw: (random) => {
    const workers = Array.from({ length: pick(random, [2, 3]) });
    const sentences = workers.map(() => whole(random, 1, 4));
    const tokens = sentences.map((count) => count * whole(random, 1, 5) + whole(random, 0, 3));
    return { sentences, tokens, gradients: workers.map(() => whole(random, -6, 9)) };
  },
  answer,
  mistakes,
  show: (problem) => {
    const { sentences, tokens, gradients } = problem;
    const [share, right] = answer(problem);
    const [n, all] = [tokens.length, total(tokens)];
    const products = gradients.map((g, m) => tokens[m] * g);
    return {
      task: `${n} workers share a batch. Each has taken the gradient of the mean loss over its own tokens. Which gradient would one worker with the whole batch get, and with which weight does the gradient of worker 0 count?`,
      given: [
        {
          caption: "what each worker has",
          heads: ["sentences", "tokens", "gradient"],
          rows: tokens.map((_, m) => `worker ${m}`),
          cells: tokens.map((count, m) => [sentences[m], count, gradients[m]]),
        },
      ],
      asked: {
        caption: "the whole batch",
        heads: ["answer"],
        rows: ["share of worker 0", "gradient"],
      },
      way: [
        `All tokens: ${sumOf(tokens)} = ${all}`,
        `Fraction of worker 0: ${tokens[0]} / ${all} = ${format(share, 3)}`,
        `Tokens times gradient: ${tokens.map((count, m) => `${count} · ${inside(gradients[m])} = ${format(products[m])}`).join(", ")}`,
        `Their sum over all tokens: (${sumOf(products)}) / ${all} = ${format(total(products))} / ${all} = ${format(right, 3)}`,
      ],
      praise: "This gradient is the same for every division of the batch.",
    };
  },
});
