// @ts-check
// A decoder alone that continues a text, such as the GPT of the book. The file of its weights has
// the form of the translator's: see weights.js.

import { begin, logitsOf, rewind, takeIn } from "./machine.js";
import { SPECIAL } from "./weights.js";
import { tokenize } from "./words.js";

/** A trained GPT. @typedef {import("./weights.js").Translator} Gpt */
/** @typedef {ReturnType<typeof takeIn>} Taken what the model computed for one token */
/** @typedef {(ids: number[]) => Float64Array} Reader the logits of the token after some ids */

/** Signs that follow a word without a space. */
const CLOSE = [".", ",", "?", "!", ":", ";"];

/**
 * The words of a prompt that the model reads, the last ones of a long text.
 * @param {Gpt} gpt @param {string} text @param {number} most how many words
 */
export function promptOf(gpt, text, most) {
  const { pieces, ids, unknown } = tokenize(gpt, text);
  const first = Math.max(0, ids.length - most);
  return {
    pieces: pieces.slice(first),
    ids: [SPECIAL.bos, ...ids.slice(first)],
    unknown: unknown.slice(first),
    cut: first > 0,
  };
}

/**
 * Return a function from ids to logits. It keeps the keys and values of the ids that the next call
 * has in common with the last one, so one more word costs one more step.
 * @param {Gpt} gpt @param {(taken: Taken) => Float64Array} [vector] what the output layer reads:
 *   the last layer's vector by default
 * @returns {Reader}
 */
export function readerOf(gpt, vector = ({ final }) => final) {
  const state = begin(gpt);
  /** @type {Float64Array[]} */
  const vectors = [];
  return (ids) => {
    const differs = ids.findIndex((id, place) => id !== state.ids[place]);
    if (differs >= 0) {
      rewind(state, differs);
      vectors.length = differs;
      for (const id of ids.slice(differs)) vectors.push(vector(takeIn(gpt, state, id)));
    }
    return logitsOf(gpt, vectors[ids.length - 1]);
  };
}

/** Logits with −∞ for the tokens that are not words. @param {Float64Array} logits */
export function wordLogits(logits) {
  return logits.map((x, id) => (id <= SPECIAL.unk ? -Infinity : x));
}

/** A text with one more word, with or without a space before it. @param {string} text @param {string} word */
export function longer(text, word) {
  const start = text.trimEnd();
  const close = start === "" || /['’]$/.test(start) || CLOSE.includes(word);
  return close || /^-./.test(word) ? start + word : `${start} ${word}`;
}
