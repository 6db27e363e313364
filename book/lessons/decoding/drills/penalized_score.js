// @ts-check
// The length penalty: which of two finished texts wins.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { inside, pick, whole } from "../../kit/drills/draw.js";
import { THREE_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{lengths: number[], logProbs: number[]}} Problem of a shorter and a longer text */

const TEXTS = ["shorter", "longer"];
const LENGTHS = [1, 4, 7, 10, 13]; // their penalties are 1, 1.5, 2, 2.5 and 3

/** Row by row: the penalty of a length, and the score. @param {Problem} problem @param {(length: number) => number} [penalty] @param {(logProb: number, penalty: number) => number} [score] */
function boxes({ lengths, logProbs }, penalty = (n) => (5 + n) / 6, score = (x, p) => x / p) {
  return lengths.flatMap((n, i) => [penalty(n), score(logProbs[i], penalty(n))]);
}

export default play({
  name: "penalized_score",
  title: "The length penalty",
  ...THREE_DECIMALS,
  note: `${THREE_DECIMALS.note} Fractions like −7/4 are read too.`,
  draw: (random) => {
    const short = pick(random, LENGTHS.slice(0, 4));
    const long = pick(
      random,
      LENGTHS.filter((length) => length > short),
    );
    const first = -whole(random, 10, 30) / 10;
    return { lengths: [short, long], logProbs: [first, first - whole(random, 4, 30) / 10] };
  },
  answer: (problem) => boxes(problem),
  mistakes: (problem) => [
    {
      answer: boxes(problem, (n) => n),
      cause:
        "You divided by the length itself, which gives the mean per word. The penalty is (5 + length) / 6.",
    },
    {
      answer: boxes(problem, undefined, (x, p) => x * p),
      cause: "You multiplied by the penalty. Divide the log-probability by it.",
    },
    {
      answer: boxes(problem, undefined, (x) => x),
      cause: "The penalties are right. The scores are the log-probabilities divided by them.",
    },
    {
      answer: boxes(problem, (n) => 6 / (5 + n)),
      cause: "The fraction is upside down. It is (5 + length) / 6.",
      throughout: true,
    },
    {
      answer: boxes(problem, undefined, (x, p) => -x / p),
      cause: "You lost the minus sign. A log-probability is negative, and so is its score.",
    },
    {
      answer: boxes(problem, (n) => 5 + n / 6),
      cause: "First add 5, then divide the sum by 6.",
    },
  ],
  show: (problem) => {
    const { lengths, logProbs } = problem;
    const answer = boxes(problem);
    const lead = answer[3] - answer[1];
    return {
      task: "A beam search has finished two texts. For each, compute the length penalty ((5 + length) / 6)^α with α = 1, and its score: the log-probability divided by the penalty.",
      given: [
        {
          caption: "finished texts",
          heads: ["length", "log-probability"],
          rows: TEXTS,
          cells: lengths.map((length, i) => [length, logProbs[i]]),
        },
      ],
      asked: { caption: "what decides", heads: ["penalty", "score"], rows: TEXTS },
      way: TEXTS.flatMap((text, i) => [
        `${text}: penalty (5 + ${lengths[i]}) / 6 = ${format(answer[2 * i])}`,
        `${text}: score ${inside(logProbs[i])} / ${format(answer[2 * i])} = ${format(answer[2 * i + 1])}`,
      ]),
      praise:
        Math.abs(lead) < 1e-9
          ? "A tie: the penalty makes up exactly for the extra words of the longer text."
          : lead > 0
            ? "The longer text wins. By the log-probability alone the shorter one would have won."
            : "The shorter text wins here: the penalty does not make up for the extra words of the longer one.",
    };
  },
});
