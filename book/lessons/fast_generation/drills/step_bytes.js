// @ts-check
// What a decoding step reads: the weights once, the cache of every text, and how long that takes.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { pick, whole } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/**
 * @typedef {{billions: number, bits: number, layers: number, heads: number, tokens: number,
 *   texts: number, bandwidth: number}} Problem
 */

const WIDTH = 128;
const GIGA = 1e9;

/** Gigabytes of weights. @param {Problem} problem */
const weightsOf = ({ billions, bits }) => (billions * bits) / 8;

/** Gigabytes of keys and values, 2 bytes each, of all texts. @param {Problem} problem */
const cacheOf = ({ layers, heads, tokens, texts }) =>
  (2 * 2 * layers * heads * WIDTH * tokens * texts) / GIGA;

/** Both, and the milliseconds of reading them. @param {number} weights @param {number} cache @param {number} bandwidth */
const step = (weights, cache, bandwidth) => [
  weights,
  cache,
  (1000 * (weights + cache)) / bandwidth,
];

/** @param {Problem} problem */
const answer = (problem) => step(weightsOf(problem), cacheOf(problem), problem.bandwidth);

/** @param {Problem} problem @returns {import("../../kit/drills/judge.js").Mistake[]} */
function mistakes(problem) {
  const { billions, texts, bandwidth } = problem;
  const [weights, cache, milliseconds] = answer(problem);
  return [
    {
      answer: step(weights, cache / 2, bandwidth),
      cause:
        "Only keys or only values are counted, or one byte a number. Each token has both, in 2 bytes.",
    },
    {
      answer: step(weights, cache / texts, bandwidth),
      cause: `This is the cache of one text. Each of the ${texts} texts has its own.`,
    },
    {
      answer: [weights, cache, (1000 * (texts * weights + cache)) / bandwidth],
      cause:
        "The time counts the weights once for each text. One reading serves all texts of a step.",
    },
    {
      answer: [weights, cache, (1000 * weights) / bandwidth],
      cause: "The sizes are right. The time leaves out the cache, which a step reads as well.",
    },
    {
      answer: step(billions, cache, bandwidth),
      cause: `Weights are counted as bytes. Each has ${problem.bits} bits; a byte has 8.`,
    },
    {
      answer: step(billions * problem.bits, cache, bandwidth),
      cause: "These are bits. Divide by 8.",
    },
    {
      answer: [weights, cache, milliseconds / 1000],
      cause: "The time is in seconds. Multiply by 1,000.",
    },
  ];
}

export default play({
  name: "step_bytes",
  title: "What one decoding step reads",
  ...TWO_DECIMALS,
  draw: (random) => ({
    billions: pick(random, [2, 4, 7, 8, 14]),
    bits: pick(random, [4, 16]),
    layers: pick(random, [16, 32, 40]),
    heads: pick(random, [4, 8]),
    tokens: 1000 * whole(random, 1, 8),
    texts: whole(random, 2, 16),
    bandwidth: 100 * whole(random, 2, 20),
  }),
  answer,
  mistakes,
  show: (problem) => {
    const { billions, bits, layers, heads, tokens, texts, bandwidth } = problem;
    const [weights, cache, milliseconds] = answer(problem);
    const bytes = 4 * layers * heads * WIDTH;
    const named = /** @type {[string, number][]} */ ([
      ["billion weights", billions],
      ["bits of a weight", bits],
      ["layers", layers],
      ["heads of keys and values", heads],
      ["width of a head", WIDTH],
      ["texts", texts],
      ["tokens in each text", tokens],
      ["GB a second", bandwidth],
    ]);
    return {
      task: "A server writes one token in each text. Keys and values have 2 bytes a number. How many GB of weights and of cache does the step read, and how many milliseconds does the reading take? (1 GB is 10⁹ bytes.)",
      given: [
        {
          caption: "model and server",
          heads: ["value"],
          rows: named.map(([name]) => name),
          cells: named.map(([, value]) => [value]),
        },
      ],
      asked: {
        caption: "one step",
        heads: ["answer"],
        rows: ["GB of weights", "GB of cache", "milliseconds"],
      },
      way: [
        `Weights: ${billions} · ${bits} / 8 = ${format(weights)} GB`,
        `Cache of a token: 2 · ${layers} · ${heads} · ${WIDTH} numbers of 2 bytes = ${format(bytes)} bytes`,
        `All texts: ${format(bytes)} · ${tokens} · ${texts} bytes = ${format(cache, 3)} GB`,
        `Time: (${format(weights)} + ${format(cache, 3)}) / ${bandwidth} s = ${format(milliseconds, 3)} ms`,
      ],
      praise: `In this time the step writes ${texts} tokens, one for each text.`,
    };
  },
});
