// @ts-check
// Whether the translator was made for a sentence: how sure it is of the words that it writes, as the
// package's doubt.py measures it.

import { logProbabilities } from "./search.js";
import { SPECIAL } from "./weights.js";

/** @typedef {import("./weights.js").Translator} Translator */
/** @typedef {import("./machine.js").Step} Step */
/** `value` is the mean log-probability; `word` the least certain word, `share` its probability. @typedef {{value: number, isDoubtful: boolean, word: string, share: number}} Doubt */

/**
 * What the translator's rule says of a translation by the likeliest words; undefined if it has none.
 * @param {Translator} model @param {{ids: number[], steps: Step[]}} written @returns {Doubt | undefined}
 */
export function doubtOf({ doubt: rule, tokens }, { ids, steps }) {
  if (!rule) return undefined;
  const logProbs = steps.map(({ logits }, i) => logProbabilities(logits)[ids[i]]);
  const value = logProbs.reduce((sum, x) => sum + x, 0) / logProbs.length;
  const least = logProbs.indexOf(Math.min(...logProbs));
  const isDoubtful = value < rule.threshold || ids[ids.length - 1] !== SPECIAL.eos;
  return { value, isDoubtful, word: tokens[ids[least]], share: Math.exp(logProbs[least]) };
}
