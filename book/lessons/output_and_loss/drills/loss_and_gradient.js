// @ts-check
// The loss of one row of logits, and its gradient p − y.

import { format } from "../../kit/figures/kit.js";
import { softmax } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { sumOf, whole, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

const WORDS = ["a", "am", "thanks"];

/** p − y: 1 less at the right word. @param {number[]} p @param {number} target */
const less = (p, target) => p.map((share, i) => share - (i === target ? 1 : 0));

export default play({
  name: "loss_and_gradient",
  title: "Loss and gradient of one word",
  ...TWO_DECIMALS,
  draw: (random) => ({ logits: wholes(random, 3, -2, 3), target: whole(random, 0, 2) }),
  answer: ({ logits, target }) => {
    const p = softmax(logits);
    return [-Math.log(p[target]), ...less(p, target)];
  },
  mistakes: ({ logits, target }) => {
    const p = softmax(logits);
    const [right, loss] = [less(p, target), -Math.log(p[target])];
    return [
      {
        answer: [-loss, ...right],
        cause:
          "The logarithm of a probability is negative. The loss is minus the logarithm, so it is above 0.",
      },
      {
        answer: [loss / Math.LN10, ...right],
        cause: "You used the logarithm to base 10. The loss uses the natural logarithm, ln.",
      },
      {
        answer: [loss / Math.LN2, ...right],
        cause:
          "That is the loss in bits, with the logarithm to base 2. Use the natural logarithm, ln.",
      },
      {
        answer: [1 - p[target], ...right],
        cause: "You computed 1 − p. The loss is −ln p of the right word.",
      },
      {
        answer: [loss, ...right.map((x) => -x)],
        cause:
          "The signs are reversed: the gradient is p − y, which is negative at the right word.",
      },
      {
        answer: [loss, ...p],
        cause: "These are the probabilities. Subtract the one-hot target: 1 at the right word.",
      },
      {
        answer: [loss, ...less(logits, target)],
        cause: "You subtracted the target from the logits. Subtract it from the probabilities.",
      },
    ];
  },
  show: ({ logits, target }) => {
    const powers = logits.map(Math.exp);
    const total = powers.reduce((a, b) => a + b, 0);
    const p = powers.map((x) => x / total);
    const y = WORDS.map((_, i) => (i === target ? 1 : 0));
    return {
      task: "The logits of three words are given, and a 1 marks the right word. Compute the loss, −ln p of the right word, and the gradient p − y.",
      given: [{ caption: "logits and target", heads: WORDS, rows: ["z", "y"], cells: [logits, y] }],
      asked: {
        caption: "loss and gradient",
        heads: ["answer"],
        rows: ["loss", ...WORDS.map((word) => `${word}: p − y`)],
      },
      way: [
        `Exponentials: ${logits.map((z, i) => `e^(${format(z)}) = ${format(powers[i], 3)}`).join(", ")}`,
        `Their sum: ${sumOf(powers, 3)} = ${format(total, 3)}`,
        `p = ${p.map((x) => format(x, 3)).join(", ")}`,
        `loss = −ln ${format(p[target], 3)} = ${format(-Math.log(p[target]), 3)}`,
        ...p.map((x, i) => `${WORDS[i]}: ${format(x, 3)} − ${y[i]} = ${format(x - y[i], 3)}`),
      ],
      praise:
        "The three entries sum to 0. In a gradient step the logit of the right word rises by as much as the other two fall together.",
    };
  },
});
