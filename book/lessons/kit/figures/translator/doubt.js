// @ts-check
// Whether the translator was made for a sentence: how sure it is of the words that it writes, as the
// package's doubt.py measures it.

import { logProbabilities } from "./search.js";
import { SPECIAL } from "./weights.js";

/** @typedef {import("./weights.js").Translator} Translator */
/** @typedef {import("./machine.js").Step} Step */
/** Each log-probability of a translation, and how far it is above the next best. @typedef {{logProbs: number[], margins: number[]}} Written */
/** `value` is the signal; `word` the least certain word, `share` its probability. @typedef {{value: number, isDoubtful: boolean, word: string, share: number}} Doubt */

/** The smaller, the less sure; the package's SIGNALS. @type {Record<string, (written: Written) => number>} */
const SIGNALS = {
  least: ({ logProbs }) => Math.min(...logProbs),
  mean: ({ logProbs }) => total(logProbs) / logProbs.length,
  total: ({ logProbs }) => total(logProbs),
  margin: ({ margins }) => Math.min(...margins),
};

/** @param {number[]} list */
function total(list) {
  return list.reduce((sum, x) => sum + x, 0);
}

/** The two largest numbers. @param {Float64Array} list */
function twoLargest(list) {
  let [first, second] = [-Infinity, -Infinity];
  for (const x of list) {
    if (x > first) [first, second] = [x, first];
    else if (x > second) second = x;
  }
  return [first, second];
}

/**
 * What the translator's rule says of a translation by the likeliest words; undefined if it has none.
 * @param {Translator} model @param {{ids: number[], steps: Step[]}} written @returns {Doubt | undefined}
 */
export function doubtOf({ doubt: rule, tokens }, { ids, steps }) {
  if (!rule) return undefined;
  const all = steps.map(({ logits }) => logProbabilities(logits));
  const logProbs = all.map((row, i) => row[ids[i]]);
  const margins = all.map((row) => {
    const [first, second] = twoLargest(row);
    return first - second;
  });
  const value = SIGNALS[rule.signal]({ logProbs, margins });
  const least = logProbs.indexOf(Math.min(...logProbs));
  const isDoubtful = value < rule.threshold || ids[ids.length - 1] !== SPECIAL.eos;
  return { value, isDoubtful, word: tokens[ids[least]], share: Math.exp(logProbs[least]) };
}
