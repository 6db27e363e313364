// @ts-check
// The log-probability of a sentence, and its perplexity.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { pick, sumOf, whole } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{words: string[], times: number[], of: number[]}} Problem `times[i]` of `of[i]` times the word came next */

const END = "⟨end⟩";
const SUBJECTS = ["anna", "paul", "everybody", "nobody"];
const VERBS = ["sings", "sleeps", "waits", "reads"];
const WHEN = ["today", "again", "here", "outside"];

/** @param {number[]} list */
const sum = (list) => list.reduce((a, b) => a + b, 0);

/** The natural logarithms of the probabilities. @param {Problem} problem */
const logsOf = ({ times, of }) => times.map((count, i) => Math.log(count / of[i]));

export default play({
  name: "perplexity_of_sentence",
  title: "The perplexity of a sentence",
  ...TWO_DECIMALS,
  draw: (random) => {
    const of = Array.from({ length: 4 }, () => whole(random, 2, 8));
    const times = of.map((count) => whole(random, 1, count - 1));
    const words = [SUBJECTS, VERBS, WHEN].map((list) => pick(random, list));
    return { words: [...words, END], times, of };
  },
  answer: (problem) => {
    const logs = logsOf(problem);
    return [sum(logs), Math.exp(-sum(logs) / logs.length)];
  },
  mistakes: (problem) => {
    const logs = logsOf(problem);
    const [total, count] = [sum(logs), logs.length];
    const right = Math.exp(-total / count);
    const spoken = sum(logs.slice(0, -1));
    return [
      {
        answer: [-total, right],
        cause: "The logarithm of a probability is negative, and so is their sum.",
      },
      {
        answer: [total / Math.LN10, right],
        cause: "You took logarithms to base 10. Take the natural one, ln.",
      },
      {
        answer: [total / Math.LN2, Math.exp(-total / Math.LN2 / count)],
        cause: "You took logarithms to base 2, but raised e to their mean. Take ln, or raise 2.",
      },
      {
        answer: [total, Math.exp(total / count)],
        cause:
          "That is the geometric mean of the probabilities, below 1. Perplexity is its inverse.",
      },
      {
        answer: [total, Math.exp(-total)],
        cause: "You did not divide by the number of words: perplexity is a mean for each word.",
      },
      {
        answer: [total, Math.exp(-total / (count - 1))],
        cause: `${END} is predicted like any word, so you divide by ${count}, not by ${count - 1}.`,
      },
      {
        answer: [total, Math.exp(-total / (count + 1))],
        cause: `⟨begin⟩ is given and never predicted: you divide by ${count}, not by ${count + 1}.`,
      },
      {
        answer: [total, sum(logs.map((log) => Math.exp(-log))) / count],
        cause: "You took the mean of 1 / p. First take the mean of the logarithms, then raise e.",
      },
      {
        answer: [spoken, Math.exp(-spoken / (count - 1))],
        cause: `${END} is missing. Without it the probabilities of the sentences of each length sum to 1, instead of those of all sentences.`,
      },
    ];
  },
  show: (problem) => {
    const { words, times, of } = problem;
    const [logs, contexts] = [logsOf(problem), ["⟨begin⟩", ...words.slice(0, -1)]];
    const [total, count] = [sum(logs), logs.length];
    return {
      task: `A bigram model reads “${words.slice(0, -1).join(" ")}”. The table says how often it has seen each step. Compute the log-probability of the whole sentence with the natural logarithm, and its perplexity, exp(−log-probability / number of words); ${END} counts as a word.`,
      given: [
        {
          caption: "what came next",
          heads: ["times", "of"],
          rows: words.map((word, i) => `${contexts[i]} → ${word}`),
          cells: words.map((_, i) => [times[i], of[i]]),
        },
      ],
      asked: {
        caption: "the sentence",
        heads: ["number"],
        rows: ["log-probability", "perplexity"],
      },
      way: [
        ...words.map(
          (word, i) => `ln P(${word}) = ln(${times[i]}/${of[i]}) = ${format(logs[i], 3)}`,
        ),
        `Their sum: ${sumOf(logs, 3)} = ${format(total, 3)}`,
        `perplexity: e^(${format(-total, 3)} / ${count}) = e^${format(-total / count, 3)} = ${format(Math.exp(-total / count), 3)}`,
      ],
      praise: `On the whole the model is as uncertain as one that chooses at each word among ${format(Math.exp(-total / count), 1)} equally likely words.`,
    };
  },
});
