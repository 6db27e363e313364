// @ts-check
// How far words are apart: as one-hot vectors, and as rows of an embedding matrix.

import { counted, format } from "../../kit/figures/kit.js";
import { dot } from "../../kit/figures/math.js";
import { play } from "../../kit/drills/drill.js";
import { inside, shuffled, whole, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{words: string[], places: number[], table: number[][]}} Problem */

const WORDS = ["cat", "dog", "car", "tea", "sun", "sea", "bus", "oak", "owl", "jam", "ink", "fox"];
const SIZE = 5; // words of the vocabulary

/** @param {number} place @returns {number[]} */
const oneHot = (place) => Array.from({ length: SIZE }, (_, i) => (i === place ? 1 : 0));

/** @param {number[]} a @param {number[]} b */
const differences = (a, b) => a.map((x, i) => x - b[i]);

/** @param {number[]} a @param {number[]} b */
const squares = (a, b) => differences(a, b).reduce((sum, x) => sum + x * x, 0);

/** @param {number[]} a @param {number[]} b */
const blocks = (a, b) => differences(a, b).reduce((sum, x) => sum + Math.abs(x), 0);

/**
 * A measure between the first word and each of the others: of one-hot vectors, then of rows.
 * @param {Problem} problem @param {(a: number[], b: number[]) => number} measure
 * @param {(place: number) => number} [rowOf] which row of the table a word has
 */
function measured({ places, table }, measure, rowOf = (place) => place) {
  const [first, ...others] = places;
  return others.flatMap((place) => [
    measure(oneHot(first), oneHot(place)),
    measure(table[rowOf(first)], table[rowOf(place)]),
  ]);
}

export default play({
  name: "one_hot_distance",
  title: "How far apart words are",
  ...TWO_DECIMALS,
  draw: (random) => {
    const order = shuffled(random, [0, 1, 2, 3, 4]);
    return {
      words: shuffled(random, WORDS).slice(0, 3),
      places: order.slice(0, 3),
      table: Array.from({ length: SIZE }, () => wholes(random, 2, -4, whole(random, 3, 5))),
    };
  },
  answer: (problem) => measured(problem, (a, b) => Math.sqrt(squares(a, b))),
  mistakes: (problem) => {
    const distance = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
      Math.sqrt(squares(a, b));
    const right = measured(problem, distance);
    const [first, ...others] = problem.places;
    return [
      {
        answer: measured(problem, squares),
        cause: "You forgot the root: a distance is the root of the sum of squares.",
      },
      {
        answer: measured(problem, blocks),
        cause:
          "You added the differences without squaring them. Square each, add, then take the root.",
      },
      {
        answer: measured(problem, dot),
        cause: "That is the dot product. The distance is the length of the difference.",
      },
      {
        answer: measured(
          problem,
          (a, b) => Math.sqrt(squares(a, b)),
          (place) => (place + 1) % SIZE,
        ),
        cause:
          "You took the row below. A one-hot vector picks the row at the position of its 1, and rows are counted from 1.",
      },
      {
        answer: right.map((x, i) => (i % 2 ? x : Math.abs(first - others[(i / 2) | 0]))),
        cause:
          "You subtracted the positions of the ones. A position is only a name: the vectors differ in two entries, by 1 each.",
      },
      {
        answer: right.map((x, i) => (i % 2 ? x : 1)),
        cause: "One-hot vectors of two words differ in two entries, by 1 each: √(1 + 1).",
      },
    ];
  },
  show: (problem) => {
    const { words, places, table } = problem;
    const [a, ...others] = words;
    const [first, ...places2] = places;
    const row = (/** @type {number} */ place) =>
      `[${table[place].map((x) => format(x)).join(", ")}]`;
    const far = (/** @type {number} */ place) => {
      const steps = differences(table[first], table[place]);
      const sum = squares(table[first], table[place]);
      return `√(${steps.map((x) => `${inside(x)}²`).join(" + ")}) = √${format(sum)} = ${format(Math.sqrt(sum), 3)}`;
    };
    return {
      task: `Each word of a vocabulary of ${SIZE} is a one-hot vector, and its product with the table E is its embedding. How far is “${a}” from the other two words, as one-hot vectors and as embeddings?`,
      given: [
        { caption: "one-hot", heads: counted(oneHot(0)), rows: words, cells: places.map(oneHot) },
        { caption: "E", heads: ["1", "2"], rows: counted(table), cells: table },
      ],
      asked: {
        caption: "distance",
        heads: ["one-hot", "embedded"],
        rows: others.map((other) => `${a}, ${other}`),
      },
      way: [
        "Two one-hot vectors differ in two entries, by 1 each: √(1² + 1²) = √2 = 1.414",
        `The product of a one-hot vector with E is a row of E: “${a}” is row ${first + 1}, ${row(first)}`,
        ...others.map(
          (other, i) =>
            `“${other}” is row ${places2[i] + 1}, ${row(places2[i])}: ${far(places2[i])}`,
        ),
      ],
      praise: "As one-hot vectors all words are equally far apart; embeddings can be near or far.",
    };
  },
});
