// @ts-check
// Over which axis: the means that layer norm and batch norm subtract.

import { format } from "../../kit/figures/kit.js";
import { average, transpose } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { sumOf, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{table: number[][]}} Problem a row for each token, a column for each feature */

const PLACES = ["1", "2", "3"];

/** @param {number[][]} rows */
const means = (rows) => rows.map(average);
/** @param {number[][]} rows */
const sums = (rows) => rows.map((row) => 3 * average(row));

export default play({
  name: "batch_against_layer",
  title: "Over which axis?",
  ...TWO_DECIMALS,
  draw: (random) => {
    // The last entry of each row, then the last row, makes the sum of three a multiple of 3.
    const last = (/** @type {number} */ a, /** @type {number} */ b) => 6 - ((a + b) % 3);
    const rows = PLACES.map(() => {
      const [a, b] = wholes(random, 2, 0, 9);
      return [a, b, last(a, b)];
    });
    rows[2] = PLACES.map((_, j) => last(rows[0][j], rows[1][j]));
    return { table: rows };
  },
  answer: ({ table }) => [...means(table), ...means(transpose(table))],
  mistakes: ({ table }) => {
    const all = average(table.flat());
    return [
      {
        answer: [...means(transpose(table)), ...means(table)],
        cause:
          "You used the other axis: layer norm averages along a row, batch norm down a column.",
      },
      {
        answer: [...sums(table), ...sums(transpose(table))],
        cause: "These are sums. Divide each by 3.",
      },
      {
        answer: Array(6).fill(all),
        cause:
          "This is the mean of the whole table. Each norm averages one row or one column at a time.",
      },
    ];
  },
  show: ({ table }) => {
    const tokens = PLACES.map((n) => `token ${n}`);
    const features = PLACES.map((n) => `feature ${n}`);
    const lines = (/** @type {number[][]} */ rows, /** @type {string[]} */ names) =>
      rows.map((row, i) => `${names[i]}: (${sumOf(row)}) / 3 = ${format(average(row))}`).join("; ");
    return {
      task: "Three tokens with three features each. Which means does layer norm subtract, one for each token, and which does batch norm in training, one for each feature?",
      given: [{ caption: "batch", heads: features, rows: tokens, cells: table }],
      asked: { caption: "means", heads: PLACES, rows: ["layer norm", "batch norm"] },
      way: [
        `Layer norm goes along the rows. ${lines(table, tokens)}`,
        `Batch norm goes down the columns. ${lines(transpose(table), features)}`,
      ],
      praise:
        "If you change one number of token 1, then in batch norm the mean of its feature changes, and all three tokens subtract it. In layer norm the mean of token 1 changes, and only token 1 subtracts it.",
    };
  },
});
