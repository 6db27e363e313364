// @ts-check
// What the unrolled translator shows: ways through its cells, and what was measured on them.

import shared from "./recurrent_translator.json" with { type: "json" };
import run from "./run.json" with { type: "json" };

/** @typedef {{sentence: number, attention: boolean, word: number, source: number}} State */
/** @typedef {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} Traits */
/** @typedef {typeof run.sentences[number]} Sentence */
/** Everything chosen, inside the sentence. @typedef {{shown: Sentence, attention: boolean, word: number, source: number}} Place */

/** What is chosen; beyond the last word it is the last. @param {Traits} model @returns {Place} */
export function placeOf(model) {
  const shown = run.sentences[model.get("sentence")];
  return {
    shown,
    attention: model.get("attention"),
    word: Math.min(model.get("word"), shown.words.length - 1),
    source: Math.min(model.get("source"), shown.source.length - 1),
  };
}

/**
 * How many cells the shortest way from an output word back to a source word passes. With z* alone
 * it goes to z*, which every word's score reads, and back through the encoder from its end.
 * Attention reads the state of the source word's own cell. Words count from 0.
 * @param {number} source @param {number} length of the source @param {boolean} attention
 */
export function cellsBetween(source, length, attention) {
  return attention ? 1 : length - source;
}

/** Every number of a place. @param {Place} place */
export function numbersOf({ shown, word }) {
  const { source, gradients, weights } = shown;
  const machines = [false, true];
  return {
    cells: source.map((_, s) => machines.map((on) => cellsBetween(s, source.length, on))),
    gradients: source.map((_, s) => gradients.map((sizes) => sizes[word][s])),
    weights: weights.map((row) => row.map((share) => share / 100)),
  };
}

/** Every number of the figure; the same names as RecurrentSteps.results(). @param {Traits} model */
export function compute(model) {
  return numbersOf(placeOf(model));
}

/** Which cells of the encoder are on the way. @param {Place} place */
export function onTheWay({ attention, source }) {
  return (/** @type {number} */ s) => (attention ? s === source : s >= source);
}

/** How long both machines trained, and what they make of other sentences. */
export const TRAINED = { steps: run.steps, exact: run.exact, measured: run.measured };

/** The sentences and the names of both machines. */
export const SENTENCES = run.sentences;
export const MACHINES = shared.machines;
