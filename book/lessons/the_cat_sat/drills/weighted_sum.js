// @ts-check
// The output of one query: the values, each times its weight, added up.

import { format } from "../../kit/figures/kit.js";
import { mix, transpose } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { pick, productsOf, rowTable, shuffled, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

const ROWS = ["value 1", "value 2", "value 3"];
const HEADS = ["entry 1", "entry 2"];
const WEIGHTS = [
  [0.5, 0.3, 0.2],
  [0.6, 0.3, 0.1],
  [0.7, 0.2, 0.1],
  [0.5, 0.4, 0.1],
  [0.6, 0.2, 0.2],
];

export default play({
  name: "weighted_sum",
  title: "The output of one query",
  ...TWO_DECIMALS,
  draw: (random) => ({
    weights: shuffled(random, pick(random, WEIGHTS)),
    values: ROWS.map(() => wholes(random, 2, -4, 9)),
  }),
  answer: ({ weights, values }) => mix(weights, values),
  mistakes: ({ weights, values }) => [
    {
      answer: mix([1, 1, 1], values),
      cause: "This adds the values without their weights. Multiply each value by its weight first.",
    },
    {
      answer: mix([1 / 3, 1 / 3, 1 / 3], values),
      cause: "This is the plain mean of the values: it gives all three the same weight.",
    },
    {
      answer: values[weights.indexOf(Math.max(...weights))],
      cause:
        "This is the value with the largest weight, alone. The others count as well, each with its weight.",
    },
    {
      answer: mix(weights, values).map((x) => x / 3),
      cause:
        "The weighted sum is right, but then you divided by 3. The weights add up to 1 already.",
    },
  ],
  show: ({ weights, values }) => ({
    task: "The weights of one query are known. Its output is the sum of the values, each times its weight.",
    given: [
      rowTable("weights", "w", weights),
      { caption: "values", heads: HEADS, rows: ROWS, cells: values },
    ],
    asked: { caption: "output", heads: HEADS, rows: ["y"] },
    way: transpose(values).map(
      (column, d) =>
        `${HEADS[d]}: ${productsOf(weights, column)} = ${format(mix(weights, values)[d])}`,
    ),
    praise:
      "Each entry lies between the smallest and the largest of its column: weights that are not negative and add up to 1 cannot leave this range.",
  }),
});
