// @ts-check
// Softmax of one row of scores.

import { format } from "../../kit/figures/kit.js";
import { softmax } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { indexed, rowTable, sumOf, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** Each number as its share of the sum. @param {number[]} list */
const shares = (list) => list.map((x) => x / list.reduce((a, b) => a + b, 0));

export default play({
  name: "softmax_row",
  title: "Softmax of one row",
  ...TWO_DECIMALS,
  draw: (random) => ({ scores: wholes(random, 3, -2, 4) }),
  answer: ({ scores }) => softmax(scores),
  mistakes: ({ scores }) => [
    {
      answer: shares(scores),
      cause:
        "This divides the scores themselves by their sum. Take e to the power of each score first.",
    },
    {
      answer: scores.map(Math.exp),
      cause: "The powers of e are right. Divide each by their sum, then they add up to 1.",
    },
    {
      answer: shares(scores.map((x) => 2 ** x)),
      cause: "You took powers of 2. Softmax takes powers of e, 2.718….",
    },
    {
      answer: scores.map((x) => Math.exp(x - Math.max(...scores))),
      cause: "These are the powers divided by the largest one. Divide by the sum of all of them.",
    },
  ],
  show: ({ scores }) => {
    const powers = scores.map(Math.exp);
    const total = powers.reduce((a, b) => a + b, 0);
    return {
      task: "Softmax turns a row of scores into weights: take e to the power of each score, then divide by the sum of the powers.",
      given: [rowTable("scores", "s", scores)],
      asked: { caption: "weights", heads: ["softmax"], rows: indexed("w", scores) },
      way: [
        `Powers: ${scores.map((x, i) => `e^(${format(x)}) = ${format(powers[i], 3)}`).join(", ")}`,
        `Their sum: ${sumOf(powers, 3)} = ${format(total, 3)}`,
        ...powers.map(
          (x, i) =>
            `${indexed("w", scores)[i]} = ${format(x, 3)} / ${format(total, 3)} = ${format(x / total, 3)}`,
        ),
      ],
      praise:
        "The weights add up to 1. Adding the same number to all scores would change none of them: try it.",
    };
  },
});
