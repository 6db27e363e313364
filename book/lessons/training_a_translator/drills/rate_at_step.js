// @ts-check
// The learning rate at a step: up in a straight line, then down with the root.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { pick } from "../../kit/drills/draw.js";
import { THREE_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{peak: number, warmUp: number, steps: number[]}} Problem of a rate in thousandths */

/** @typedef {(step: number, warmUp: number) => number} Factor of the peak */

/** @type {Factor} */
const rise = (step, warmUp) => step / warmUp;
/** @type {Factor} */
const fall = (step, warmUp) => Math.sqrt(warmUp / step);

/** The rates of a run that rises and falls like this. @param {Problem} problem @param {Factor} [up] @param {Factor} [down] */
function rates({ peak, warmUp, steps }, up = rise, down = fall) {
  return steps.map((step) => peak * (step <= warmUp ? up : down)(step, warmUp));
}

export default play({
  name: "rate_at_step",
  title: "The learning rate at a step",
  ...THREE_DECIMALS,
  draw: (random) => {
    const warmUp = pick(random, [100, 200, 400]);
    const before = warmUp / pick(random, [2, 4, 5]);
    return {
      peak: pick(random, [1, 2, 3, 4, 6]),
      warmUp,
      steps: [before, 4 * warmUp, pick(random, [9, 16, 25]) * warmUp],
    };
  },
  answer: (problem) => rates(problem),
  mistakes: (problem) => [
    {
      answer: rates(problem, rise, (step, warmUp) => warmUp / step),
      cause:
        "After the warm-up you divided by the step. The rate falls with the square root of the step.",
    },
    {
      answer: rates(problem, fall, rise),
      cause: "You used the larger of the two numbers. The rate uses the smaller one.",
    },
    {
      answer: rates(problem, () => 1),
      cause: "During the warm-up the rate is not yet at its peak: it grows in a straight line.",
    },
    {
      answer: rates(problem, rise, () => 1),
      cause: "After the warm-up the rate does not stay at its peak: it falls with the square root.",
    },
    {
      answer: rates(problem, rise, (step, warmUp) => Math.sqrt(warmUp / (step - warmUp))),
      cause: "You counted the steps from the end of the warm-up. Count them from the first step.",
    },
    {
      answer: rates(problem, (step, warmUp) => Math.sqrt(step / warmUp)),
      cause:
        "The square root applies only after the warm-up. During it the rate grows in a straight line.",
    },
  ],
  show: (problem) => {
    const { peak, warmUp, steps } = problem;
    const answer = rates(problem);
    return {
      task: `The rate is peak · min(step / warm-up, √(warm-up / step)), with a peak of ${peak} thousandths after a warm-up of ${warmUp} steps. Compute the rate at three steps, in thousandths.`,
      given: [
        {
          caption: "the run",
          heads: ["peak, thousandths", "warm-up"],
          rows: ["schedule"],
          cells: [[peak, warmUp]],
        },
      ],
      asked: {
        caption: "rates in thousandths",
        heads: ["rate"],
        rows: steps.map((step) => `step ${step}`),
      },
      way: [
        `step ${steps[0]} is in the warm-up: ${peak} · ${steps[0]} / ${warmUp} = ${format(answer[0])}`,
        ...steps
          .slice(1)
          .map(
            (step, i) =>
              `step ${step}: ${peak} · √(${warmUp} / ${step}) = ${peak} / ${format(Math.sqrt(step / warmUp))} = ${format(answer[i + 1])}`,
          ),
      ],
      praise: "After the warm-up, four times as many steps halve the rate. It never reaches 0.",
    };
  },
});
