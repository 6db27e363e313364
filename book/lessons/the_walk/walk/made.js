// @ts-check
// The panel that says how a number was made: for a product the row, the column and their products.

import { fill, format, h } from "../../kit/figures/kit.js";
import { largestOf } from "../../kit/figures/table.js";
import { strip } from "./field.js";
import shared from "./walk.json" with { type: "json" };

/** @typedef {import("./origin.js").Products} Products */
/** @typedef {import("./origin.js").Sentence} Sentence */

const { made } = shared;
const SENTENCES = /** @type {Record<string, string>} */ (/** @type {unknown} */ (made));
const FEW = 3; // of the largest products

/** The numbers of a sentence, written for the eye. @param {Record<string, number | string>} words */
function numbersText(words) {
  const whole = ["D", "count", "entry", "id", "place", "power"];
  return Object.fromEntries(
    Object.entries(words).map(([name, x]) => [
      name,
      typeof x === "string"
        ? x
        : whole.includes(name) && Number.isInteger(x)
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

/** The largest products, each with its place. @param {Products} origin @param {number[]} terms */
function largestText({ left, right }, terms) {
  const order = [...terms.keys()].sort((a, b) => Math.abs(terms[b]) - Math.abs(terms[a]));
  const list = order
    .slice(0, FEW)
    .map((k) => `${k + 1}: ${format(left[k])} · ${format(right[k])} = ${format(terms[k])}`);
  return fill(made.largest, { list: list.join("; ") });
}

/** @param {Products | Sentence} origin @returns {HTMLElement[]} */
export function madeOf(origin) {
  if (!("left" in origin))
    return [h("p", {}, fill(SENTENCES[origin.kind], numbersText(origin.words)))];
  const { left, right, names } = origin;
  const terms = Array.from(left, (x, k) => x * right[k]);
  const rows = [left, right, terms].map((row, k) => {
    const name = k < 2 ? names[k] : made.sign[1];
    const colors = h("span", { class: "wk-strip" }, strip(row, largestOf(Array.from(row))));
    const word = h("span", { class: "wk-word" }, k === 1 ? `${made.sign[0]} ${name}` : name);
    return h("div", { class: "wk-row" }, word, colors);
  });
  return [
    h("div", { class: "wk-product", "aria-hidden": "true" }, ...rows),
    h("p", {}, sumText(origin, terms)),
    h("p", {}, largestText(origin, terms)),
  ];
}
