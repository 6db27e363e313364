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
        cause: "That is the mean of two means. In it, a word of the short sentence counts more.",
      },
      {
        answer: [count, sum(words) / places],
        cause:
          "The sum is right, but you divided by the number of positions. Divide by the number of words.",
      },
      {
        answer: [count, sum(problem.losses.flat()) / places],
        cause: "You included the padding in the sum and in the count. Leave it out of both.",
      },
      {
        answer: [count, sum(problem.losses.flat()) / count],
        cause: "The padding is still in the sum. Add only the losses of the words.",
      },
      {
        answer: [places, sum(words) / count],
        cause: "A padding token is not a word. Do not count it.",
      },
    ];
  },
  show: (problem) => {
    const words = kept(problem).flat();
    const cells = problem.losses.map((row, i) =>
      row.map((x, j) => (j < problem.lengths[i] ? format(x) : `pad (${format(x)})`)),
    );
    return {
      task: "Here is a batch of two sentences, with the loss at each position. Padding does not count, although it has a number too.",
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
      praise: "Every word counts equally, in a short and in a long sentence.",
    };
  },
});
