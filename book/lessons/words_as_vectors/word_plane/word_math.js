// @ts-check
// The mathematics of the word plane. No vector is needed: cosines, lengths and projections follow
// from the inner products of the words, which vectors.json holds.

import { dot, mix } from "../../kit/figures/math.js";
import vectors from "./vectors.json" with { type: "json" };
import shared from "./word_plane.json" with { type: "json" };

/** @typedef {{pair: string[], start: string, exclude: boolean, plane: string}} State */
/** @typedef {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} Traits */
/** @typedef {ReturnType<typeof answers>} Answers */
/** @typedef {number[]} Point */

export const WORDS = vectors.words;

/** The inner product of each word with each other: all have the length 1. */
const PRODUCTS = WORDS.map((_, i) =>
  WORDS.map((_, j) => (i === j ? 1 : vectors.products[Math.max(i, j)][Math.min(i, j)] / 1e6)),
);

/** Where the words lie on the plane that keeps most of their variance. @type {Point[]} */
const MAIN_PLANE = vectors.places.map((point) => point.map((x) => x / 1e4));

// A vector is written as what it takes of each word: [0, 1, 0, …] is the second word.

/** @param {number} index */
const word = (index) => WORDS.map((_, i) => (i === index ? 1 : 0));

/** The mean of all words. */
const MIDDLE = WORDS.map(() => 1 / WORDS.length);

/** a − b @param {number[]} a @param {number[]} b */
const minus = (a, b) => a.map((x, i) => x - b[i]);

/** The inner products of a vector with all words. @param {number[]} a */
const withWords = (a) => PRODUCTS.map((row) => dot(row, a));

/** @param {number[]} a @param {number[]} b */
const inner = (a, b) => dot(withWords(a), b);

/** @param {number[]} a */
const size = (a) => Math.sqrt(inner(a, a));

/** @param {number[]} a @param {number[]} b */
const cosine = (a, b) => inner(a, b) / (size(a) * size(b));

/** The indices of the arrow's two words and of its start. @param {Traits} model */
export function threeOf(model) {
  return [...model.get("pair"), model.get("start")].map((name) => WORDS.indexOf(name));
}

/** The places of the largest numbers, the first of equal ones first. @param {number[]} list */
function descending(list) {
  return list.map((_, i) => i).sort((i, j) => list[j] - list[i] || i - j);
}

/** Two directions of length 1 at a right angle: the first two that are not the same. @param {number[][]} directions */
function firstTwo(directions) {
  /** @type {number[][]} */
  const found = [];
  for (const direction of directions) {
    const left = found.reduce((rest, e) => minus(rest, mix([inner(direction, e)], [e])), direction);
    const length = size(left);
    if (length > 1e-3 && found.length < 2) found.push(left.map((x) => x / length));
  }
  return found;
}

/** Where each word lies on the plane. @param {Traits} model @returns {Point[]} */
export function places(model) {
  if (model.get("plane") === "all") return MAIN_PLANE;
  const [a, b, c] = threeOf(model).map(word);
  const ends = [b, c, MIDDLE, word(0), word(1)];
  const along = firstTwo(ends.map((end) => minus(end, a))).map((e) => {
    const [zero, shares] = [inner(a, e), withWords(e)];
    return shares.map((share) => share - zero);
  });
  return WORDS.map((_, i) => along.map((axis) => axis[i]));
}

/** The tip of the arrow when it starts at the third word. @param {Point[]} points @param {number[]} three */
export function tipOf(points, [a, b, c]) {
  return points[a].map((_, d) => points[b][d] - points[a][d] + points[c][d]);
}

/** @param {Point} p @param {Point} q */
export function distance(p, q) {
  return Math.hypot(...p.map((x, d) => x - q[d]));
}

/** The mean squared distance of points from their mean. @param {Point[]} points */
function variance(points) {
  const middle = mix(MIDDLE, points);
  return points.reduce((sum, point) => sum + distance(point, middle) ** 2, 0) / points.length;
}

/** What lies nearest to the arrow's tip, in all dimensions and in the drawing. @param {Traits} model */
export function answers(model) {
  const three = threeOf(model);
  const [a, b, c] = three;
  const tip = minus(mix([1, 1], [word(b), word(c)]), word(a));
  const length = size(tip);
  const cosines = withWords(tip).map((product) => product / length);
  const points = places(model);
  const target = tipOf(points, three);
  const near = descending(points.map((point) => -distance(point, target)));
  const open = (/** @type {number} */ i) => !model.get("exclude") || !three.includes(i);
  const all = descending(cosines);
  const found = all.filter(open).slice(0, shared.rows);
  const inDrawing = near.filter(open);
  return {
    three,
    points,
    target,
    cosines,
    found,
    first: all[0], // of all words, the three counted
    drawn: found.map((i) => inDrawing.indexOf(i) + 1),
    answer: found.find((i) => i !== c) ?? found[0],
  };
}

/** The cosines of what comes nearest. @param {Answers} results */
export function nearestOf({ found, cosines }) {
  return found.map((i) => [cosines[i]]);
}

/** The variance of all words in all dimensions. */
const WHOLE = 1 - inner(MIDDLE, MIDDLE);

/**
 * Every number of the figure; the same names as WordPlane.results().
 * @param {Traits} model @param {Answers} [known]
 */
export function compute(model, known = answers(model)) {
  const { three, points, drawn, answer } = known;
  const [a, b, c] = three;
  const arrow = minus(word(b), word(a));
  const kept = [
    variance(points) / WHOLE,
    distance(points[a], points[b]) / size(arrow),
    cosine(arrow, minus(word(answer), word(c))),
  ];
  return {
    nearest: nearestOf(known),
    drawn: drawn.map((place) => [place]),
    kept: kept.map((x) => [x]),
  };
}

/** The word nearest to a point of the drawing. @param {Point[]} points @param {Point} point */
export function nearestTo(points, point) {
  const away = points.map((other) => distance(other, point));
  return away.indexOf(Math.min(...away));
}

/**
 * The nearest word in a direction, within 45° of it; the same word if there is none.
 * @param {Point[]} points @param {number} from @param {Point} direction of length 1
 */
export function stepFrom(points, from, direction) {
  const steps = points.map((point, i) => {
    const step = point.map((x, d) => x - points[from][d]);
    const length = Math.hypot(...step);
    return i !== from && dot(step, direction) > 0.7 * length ? length : Infinity;
  });
  const least = Math.min(...steps);
  return least === Infinity ? from : steps.indexOf(least);
}

/**
 * The pair with one of its words changed; picking the other word of the pair swaps the two.
 * @param {string[]} pair @param {number} end @param {string} name
 */
export function changedPair(pair, end, name) {
  return name === pair[1 - end] ? pair.toReversed() : pair.with(end, name);
}
