// @ts-check
// From what may come next to a whole sentence: the likeliest word each time, or words by chance.
// A search can also be run bit by bit: its generator stops after every word.

import { randomNumbers } from "../kit.js";
import { drawIndex } from "../math.js";
import { start, step } from "./machine.js";
import { SPECIAL } from "./weights.js";
import { textOf } from "./words.js";

/** @typedef {import("./weights.js").Translator} Translator */
/** @typedef {import("./encoder.js").Encoded} Encoded */
/** @typedef {import("./machine.js").Step} Step */
/** `temperature` divides the logits, `most` counts the tokens with the start. @typedef {import("./parts.js").Options & {temperature?: number, most?: number}} SearchOptions */
/** `ids` end in the end token, unless the sentence got too long; steps[i] led to ids[i]. @typedef {{ids: number[], text: string, steps: Step[]}} Translation */

/** The longest sentence with its start, unless the options say otherwise. */
export const MOST = 64;

/** The logarithms of the probabilities of all words; the pad is not a word. @param {Float64Array} logits @param {number} [temperature] */
export function logProbabilities(logits, temperature = 1) {
  const scaled = logits.map((x, id) => (id === SPECIAL.pad ? -Infinity : x / temperature));
  const top = scaled.reduce((most, x) => Math.max(most, x));
  const total = Math.log(scaled.reduce((sum, x) => sum + Math.exp(x - top), 0));
  return scaled.map((x) => x - top - total);
}

/**
 * The likeliest words, best first, of equal ones the first. One pass: to sort all takes longer.
 * @param {Float64Array} logProbs @param {number} count
 */
export function likeliest(logProbs, count) {
  /** @type {number[]} */
  const best = [];
  logProbs.forEach((x, id) => {
    if (best.length === count && !(x > logProbs[best[count - 1]])) return;
    let place = best.length;
    while (place > 0 && x > logProbs[best[place - 1]]) place -= 1;
    best.splice(place, 0, id);
    best.length = Math.min(best.length, count);
  });
  return best;
}

/** The id of the largest logit; the pad is not a word. @param {Float64Array} logits */
export function highest(logits) {
  return logits.reduce((best, x, id) => (x > logits[best] ? id : best), SPECIAL.pad + 1);
}

/**
 * Write word after word, each as `choose` says, until the sentence ends; stops after every word.
 * @param {Translator} model @param {Encoded} encoded @param {(logits: Float64Array) => number} choose
 * @param {SearchOptions} [options] @returns {Generator<Step, Translation>}
 */
export function* written(model, encoded, choose, options = {}) {
  const state = start(model, encoded, options);
  /** @type {number[]} */
  const ids = [];
  /** @type {Step[]} */
  const steps = [];
  while (ids.length + 1 < (options.most ?? MOST) && ids[ids.length - 1] !== SPECIAL.eos) {
    steps.push(step(model, state, ids[ids.length - 1] ?? SPECIAL.bos, options));
    ids.push(choose(steps[steps.length - 1].logits));
    yield steps[steps.length - 1];
  }
  return { ids, text: textOf(model, ids), steps };
}

/** What a generator returns when it is run to its end. @template T @param {Generator<unknown, T>} generator @returns {T} */
export function finished(generator) {
  for (;;) {
    const { done, value } = generator.next();
    if (done) return value;
  }
}

/** A choice by chance, for `written`. @param {number} seed @param {number} [temperature] @returns {(logits: Float64Array) => number} */
export function drawing(seed, temperature = 1) {
  const chance = randomNumbers(seed);
  return (logits) => drawIndex(logProbabilities(logits, temperature).map(Math.exp), chance());
}

/** What a log-probability is divided by: ((5 + length) / 6)^α. @param {number} length @param {number} alpha */
export function lengthPenalty(length, alpha) {
  return ((5 + length) / 6) ** alpha;
}
