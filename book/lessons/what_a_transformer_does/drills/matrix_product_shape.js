// @ts-check
// The shape of a product of two matrices, if there is one.

import { play } from "../../kit/drills/drill.js";
import { pick, shuffled, whole } from "../../kit/drills/draw.js";
import { NO_SHAPE, SHAPES, shape } from "../../kit/drills/shapes.js";

/** @typedef {{products: [number[], number[]][]}} Problem */

const NAMES = ["A B", "C D", "E F"];

/** What who applies a rule to each pair of shapes answers. @param {Problem} problem @param {(a: number[], b: number[]) => string} rule */
const each = ({ products }, rule) => products.map(([a, b]) => rule(a, b));

/** @param {number[]} a @param {number[]} b */
const product = (a, b) => (a[1] === b[0] ? shape([a[0], b[1]]) : NO_SHAPE);

export default play({
  name: "matrix_product_shape",
  title: "The shape of a product",
  ...SHAPES,
  draw: (random) => {
    const sizes = shuffled(random, [1, 2, 3, 4, 5, 6, 7, 8]);
    const [m, n, k, p, q, r, s] = sizes;
    // One that fits, one that fits only the other way round, and one by chance.
    const last = pick(random, [
      [m, s],
      [n, whole(random, 2, 9)],
    ]);
    const products = [
      [
        [m, n],
        [n, k],
      ],
      [
        [p, q],
        [r, p],
      ],
      [[s, n], last],
    ];
    return { products: /** @type {[number[], number[]][]} */ (shuffled(random, products)) };
  },
  answer: (problem) => each(problem, product),
  mistakes: (problem) => [
    {
      answer: each(problem, (a, b) => shape([a[0], b[1]])),
      cause:
        "The outer sizes are right, but a product exists only where the inner sizes are equal.",
    },
    {
      answer: each(problem, (a, b) => (a[1] === b[0] ? shape([b[1], a[0]]) : NO_SHAPE)),
      cause:
        "Rows and columns are exchanged: the rows come from the first matrix, the columns from the second.",
    },
    {
      answer: each(problem, (a, b) => product(b, a)),
      cause: "This is the product in the other order. The first matrix is the left one.",
    },
    {
      answer: each(problem, () => NO_SHAPE),
      cause: "Shapes need not be equal: the first needs as many columns as the second has rows.",
    },
  ],
  show: (problem) => ({
    task: "Which shape has each product? Write rows and columns, or “no” if the matrices do not fit.",
    given: [
      {
        caption: "shapes",
        heads: ["first", "second"],
        rows: NAMES,
        cells: problem.products.map(([a, b]) => [shape(a), shape(b)]),
      },
    ],
    asked: { caption: "products", heads: ["shape"], rows: NAMES },
    way: problem.products.map(([a, b], i) =>
      a[1] === b[0]
        ? `${NAMES[i]}: the inner sizes are both ${a[1]}, the outer ones remain: ${product(a, b)}`
        : `${NAMES[i]}: the inner sizes are ${a[1]} and ${b[0]}: no`,
    ),
    praise:
      "Inner sizes meet and vanish, outer sizes remain: (T, K) times (K, S) is the (T, S) of the scores.",
  }),
});
