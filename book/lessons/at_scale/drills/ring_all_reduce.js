// @ts-check
// A ring of workers that sum their gradients: moves, bytes, and a piece at the end.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { pick, sumOf, whole, wholes } from "../../kit/drills/draw.js";
import { COUNTS, WHOLE } from "../../kit/drills/judge.js";

/** @typedef {{held: number[][], piece: number, numbers: number, bytes: number}} Problem */

/** @param {number[]} list */
const total = (list) => list.reduce((sum, x) => sum + x, 0);

/** What the workers hold of the piece that is asked for. @param {Problem} problem */
const column = ({ held, piece }) => held.map((row) => row[piece]);

/** @param {Problem} problem */
function answer(problem) {
  const { held, numbers, bytes } = problem;
  const moves = 2 * (held.length - 1);
  return [
    numbers / held.length,
    moves,
    ((moves * numbers) / held.length) * bytes,
    total(column(problem)),
  ];
}

/** @param {Problem} problem @returns {import("../../kit/drills/judge.js").Mistake[]} */
function mistakes(problem) {
  const { held, piece, numbers, bytes } = problem;
  const [part, moves, sent, sum] = answer(problem);
  const n = held.length;
  return [
    {
      answer: [part, moves / 2, sent / 2, sum],
      cause: `The first ${n - 1} moves only collect the sums. ${n - 1} more moves pass them round to all workers.`,
    },
    {
      answer: [part, 2 * n, 2 * numbers * bytes, sum],
      cause: `A piece starts at one worker and has to reach ${n - 1} others, so each round has ${n - 1} moves instead of ${n}.`,
    },
    {
      answer: [numbers, moves, moves * numbers * bytes, sum],
      cause: `In each move a worker sends one piece of the gradient: divide by ${n}.`,
    },
    {
      answer: [part, moves, sent / bytes, sum],
      cause: `These are numbers. Each has ${bytes} bytes.`,
    },
    {
      answer: [part, n - 1, numbers * (n - 1) * bytes, sum],
      cause:
        "A worker would send this much if it sent its whole gradient to each of the others. In a ring of three or more it sends less.",
    },
    {
      answer: [part, moves, sent, sum / n],
      cause: "That is the mean. This exchange sums; some engines divide afterwards.",
    },
    {
      answer: [part, moves, sent, total(held[piece])],
      cause:
        "You added up along a worker’s row. The same piece of all workers is summed: a column.",
    },
    {
      answer: [part, moves, sent, held[0][piece]],
      cause: "That is what worker 0 began with. At the end every worker has the sum.",
    },
  ];
}

export default play({
  name: "ring_all_reduce",
  title: "Sum gradients in a ring",
  ...WHOLE,
  reader: COUNTS,
  draw: (random) => {
    const n = pick(random, [3, 4]);
    const held = Array.from({ length: n }, () => wholes(random, n, 1, 9));
    const piece = whole(random, 0, n - 1);
    // The sum is a multiple of n: so its mean is a whole number too.
    const rest = total(held.map((row) => row[piece])) % n;
    held[n - 1][piece] += rest ? n - rest : 0;
    const numbers = n * pick(random, [10, 20, 50, 100, 250, 500]);
    return { held, piece, numbers, bytes: pick(random, [2, 4]) };
  },
  answer,
  mistakes,
  show: (problem) => {
    const { held, piece, numbers, bytes } = problem;
    const [part, moves, sent, sum] = answer(problem);
    const n = held.length;
    return {
      task: `${n} workers sum their gradients in a ring. A gradient has ${numbers} numbers of ${bytes} bytes and is cut into ${n} pieces. The table shows the first number of each piece.`,
      given: [
        {
          caption: "before the first move",
          heads: held.map((_, m) => `piece ${m}`),
          rows: held.map((_, m) => `worker ${m}`),
          cells: held,
        },
      ],
      asked: {
        caption: "the exchange",
        heads: ["answer"],
        rows: [
          "numbers in a piece",
          "moves",
          "bytes that a worker sends",
          `piece ${piece} at the end`,
        ],
      },
      way: [
        `A piece: ${numbers} / ${n} = ${part} numbers`,
        `Moves: 2 · (${n} − 1) = ${moves}, half to gather the sums, half to carry them round`,
        `Each move sends one piece: ${moves} · ${part} · ${bytes} = ${format(sent)} bytes`,
        `Piece ${piece}, summed over the workers: ${sumOf(column(problem))} = ${sum}, on all of them`,
      ],
      praise: `For any number of workers, each sends less than twice the gradient: ${2 * numbers * bytes} bytes.`,
    };
  },
});
