// @ts-check
// The numbers of the prompt box: which words may come next, and which are drawn.

import { asset } from "../kit/assets.js";
import { randomNumbers } from "../kit/kit.js";
import { begin, rewind, step } from "../kit/translator/machine.js";
import { drawnId, likeliest, logProbabilities } from "../kit/translator/search.js";
import { readModel, SPECIAL } from "../kit/translator/weights.js";
import { tokenize } from "../kit/translator/words.js";
import shared from "./prompt_box.json" with { type: "json" };

/** The trained GPT, in the form of the translator. @typedef {import("../kit/translator/weights.js").Translator} Gpt */
/** The figure's traits; `top_k` 0 takes all words. @typedef {{text: string, temperature: number, top_k: number, seed: number, written: number}} State */
/** Log-probabilities, of all words and as they are drawn from. @typedef {{plain: Float64Array, drawn: Float64Array}} Chances */
/** A word that was written, with its probabilities. @typedef {{id: number, numbers: [plain: number, drawn: number]}} Written */
/** @typedef {(ids: number[]) => Float64Array} Reader */
/** @typedef {ReturnType<typeof writing>} Found */

/** The words of a prompt that are read, the last ones of a long text. @param {Gpt} gpt @param {string} text */
export function promptOf(gpt, text) {
  const { pieces, ids, unknown } = tokenize(gpt, text);
  const first = Math.max(0, ids.length - shared.words);
  return {
    pieces: pieces.slice(first),
    ids: [SPECIAL.bos, ...ids.slice(first)],
    unknown: unknown.slice(first),
    cut: first > 0,
  };
}

/**
 * What returns the logits after some ids. It keeps what the ids have in common with the last ones:
 * one word more is one step more.
 * @param {Gpt} gpt @returns {Reader}
 */
export function readerOf(gpt) {
  const state = begin(gpt);
  /** @type {Float64Array[]} */
  const logits = [];
  return (ids) => {
    const differs = ids.findIndex((id, place) => id !== state.ids[place]);
    if (differs >= 0) {
      rewind(state, differs);
      logits.length = differs;
      for (const id of ids.slice(differs)) logits.push(step(gpt, state, id).logits);
    }
    return logits[ids.length - 1];
  };
}

/**
 * From logits to log-probabilities. What is no word has none; the likeliest words alone are kept
 * after the logits were divided by the temperature.
 * @param {Float64Array} logits @param {Pick<State, "temperature" | "top_k">} settings @returns {Chances}
 */
export function chancesOf(logits, { temperature, top_k }) {
  const words = logits.map((x, id) => (id <= SPECIAL.unk ? -Infinity : x));
  const plain = logProbabilities(words);
  const all = logProbabilities(words, temperature);
  if (!top_k) return { plain, drawn: all };
  const kept = new Set(likeliest(all, top_k));
  return { plain, drawn: logProbabilities(all.map((x, id) => (kept.has(id) ? x : -Infinity))) };
}

/** A word's two probabilities. @param {Chances} chances @param {number} id @returns {[plain: number, drawn: number]} */
function numbersOf({ plain, drawn }, id) {
  return [Math.exp(plain[id]), Math.exp(drawn[id])];
}

/**
 * Draw words after the prompt, one chance a word: the same seed has the same chances.
 * @param {Gpt} gpt @param {Reader} read @param {State} state
 * @param {(made: Written[]) => boolean} [stops] after a word
 */
export function writing(gpt, read, state, stops = (made) => made.length === state.written) {
  const prompt = promptOf(gpt, state.text);
  const ids = [...prompt.ids];
  const random = randomNumbers(state.seed);
  /** @type {Written[]} */
  const made = [];
  while (!stops(made)) {
    const chances = chancesOf(read(ids), state);
    const id = drawnId(chances.drawn, random());
    made.push({ id, numbers: numbersOf(chances, id) });
    ids.push(id);
  }
  const after = chancesOf(read(ids), state);
  const best = likeliest(after.plain, shared.rows);
  return {
    prompt,
    made,
    words: made.map(({ id }) => gpt.tokens[id]),
    next: best.map((id) => ({ word: gpt.tokens[id], numbers: numbersOf(after, id) })),
  };
}

/** How many words are written when the sentence has come to its end. @param {Gpt} gpt @param {Reader} read @param {State} state */
export function toItsEnd(gpt, read, state) {
  const { max } = shared.written;
  const ended = (/** @type {Written[]} */ made) =>
    made.length >= max ||
    (made.length > state.written && shared.ends.includes(gpt.tokens[made[made.length - 1].id]));
  return writing(gpt, read, state, ended).made.length;
}

/** A text with one word more, as one writes it. @param {string} text @param {string} word */
export function longer(text, word) {
  const start = text.trimEnd();
  const close = start === "" || /['’]$/.test(start) || shared.close.includes(word);
  return close || /^-./.test(word) ? start + word : `${start} ${word}`;
}

/** Every number of the figure, of what was written. @param {Found} found */
export function tablesOf({ next, made }) {
  return { next: next.map(({ numbers }) => numbers), written: made.map(({ numbers }) => numbers) };
}

/**
 * Every number of the figure; the same names as PromptBox.results().
 * @param {Pick<import("../kit/kit.js").Model<State & {assets: Record<string, DataView>}>, "get">} model
 */
export function compute(model) {
  const gpt = readModel(asset(/** @type {any} */ (model), "model"));
  const state = /** @type {State} */ (
    Object.fromEntries(TRAITS.map((name) => [name, model.get(name)]))
  );
  return tablesOf(writing(gpt, readerOf(gpt), state));
}

/** The figure's own traits. @type {(keyof State)[]} */
export const TRAITS = ["text", "temperature", "top_k", "seed", "written"];
