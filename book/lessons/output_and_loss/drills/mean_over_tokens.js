// @ts-check
// The mean loss of a padded batch: sum over the words, divide once.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { sumOf, whole, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{losses: number[][], lengths: number[]}} Problem losses at pads, too */

const PLACES = 4;

/** @param {number[]} list */
const sum = (list) => list.reduce((a, b) => a + b, 0);
/** Those of the words, row by row. @param {Problem} problem */
const kept = ({ losses, lengths }) => losses.map((row, i) => row.slice(0, lengths[i]));

export default play({
  name: "mean_over_tokens",
  title: "The mean loss of a padded batch",
  ...TWO_DECIMALS,
  draw: (random) => ({
    losses: [wholes(random, PLACES, 1, 9), wholes(random, PLACES, 1, 9)],
    lengths: [whole(random, 1, 2), whole(random, 3, 4)],
  }),
  answer: (problem) => {
    const words = kept(problem).flat();
    return [words.length, sum(words) / words.length];
  },
  mistakes: (problem) => {
    const words = kept(problem).flat();
    const [count, places] = [words.length, 2 * PLACES];
    const means = kept(problem).map((row) => sum(row) / row.length);
    return [
      {
        answer: [count, sum(means) / 2],
        cause: "That is the mean of two means: a word of the short sentence counts more in it.",
      },
      {
        answer: [count, sum(words) / places],
        cause: "The sum is right, but you divided by all places. Divide by the number of words.",
      },
      {
        answer: [count, sum(problem.losses.flat()) / places],
        cause: "The pads are in the sum, and you divided by all places. Leave them out of both.",
      },
      {
        answer: [count, sum(problem.losses.flat()) / count],
        cause: "The pads are still in the sum. Add up the losses of the words only.",
      },
      {
        answer: [places, sum(words) / count],
        cause: "A place that holds a pad is no word: do not count it.",
      },
    ];
  },
  show: (problem) => {
    const words = kept(problem).flat();
    const cells = problem.losses.map((row, i) =>
      row.map((x, j) => (j < problem.lengths[i] ? format(x) : `pad (${format(x)})`)),
    );
    return {
      task: "A batch of two sentences, with the loss at each place. Pads do not count, though a number stands there as well.",
      given: [
        {
          caption: "losses",
          heads: ["1", "2", "3", "4"],
          rows: ["sentence 1", "sentence 2"],
          cells,
        },
      ],
      asked: {
        caption: "the loss of the batch",
        heads: ["answer"],
        rows: ["words that count", "mean loss"],
      },
      way: [
        `${problem.lengths[0]} and ${problem.lengths[1]} words: ${words.length}`,
        `Their losses: ${sumOf(words)} = ${format(sum(words))}`,
        `${format(sum(words))} / ${words.length} = ${format(sum(words) / words.length, 3)}`,
      ],
      praise: "Every word counts alike, whatever sentence it stands in.",
    };
  },
});
