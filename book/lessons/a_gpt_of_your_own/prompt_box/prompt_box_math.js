// @ts-check
// The numbers of the prompt box: which words may come next, and which are drawn.

import { asset } from "../../kit/figures/assets.js";
import { randomNumbers } from "../../kit/figures/kit.js";
import { drawIndex } from "../../kit/figures/math.js";
import { promptOf, readerOf, wordLogits } from "../../kit/figures/translator/language_model.js";
import { likeliest, logProbabilities } from "../../kit/figures/translator/search.js";
import { readModel } from "../../kit/figures/translator/weights.js";
import shared from "./prompt_box.json" with { type: "json" };

/** The trained GPT, in the form of the translator. @typedef {import("../../kit/figures/translator/weights.js").Translator} Gpt */
/** The figure's traits; `top_k` 0 takes all words. @typedef {{text: string, temperature: number, top_k: number, seed: number, written: number}} State */
/** Log-probabilities, of all words and as they are drawn from. @typedef {{plain: Float64Array, drawn: Float64Array}} Chances */
/** A word that was written, with its probabilities. @typedef {{id: number, numbers: [plain: number, drawn: number]}} Written */
/** @typedef {ReturnType<typeof writerOf>} Writer */
/** @typedef {ReturnType<Writer>} Found */

/**
 * From logits to log-probabilities. What is not a word has none; the likeliest words alone are kept
 * after the logits were divided by the temperature.
 * @param {Float64Array} logits @param {Pick<State, "temperature" | "top_k">} settings @returns {Chances}
 */
export function probabilitiesOf(logits, { temperature, top_k }) {
  const words = wordLogits(logits);
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

/** Whether the writing stops after these words. @typedef {(made: Written[]) => boolean} Stops */

/**
 * What draws words after a prompt, one chance a word: the same seed has the same chances. Of what it
 * wrote last it keeps what would be written again.
 * @param {Gpt} gpt
 */
export function writerOf(gpt) {
  const read = readerOf(gpt);
  /** @type {{of: string, made: Written[]}} */
  let known = { of: "", made: [] };
  return (/** @type {State} */ state, /** @type {Stops} */ stops = hasWritten(state)) => {
    const prompt = promptOf(gpt, state.text, shared.words);
    const of = JSON.stringify([prompt.ids, state.temperature, state.top_k, state.seed]);
    if (of !== known.of) known = { of, made: [] };
    const ids = [...prompt.ids];
    const random = randomNumbers(state.seed);
    /** @type {Written[]} */
    const made = [];
    while (!stops(made)) {
      const chance = random();
      made.push(known.made[made.length] ?? drawnWord(probabilitiesOf(read(ids), state), chance));
      ids.push(made[made.length - 1].id);
    }
    if (made.length > known.made.length) known.made = made;
    return { prompt, made, ...namesOf(gpt, made, probabilitiesOf(read(ids), state)) };
  };
}

/** Stop after as many words as the figure shows. @param {State} state @returns {Stops} */
function hasWritten({ written }) {
  return (made) => made.length >= written;
}

/** @param {Chances} chances @param {number} chance @returns {Written} */
function drawnWord(chances, chance) {
  const id = drawIndex(chances.drawn.map(Math.exp), chance);
  return { id, numbers: numbersOf(chances, id) };
}

/** The words that were written, and the likeliest next ones with their numbers. @param {Gpt} gpt @param {Written[]} made @param {Chances} after */
function namesOf({ tokens }, made, after) {
  const best = likeliest(after.plain, shared.rows);
  return {
    words: made.map(({ id }) => tokens[id]),
    next: best.map((id) => ({ word: tokens[id], numbers: numbersOf(after, id) })),
  };
}

/** How many words are written when the sentence has come to its end. @param {Gpt} gpt @param {Writer} write @param {State} state */
export function completeText({ tokens }, write, state) {
  const { max } = shared.written;
  const ended = (/** @type {Written[]} */ made) =>
    made.length >= max ||
    (made.length > state.written && shared.ends.includes(tokens[made[made.length - 1].id]));
  return write(state, ended).made.length;
}

/** Every number of the figure, of what was written. @param {Found} found */
export function tablesOf({ next, made }) {
  return { next: next.map(({ numbers }) => numbers), written: made.map(({ numbers }) => numbers) };
}

/**
 * Every number of the figure; the same names as PromptBox.results().
 * @param {Pick<import("../../kit/figures/kit.js").Model<State & {assets: Record<string, DataView>}>, "get">} model
 */
export function compute(model) {
  const gpt = readModel(asset(/** @type {any} */ (model), "model"));
  const state = /** @type {State} */ (
    Object.fromEntries(TRAITS.map((name) => [name, model.get(name)]))
  );
  return tablesOf(writerOf(gpt)(state));
}

/** The figure's own traits. @type {(keyof State)[]} */
export const TRAITS = ["text", "temperature", "top_k", "seed", "written"];
