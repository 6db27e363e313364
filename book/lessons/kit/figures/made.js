// @ts-check
// How a number was made: for a product the row, the column and their products, else a sentence.

import { strip } from "./color_field.js";
import { fill, format, h } from "./kit.js";
import made from "./made.json" with { type: "json" };
import { largestOf } from "./table.js";

/** @typedef {ArrayLike<number>} Row */
/**
 * A number is the sum of products of two rows, divided by `divisor`, plus a bias; or one of the
 * other kinds, with the numbers that its sentence in `made.json` needs. `value` is the result.
 * @typedef {{kind: "products", left: Row, right: Row, names: string[], divisor: number, bias: number, value: number}} Products
 * @typedef {{kind: string, words: Record<string, number | string>, value: number}} Sentence
 */

const SENTENCES = /** @type {Record<string, string>} */ (/** @type {unknown} */ (made));
const WHOLE = ["D", "count", "entry", "id", "place", "power"]; // words that are whole numbers
const FEW = 3; // of the largest products

/** How to read a color field, and how to see where a number comes from. */
export const HINT = made.hint;

/** @param {string[]} names @param {Row} left @param {Row} right @param {number} divisor @param {number} bias @returns {Products} */
export function products(names, left, right, divisor = 1, bias = 0) {
  const total = Array.from(left, (x, k) => x * right[k]).reduce((sum, x) => sum + x, 0);
  return { kind: "products", left, right, names, divisor, bias, value: total / divisor + bias };
}

/** @param {string} kind @param {number} value @param {Record<string, number | string>} words @returns {Sentence} */
export const sentence = (kind, value, words) => ({ kind, value, words: { ...words, value } });

/** e to the power of one score, divided by the sum over all. @param {number[]} scores @param {number} j */
export function softmaxOf(scores, j) {
  const total = scores.reduce((sum, score) => sum + Math.exp(score), 0);
  const power = Math.exp(scores[j]);
  const words = { score: scores[j], count: scores.length, power, total };
  return sentence("softmax", power / total, words);
}

/** LayerNorm. @param {Row} x @param {number} j @param {Row} gamma @param {Row} beta @param {number} eps */
export function layerNormOf(x, j, gamma, beta, eps) {
  const row = Array.from(x);
  const mean = row.reduce((sum, one) => sum + one, 0) / row.length;
  const variance = row.reduce((sum, one) => sum + (one - mean) ** 2, 0) / row.length;
  const root = Math.sqrt(variance + eps);
  const words = { gamma: gamma[j], beta: beta[j], x: row[j], mean, root, D: row.length };
  return sentence("norm", (gamma[j] * (row[j] - mean)) / root + beta[j], words);
}

/** RMSNorm. @param {Row} x @param {number} j @param {Row} gamma @param {number} eps */
export function rmsNormOf(x, j, gamma, eps) {
  const row = Array.from(x);
  const root = Math.sqrt(row.reduce((sum, one) => sum + one ** 2, 0) / row.length + eps);
  const words = { gamma: gamma[j], x: row[j], root, D: row.length };
  return sentence("rms", (gamma[j] * row[j]) / root, words);
}

/** The numbers of a sentence, written for the eye. @param {Record<string, number | string>} words */
function numbersText(words) {
  return Object.fromEntries(
    Object.entries(words).map(([name, x]) => [
      name,
      typeof x === "string"
        ? x
        : WHOLE.includes(name) && Number.isInteger(x)
          ? String(x)
          : format(x),
    ]),
  );
}

/** How the sum of products became the number. @param {Products} origin @param {number[]} terms */
function sumText({ divisor, bias, value }, terms) {
  const total = terms.reduce((sum, x) => sum + x, 0);
  const parts = [fill(made.products, { count: terms.length, total: format(total) })];
  const end = format(value);
  if (divisor !== 1)
    parts.push(fill(made.divided, { width: Math.round(divisor ** 2), value: end }));
  if (bias) parts.push(fill(made.bias, { bias: format(bias), value: end }));
  return parts.join(" ");
}

/** The largest products, each with its index. @param {Products} origin @param {number[]} terms */
function largestText({ left, right }, terms) {
  const order = [...terms.keys()].sort((a, b) => Math.abs(terms[b]) - Math.abs(terms[a]));
  const list = order
    .slice(0, FEW)
    .map((k) => `${k + 1}: ${format(left[k])} · ${format(right[k])} = ${format(terms[k])}`);
  return fill(made.largest, { list: list.join("; ") });
}

/** What a reader sees of it. @param {Products | Sentence} origin @returns {HTMLElement[]} */
export function madeOf(origin) {
  if (!("left" in origin))
    return [h("p", {}, fill(SENTENCES[origin.kind], numbersText(origin.words)))];
  const { left, right, names } = origin;
  const terms = Array.from(left, (x, k) => x * right[k]);
  const rows = [left, right, terms].map((row, k) => {
    const name = k < 2 ? names[k] : made.sign[1];
    const colors = h("span", { class: "tl-field-strip" }, strip(row, largestOf(Array.from(row))));
    const word = h("span", { class: "tl-field-word" }, k === 1 ? `${made.sign[0]} ${name}` : name);
    return h("div", { class: "tl-field-row" }, word, colors);
  });
  return [
    h("div", { class: "tl-made-product", "aria-hidden": "true" }, ...rows),
    h("p", {}, sumText(origin, terms)),
    h("p", {}, largestText(origin, terms)),
  ];
}
