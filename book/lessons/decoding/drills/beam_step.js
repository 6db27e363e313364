// @ts-check
// One step of a beam search with two beams.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { inside, whole, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{beams: number[], next: number[][]}} Problem log-probabilities: of two beams, and of three words after each */
/** @typedef {{beam: number, word: number, score: number}} Candidate beam and word count from 1 */

const BEAMS = ["beam 1", "beam 2"];
const WORDS = ["word 1", "word 2", "word 3"];

/**
 * All continuations, best first, scored by what `score` makes of the beam's number and the word's.
 * @param {Problem} problem @param {(beam: number, word: number) => number} [score]
 * @returns {Candidate[]}
 */
function ranked({ beams, next }, score = (beam, word) => beam + word) {
  return beams
    .flatMap((so_far, b) =>
      next[b].map((cost, w) => ({ beam: b + 1, word: w + 1, score: score(so_far, cost) })),
    )
    .sort((a, b) => b.score - a.score);
}

/** The first two of a list, in the order of the boxes. @param {Candidate[]} list */
const boxes = (list) => list.slice(0, 2).flatMap(({ beam, word, score }) => [beam, word, score]);

/** Whether no two continuations have the same score, and no probabilities exceed 1 together. @param {Problem} problem */
function isPossible({ beams, next }) {
  const scores = ranked({ beams, next }).map(({ score }) => score.toFixed(3));
  const whole = (/** @type {number[]} */ logs) => logs.reduce((sum, x) => sum + Math.exp(x), 0);
  return new Set(scores).size === scores.length && [beams, ...next].every((x) => whole(x) <= 1);
}

export default play({
  name: "beam_step",
  title: "One step of a beam search",
  ...TWO_DECIMALS,
  draw: (random) => {
    /** @type {Problem} */
    let problem;
    do {
      const first = whole(random, -9, -1) / 10;
      problem = {
        beams: [first, first + whole(random, -12, -2) / 10],
        next: BEAMS.map(() => wholes(random, 3, -30, -2).map((x) => x / 10)),
      };
    } while (!isPossible(problem));
    return problem;
  },
  answer: (problem) => boxes(ranked(problem)),
  mistakes: (problem) => {
    const all = ranked(problem);
    return [
      {
        answer: boxes(BEAMS.map((_, b) => all.filter(({ beam }) => beam === b + 1)[0])),
        cause:
          "You continued each beam with its own best word. All six continuations compete, and both winners may come from one beam.",
      },
      {
        answer: boxes(ranked(problem, (_, word) => word)),
        cause: "You left out the log-probability of each beam so far. Add it to that of the word.",
      },
      {
        answer: boxes(
          all.map(({ beam, word }) => ({ beam, word, score: problem.next[beam - 1][word - 1] })),
        ),
        cause:
          "The winners are right. Give the log-probability of the whole prefix, not only of its last word.",
      },
      {
        answer: boxes([...all].reverse()),
        cause:
          "These are the two worst. Log-probabilities are negative, so the largest is the one nearest to 0.",
      },
      {
        answer: boxes(all.map(({ beam, word, score }) => ({ beam: word, word: beam, score }))),
        cause: "You swapped beam and word.",
      },
      {
        answer: boxes(ranked(problem, (beam, word) => beam * word)),
        cause: "You multiplied logarithms. Probabilities are multiplied; logarithms are added.",
      },
    ];
  },
  show: (problem) => {
    const { beams, next } = problem;
    return {
      task: "A search keeps two beams, each with its log-probability so far. Each can be followed by three words. Find the two best of the six continuations, best first: the beam, the word, and the log-probability of the whole text.",
      given: [
        {
          caption: "log-probabilities",
          heads: ["so far", ...WORDS],
          rows: BEAMS,
          cells: beams.map((so_far, b) => [so_far, ...next[b]]),
        },
      ],
      asked: {
        caption: "the two best",
        heads: ["beam", "word", "log-probability"],
        rows: ["best", "second"],
      },
      way: [
        ...BEAMS.map(
          (name, b) =>
            `${name}: ${next[b].map((cost) => `${format(beams[b])} + ${inside(cost)} = ${format(beams[b] + cost)}`).join(", ")}`,
        ),
        ...ranked(problem)
          .slice(0, 2)
          .map(
            ({ beam, word, score }, i) =>
              `${i ? "Second" : "Best"}: beam ${beam} with word ${word}, ${format(score)}`,
          ),
      ],
      praise:
        "The next step begins with these two. The other four are dropped for good, however well they could have continued.",
    };
  },
});
