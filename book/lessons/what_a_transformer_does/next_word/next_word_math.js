// @ts-check
// The mathematics of the next word: what follows these words in the text, and with which shares.

import { drawIndex, softmax } from "../../kit/figures/math.js";
import shared from "./next_word.json" with { type: "json" };

/** @typedef {{text: string, beginning: string, context: number, temperature: number}} State */
/** @typedef {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} Traits */
/** @typedef {ReturnType<typeof continuations>} Found */

/** The words of a text in small letters, as counts.py splits it. @param {string} text @returns {string[]} */
export function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}_']+|[.?!]/gu) ?? [];
}

/** How often each word occurs, the most frequent first. @param {string[]} words */
function tallied(words) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/**
 * What comes after the last words of a prefix; fewer of them where the text lacks them.
 * @param {string[]} words @param {string[]} beginning @param {number} context
 */
export function nextWords(words, beginning, context) {
  for (let used = Math.min(context, beginning.length); used > 0; used--) {
    const last = beginning.slice(-used);
    const follows = (/** @type {unknown} */ _, /** @type {number} */ i) =>
      i >= used && last.every((word, k) => words[i - used + k] === word);
    const counts = tallied(words.filter(follows));
    if (counts.length) return { used, counts };
  }
  return { used: 0, counts: tallied(words) };
}

/** The next words of a figure with their counts and shares. @param {Traits} model */
export function continuations(model) {
  const beginning = wordsOf(model.get("beginning"));
  const { used, counts } = nextWords(wordsOf(model.get("text")), beginning, model.get("context"));
  const shares = softmax(counts.map(([, count]) => Math.log(count) / model.get("temperature")));
  return { used, beginning, words: counts.map(([word]) => word), counts, shares };
}

/**
 * Every number of the figure; the same names as NextWord.results().
 * @param {Traits} model
 */
export function compute(model) {
  const { counts, shares } = continuations(model);
  const column = (/** @type {number[]} */ list) => list.slice(0, shared.rows).map((x) => [x]);
  return { times: column(counts.map(([, count]) => count)), shares: column(shares) };
}

/** The word that a random number from 0 to 1 draws. @param {string[]} words @param {number[]} shares @param {number} chance */
export function drawn(words, shares, chance) {
  return words[drawIndex(shares, chance)];
}

/** A prefix with one more word. @param {string} beginning @param {string} word */
export function longer(beginning, word) {
  const start = beginning.trimEnd();
  return /^[.?!]$/.test(word) || !start ? start + word : `${start} ${word}`;
}

/** A prefix without its last word. @param {string} beginning */
export function shorter(beginning) {
  return beginning
    .trimEnd()
    .replace(/([\p{L}\p{N}_']+|[^\p{L}\p{N}_'\s])$/u, "")
    .trimEnd();
}
