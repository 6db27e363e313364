// @ts-check
// What drills draw their numbers with, and how they write a calculation.

import { counted, format } from "../figures/kit.js";

/** @typedef {() => number} Random from 0 up to 1, as Math.random */

/** A whole number from low to high, both included. @param {Random} random @param {number} low @param {number} high */
export function whole(random, low, high) {
  return low + Math.floor(random() * (high - low + 1));
}

/** @param {Random} random @param {number} count @param {number} low @param {number} high */
export function wholes(random, count, low, high) {
  return Array.from({ length: count }, () => whole(random, low, high));
}

/** One entry of a list. @template T @param {Random} random @param {T[]} list @returns {T} */
export function pick(random, list) {
  return list[whole(random, 0, list.length - 1)];
}

/** The same entries in another order. @template T @param {Random} random @param {T[]} list @returns {T[]} */
export function shuffled(random, list) {
  const left = [...list];
  return list.map(() => left.splice(whole(random, 0, left.length - 1), 1)[0]);
}

/** A number inside a calculation: a negative one in parentheses. @param {number} x @param {number} [digits] */
export function inside(x, digits) {
  return x < 0 ? `(${format(x, digits)})` : format(x, digits);
}

/** "1 + (−2) + 3" @param {number[]} list @param {number} [digits] */
export function sumOf(list, digits) {
  return list.map((x, i) => (i ? inside(x, digits) : format(x, digits))).join(" + ");
}

/** "2 · 1 + 3 · (−1)" @param {number[]} a @param {number[]} b */
export function productsOf(a, b) {
  return a.map((x, i) => `${i ? inside(x) : format(x)} · ${inside(b[i])}`).join(" + ");
}

/** "x₁", "x₂", …, one for each item. @param {string} letter @param {unknown[]} list */
export function indexed(letter, list) {
  return list.map((_, i) => `${letter}${"₀₁₂₃₄₅₆₇₈₉"[i + 1]}`);
}

/** A row as a table of its own. @param {string} caption @param {string} letter @param {number[]} row */
export function rowTable(caption, letter, row) {
  return { caption, heads: counted(row), rows: [letter], cells: [row] };
}

// Four deviations from a mean, whose standard deviation is 3, 5, 7 and 6.
const FRIENDLY = [
  [5, -3, -1, -1],
  [7, 1, -1, -7],
  [11, -7, -5, 1],
  [10, -6, -2, -2],
];

/** Four numbers whose population standard deviation is a whole number. @param {Random} random */
export function friendlyRow(random) {
  const deviations = pick(random, FRIENDLY);
  const [mean, sign] = [whole(random, -4, 9), pick(random, [1, -1])];
  return shuffled(random, deviations).map((x) => mean + sign * x);
}
