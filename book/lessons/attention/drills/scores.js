// @ts-check
// The scores of one query: its dot product with each key.

import { format } from "../../kit/figures/kit.js";
import { dot } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { productsOf, wholes } from "../../kit/drills/draw.js";
import { WHOLE } from "../../kit/drills/judge.js";

const ROWS = ["key 1", "key 2", "key 3"];
const HEADS = ["1", "2", "3"];

export default play({
  name: "scores",
  title: "The scores of one query",
  ...WHOLE,
  draw: (random) => ({
    query: wholes(random, 3, -3, 3),
    keys: ROWS.map(() => wholes(random, 3, -3, 3)),
  }),
  answer: ({ query, keys }) => keys.map((key) => dot(query, key)),
  mistakes: ({ query, keys }) => [
    {
      answer: keys.map((key) => dot(query.map(Math.abs), key.map(Math.abs))),
      cause: "You lost the minus signs: minus times plus is negative.",
    },
    {
      answer: keys.map((key) => key.reduce((sum, x, i) => sum + query[i] + x, 0)),
      cause: "You added query and key. Multiply entry by entry, then add.",
    },
    {
      answer: keys.map((key) => query[0] * key[0]),
      cause:
        "This is the product of the first entries alone. Add the products of the other entries.",
    },
    {
      answer: keys.map((_, j) => keys.reduce((sum, key, i) => sum + query[i] * key[j], 0)),
      cause: "You went down the columns of the key table. A key is a row.",
    },
  ],
  show: ({ query, keys }) => ({
    task: "One query is compared with three keys. Its score with a key is their dot product: multiply entry by entry, then add.",
    given: [
      { caption: "query", heads: HEADS, rows: ["q"], cells: [query] },
      { caption: "keys", heads: HEADS, rows: ROWS, cells: keys },
    ],
    asked: { caption: "scores", heads: ["q · k"], rows: ROWS },
    way: keys.map((key, j) => `${ROWS[j]}: ${productsOf(query, key)} = ${format(dot(query, key))}`),
    praise:
      "Three dot products are the scores of one query. Next, softmax turns them into weights.",
  }),
});
