// @ts-check
// One update of skip-gram with a negative sample: three vectors, one step down the gradient.

import { format } from "../../kit/figures/kit.js";
import { dot, softmax } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { inside, pick, productsOf, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{middle: number[], near: number[], drawn: number[], rate: number}} Problem */

const NAMES = ["middle word", "neighbor", "drawn word"];

/** @param {number} x */
const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/**
 * The three vectors after a step, from what is wrong with both scores.
 * @param {Problem} problem @param {number} near @param {number} drawn @param {number} [rate]
 */
function stepped(problem, near, drawn, rate = problem.rate) {
  const { middle } = problem;
  return [
    middle.map((x, d) => x - rate * (near * problem.near[d] + drawn * problem.drawn[d])),
    problem.near.map((x, d) => x - rate * near * middle[d]),
    problem.drawn.map((x, d) => x - rate * drawn * middle[d]),
  ];
}

/** What the model says of both words: how sure it is that each came. @param {Problem} problem */
function sure({ middle, near, drawn }) {
  return [near, drawn].map((word) => sigmoid(dot(word, middle)));
}

export default play({
  name: "skip_gram_update",
  title: "One update of skip-gram",
  ...TWO_DECIMALS,
  draw: (random) => ({
    middle: wholes(random, 2, -2, 2),
    near: wholes(random, 2, -2, 2),
    drawn: wholes(random, 2, -2, 2),
    rate: pick(random, [0.5, 0.2]),
  }),
  answer: (problem) => {
    const [near, drawn] = sure(problem);
    return stepped(problem, near - 1, drawn).flat();
  },
  mistakes: (problem) => {
    const [near, drawn] = sure(problem);
    const right = stepped(problem, near - 1, drawn);
    const [middle] = right;
    const scores = [problem.near, problem.drawn].map((word) => dot(word, problem.middle));
    const shares = softmax(scores);
    return [
      {
        answer: stepped(problem, 1 - near, -drawn).flat(),
        cause:
          "You stepped up the gradient, the way in which the loss grows. Subtract rate · gradient.",
      },
      {
        answer: stepped(problem, near - 1, drawn, 1).flat(),
        cause: "You left out the rate. A step is rate · gradient.",
      },
      {
        answer: stepped(problem, near - 1, drawn - 1).flat(),
        cause:
          "You pulled the drawn word near as well. It has the target 0: its error is its sigmoid, not 1 less.",
      },
      {
        answer: stepped(problem, near, drawn).flat(),
        cause:
          "You forgot the target. The word from the window has the target 1, so its error is its sigmoid − 1.",
      },
      {
        answer: stepped(problem, scores[0] - 1, scores[1]).flat(),
        cause:
          "You took the score for the probability. The error is sigmoid(score) less the target.",
      },
      {
        answer: stepped(problem, shares[0] - 1, shares[1]).flat(),
        cause:
          "That is a softmax over the two words. Negative sampling uses a separate sigmoid for each word.",
      },
      {
        answer: [problem.middle, right[1], right[2]].flat(),
        cause: "The middle word's vector learns, too: its gradient is Σ error · output vector.",
      },
      {
        answer: [
          middle,
          problem.near.map((x, d) => x - problem.rate * (near - 1) * middle[d]),
          problem.drawn.map((x, d) => x - problem.rate * drawn * middle[d]),
        ].flat(),
        cause:
          "You used the middle word's new vector for the other two. All gradients are taken before the step.",
      },
    ];
  },
  show: (problem) => {
    const { middle, near, drawn, rate } = problem;
    const scores = [near, drawn].map((word) => dot(word, middle));
    const [p, q] = sure(problem);
    const after = stepped(problem, p - 1, q);
    const vector = (/** @type {number[]} */ list) =>
      `[${list.map((x) => format(x, 3)).join(", ")}]`;
    return {
      task: `A word is in the middle of a window, another word occurs near it, and a negative sample was drawn. The loss is −ln sigmoid(score of the neighbor) − ln sigmoid(−score of the drawn word). Take one step of gradient descent with the learning rate ${format(rate)}. What are the three vectors after it?`,
      given: [
        {
          caption: `vectors, rate ${format(rate)}`,
          heads: ["1", "2"],
          rows: NAMES,
          cells: [middle, near, drawn],
        },
      ],
      asked: { caption: "after the step", heads: ["1", "2"], rows: NAMES },
      way: [
        `Scores: ${productsOf(near, middle)} = ${format(scores[0])} and ${productsOf(drawn, middle)} = ${format(scores[1])}`,
        `sigmoid(${format(scores[0])}) = ${format(p, 3)}, sigmoid(${format(scores[1])}) = ${format(q, 3)}`,
        `Errors, sigmoid less the target: ${format(p, 3)} − 1 = ${format(p - 1, 3)} and ${format(q, 3)} − 0 = ${format(q, 3)}`,
        `Gradient of the middle word: ${format(p - 1, 3)} · ${vector(near)} + ${inside(q, 3)} · ${vector(drawn)}`,
        `${NAMES[0]}: ${vector(middle)} − ${format(rate)} · gradient = ${vector(after[0])}`,
        `${NAMES[1]}: ${vector(near)} − ${format(rate)} · ${inside(p - 1, 3)} · ${vector(middle)} = ${vector(after[1])}`,
        `${NAMES[2]}: ${vector(drawn)} − ${format(rate)} · ${inside(q, 3)} · ${vector(middle)} = ${vector(after[2])}`,
      ],
      praise:
        "The neighbor moved in the direction of the middle word's vector, the drawn word in the opposite direction.",
    };
  },
});
