// @ts-check
// Shaw's score by hand: the clipped offset, and the vector that it adds to the key.

import { format } from "../../kit/figures/kit.js";
import { dot } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { productsOf, whole, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{query: number[], key: number[], vectors: number[][], i: number, j: number}} Problem the vectors belong to the offsets −1, 0 and 1 */

const ROOT = 2; // of the width 4

/** @param {Problem} problem */
const clipped = ({ i, j }) => Math.max(-1, Math.min(1, j - i));

/** @param {Problem} problem */
const vectorOf = (problem) => problem.vectors[clipped(problem) + 1];

/** The three answers. @param {number} content @param {number} position @param {number} score */
const rows = (content, position, score) => [content, position, score];

export default play({
  name: "shaw_score",
  title: "A score under Shaw's scheme",
  ...TWO_DECIMALS,
  draw: (random) => {
    const i = whole(random, 2, 6);
    const steps = [-whole(random, 2, i), -1, 1, whole(random, 2, 3)];
    return {
      query: wholes(random, 4, -2, 3),
      key: wholes(random, 4, -2, 3),
      vectors: [wholes(random, 4, -2, 2), wholes(random, 4, -2, 2), wholes(random, 4, -2, 2)],
      i,
      j: i + steps[whole(random, 0, 3)],
    };
  },
  answer: (problem) => {
    const content = dot(problem.query, problem.key);
    const position = dot(problem.query, vectorOf(problem));
    return rows(content, position, (content + position) / ROOT);
  },
  mistakes: (problem) => {
    const { query, key, vectors } = problem;
    const content = dot(query, key);
    const position = dot(query, vectorOf(problem));
    const turned = dot(query, vectors[1 - clipped(problem)]);
    const itself = dot(query, vectors[1]);
    const asked = dot(key, vectorOf(problem));
    return [
      {
        answer: rows(content, turned, (content + turned) / ROOT),
        cause: "The sign of the offset is wrong. It is the key's position minus the query's.",
      },
      {
        answer: rows(content, itself, (content + itself) / ROOT),
        cause: "This is the vector of offset 0, which belongs to a query and its own key.",
      },
      {
        answer: rows(content, asked, (content + asked) / ROOT),
        cause: "You multiplied the vector by the key. Take its dot product with the query.",
      },
      {
        answer: rows(content, position, content + position),
        cause: "The sum is not divided by √4 = 2.",
      },
      {
        answer: rows(content, position, content / ROOT + position),
        cause: "Only the content is divided by 2. Divide the sum of both parts.",
      },
      {
        answer: rows(content, position, content / ROOT),
        cause: "The position part is missing from the score.",
      },
    ];
  },
  show: (problem) => {
    const { query, key, vectors, i, j } = problem;
    const [content, position] = [dot(query, key), dot(query, vectorOf(problem))];
    const offset = clipped(problem);
    const heads = ["1", "2", "3", "4"];
    const names = ["offset −1", "offset 0", "offset 1"];
    return {
      task: `The query is at position ${i}, the key at position ${j}. Offsets are clipped to −1 … 1. Compute q · k, the position part q · c, and the score, their sum divided by √4.`,
      given: [
        { caption: "query and key", heads, rows: ["q", "k"], cells: [query, key] },
        { caption: "vectors c", heads, rows: names, cells: vectors },
      ],
      asked: { caption: "results", heads: ["value"], rows: ["q · k", "q · c", "score"] },
      way: [
        `Offset: ${j} − ${i} = ${format(j - i)}${offset === j - i ? "" : `, clipped to ${format(offset)}`}`,
        `q · k = ${productsOf(query, key)} = ${format(content)}`,
        `q · c = ${productsOf(query, vectors[offset + 1])} = ${format(position)}`,
        `Score = (${format(content)} + ${format(position)}) / 2 = ${format((content + position) / ROOT)}`,
      ],
      praise:
        "With another query the same vector gives another number. T5's number would stay the same.",
    };
  },
});
