// @ts-check
// The advantages of a group of answers: rewards minus their mean, over their standard deviation.

import { format } from "../../kit/figures/kit.js";
import { average, moments } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { pick, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{rewards: number[]}} Problem */

const ANSWERS = ["1", "2", "3", "4"];

/** @param {Problem} problem */
const answer = ({ rewards }) => {
  const { mean, variance } = moments(rewards);
  return rewards.map((r) => (r - mean) / Math.sqrt(variance));
};

/** @param {Problem} problem @returns {import("../../kit/drills/judge.js").Mistake[]} */
function mistakes({ rewards }) {
  const { mean, variance } = moments(rewards);
  const sample = Math.sqrt(moments(rewards, true).variance);
  const top = Math.max(...rewards);
  return [
    {
      answer: rewards.map((r) => r - mean),
      cause: "You subtracted the mean but did not divide by the standard deviation.",
    },
    {
      answer: rewards.map((r) => (r - mean) / sample),
      cause: "Your standard deviation divides by 3. Divide the sum of squares by all 4 answers.",
    },
    {
      answer: rewards.map((r) => (r - mean) / variance),
      cause: "You divided by the variance. Take its square root first.",
    },
    {
      answer: rewards.map((r) => r / Math.sqrt(variance)),
      cause: "The mean is missing: an advantage compares a reward with the mean of its group.",
    },
    {
      answer: rewards.map((r) => (mean - r) / Math.sqrt(variance)),
      cause: "The sign is swapped. A reward above the mean has a positive advantage.",
    },
    {
      answer: rewards.map((r) => (r - top) / Math.sqrt(variance)),
      cause: "You subtracted the greatest reward. The baseline is the mean.",
    },
  ];
}

export default play({
  name: "group_advantages",
  title: "The advantages of a group",
  ...TWO_DECIMALS,
  draw: (random) => {
    const rewards = wholes(random, 4, 0, 3);
    const first = pick(random, [0, 1, 2, 3]);
    if (rewards.every((r) => r === rewards[0])) rewards[first] += 1;
    return { rewards };
  },
  answer,
  mistakes,
  show: (problem) => {
    const { rewards } = problem;
    const [mean, right] = [average(rewards), answer(problem)];
    const size = Math.sqrt(moments(rewards).variance);
    const squares = rewards.map((r) => `${format((r - mean) ** 2)}`).join(" + ");
    return {
      task: "A checker has given points to four answers to one question. What is the advantage of each answer?",
      given: [{ caption: "rewards", heads: ANSWERS, rows: ["reward"], cells: [rewards] }],
      asked: { caption: "advantages", heads: ANSWERS, rows: ["advantage"] },
      way: [
        `The mean: (${rewards.join(" + ")})/4 = ${format(mean)}`,
        `The variance: (${squares})/4 = ${format(size ** 2)}`,
        `The standard deviation: √${format(size ** 2)} = ${format(size)}`,
        ...rewards.map(
          (r, i) =>
            `Answer ${i + 1}: (${r} − ${format(mean)})/${format(size)} = ${format(right[i])}`,
        ),
      ],
      praise: "Answers above the mean will be raised, the others lowered.",
    };
  },
});
