// @ts-check
// A low-rank change, added into the weights for good: W + (α/r) B A.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { inside, pick, whole, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{W: number[][], B: number[], A: number[], alpha: number}} Problem */

const NAMES = ["1", "2"];

/**
 * The four entries of a 2 × 2 matrix, row by row.
 * @template T @param {(i: number, j: number) => T} entry @returns {T[]}
 */
const entries = (entry) => [0, 1].flatMap((i) => [0, 1].map((j) => entry(i, j)));

/** @param {Problem} problem */
const answer = ({ W, B, A, alpha }) => entries((i, j) => W[i][j] + alpha * B[i] * A[j]);

/** @param {Problem} problem @returns {import("../../kit/drills/judge.js").Mistake[]} */
function mistakes({ W, B, A, alpha }) {
  const number = A[0] * B[0] + A[1] * B[1];
  return [
    {
      answer: entries((i, j) => W[i][j] + B[i] * A[j]),
      cause: "The scale is missing: multiply B A by α/r.",
    },
    {
      answer: entries((i, j) => W[i][j] + alpha * number),
      cause:
        "You computed A B, a row times a column: one number. B A, a column times a row, has an entry for each weight.",
    },
    {
      answer: entries((i, j) => W[i][j] + 2 * alpha * B[i] * A[j]),
      cause: "You added the change twice. Merge it once.",
    },
    {
      answer: entries((i, j) => alpha * B[i] * A[j]),
      cause: "This is the change alone. Add it to W.",
    },
    {
      answer: entries((i, j) => W[i][j] - alpha * B[i] * A[j]),
      cause: "You subtracted the change. That undoes a merge.",
    },
    {
      answer: entries((i, j) => alpha * (W[i][j] + B[i] * A[j])),
      cause: "You scaled W too. Only the change is scaled; W stays as it is.",
    },
    {
      answer: entries((i, j) => W[i][j] + (B[i] * A[j]) / alpha),
      cause: "You divided by α. The scale is α/r, not r/α.",
    },
    {
      answer: entries((i, j) => W[i][j] + alpha * B[j] * A[i]),
      cause: "The change is transposed: row i of B A is the i-th number of B times the row A.",
    },
  ];
}

export default play({
  name: "lora_merge",
  title: "Merge a low-rank change",
  ...TWO_DECIMALS,
  draw: (random) => ({
    W: [wholes(random, 2, -5, 5), wholes(random, 2, -5, 5)],
    B: wholes(random, 2, -3, 3),
    A: wholes(random, 2, -3, 3),
    alpha: pick(random, [2, 3, 4, whole(random, 2, 6) / 4]),
  }),
  answer,
  mistakes,
  show: (problem) => {
    const { W, B, A, alpha } = problem;
    const right = answer(problem);
    return {
      task: `A layer with the weights W was tuned with LoRA at rank r = 1 and α = ${format(alpha)}. Merge the change: compute W + (α/r) B A.`,
      given: [
        { caption: "W", heads: NAMES, rows: NAMES, cells: W },
        { caption: "B", heads: ["1"], rows: NAMES, cells: B.map((x) => [x]) },
        { caption: "A", heads: NAMES, rows: ["1"], cells: [A] },
      ],
      asked: { caption: "merged weights", heads: NAMES, rows: NAMES },
      way: [
        `The scale: α/r = ${format(alpha)}/1 = ${format(alpha)}`,
        ...entries(
          (i, j) =>
            `B A, row ${i + 1}, column ${j + 1}: ${format(B[i])} · ${inside(A[j])} = ${format(B[i] * A[j])}`,
        ),
        ...entries((i, j) => {
          const change = `${format(alpha)} · ${inside(B[i] * A[j])}`;
          return `${format(W[i][j])} + ${change} = ${format(right[2 * i + j])}`;
        }),
      ],
      praise: "From here on the change costs nothing: the merged layer is as large as before.",
    };
  },
});
