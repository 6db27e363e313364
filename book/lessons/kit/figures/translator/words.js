// @ts-check
// From a text to ids and back, as the package's WordTokenizer does it.

import { SPECIAL } from "./weights.js";

/** @typedef {import("./weights.js").Translator} Translator */
/** @typedef {{pieces: string[], ids: number[], unknown: boolean[]}} Source */

// The pattern of transformer_lite/text/words.py. What counts as a space differs a little between
// JavaScript and Python: Python's list decides.
const EXTENDER = "(?!\\u200b)[\\p{M}\\p{Cf}\\p{EMod}]";
const LETTERS = `(?:[\\p{L}\\p{N}_]|${EXTENDER})+`;
const ONE = `(?:t-)?(?:tu|ils?|elles?|on|nous|vous)(?!${LETTERS})`;
const BEHIND = `-${ONE}(?!-(?!${ONE})${LETTERS})`;
const WORD = `${LETTERS}(?:(?!${BEHIND})-${LETTERS})*'?`;
const OTHER = "[^\\p{L}\\p{N}_\\s\\x1c-\\x1f\\x85]";
const SIGN = `'|[\\u{1f1e6}-\\u{1f1ff}]{2}|${OTHER}(?:${EXTENDER}|(?<=\\u200d)(?![\\0-\\x7f])${OTHER})*`;
const PIECE = new RegExp(`${BEHIND}|${WORD}|${SIGN}`, "gu");

/**
 * The words of a text as they are typed, in small letters; an accent that is alone joins its
 * letter, and a curled apostrophe is a straight one.
 * @param {string} text @returns {string[]}
 */
export function piecesOf(text) {
  return text.toLowerCase().normalize("NFC").replaceAll("’", "'").match(PIECE) ?? [];
}

/**
 * The words of a text and their ids; a word that the model does not know has the id of no word.
 * @param {Translator} model @param {string} text @returns {Source}
 */
export function tokenize(model, text) {
  const pieces = piecesOf(text);
  const ids = pieces.map((piece) => model.places.get(piece) ?? SPECIAL.unk);
  return { pieces, ids, unknown: ids.map((id) => id === SPECIAL.unk) };
}

/**
 * The same with the end of the sentence, as the encoder reads it.
 * @param {Translator} model @param {string} text @returns {Source}
 */
export function sourceOf(model, text) {
  const { pieces, ids, unknown } = tokenize(model, text);
  return {
    pieces: [...pieces, model.tokens[SPECIAL.eos]],
    ids: [...ids, SPECIAL.eos],
    unknown: [...unknown, false],
  };
}

/** Words as one writes them: no space after an apostrophe, none before a mark or a pronoun with its hyphen. @param {Translator} model @param {number[]} ids */
export function textOf(model, ids) {
  const words = ids.filter((id) => id > SPECIAL.unk).map((id) => model.tokens[id]);
  return words.reduce((text, word) => {
    const close = text === "" || text.endsWith("'") || /^(?:[.,?!]$|-.)/u.test(word);
    return close ? text + word : `${text} ${word}`;
  }, "");
}
