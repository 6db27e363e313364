// @ts-check
// The numbers of the translator figure: what the machine reads, writes and weighs.

import { firstPlace, grown } from "../../kit/figures/translator/beam.js";
import { doubtOf } from "../../kit/figures/translator/doubt.js";
import { encode } from "../../kit/figures/translator/encoder.js";
import {
  drawing,
  highest,
  likeliest,
  logProbabilities,
  written,
} from "../../kit/figures/translator/search.js";
import { SPECIAL } from "../../kit/figures/translator/weights.js";
import { sourceOf, textOf } from "../../kit/figures/translator/words.js";
import shared from "./translator.json" with { type: "json" };

/** @typedef {import("../../kit/figures/translator/weights.js").Translator} Translator */
/** @typedef {import("../../kit/figures/translator/parts.js").Part} Part */
/** @typedef {import("../../kit/figures/translator/parts.js").Options} Options */
/** @typedef {import("../../kit/figures/translator/encoder.js").Encoded} Encoded */
/** @typedef {import("../../kit/figures/translator/machine.js").Step} Step */
/** @typedef {import("../../kit/figures/translator/beam.js").BeamSearch} BeamSearch */
/** @typedef {[part: Part, layer: number, head: number]} Silenced */
/**
 * The figure's traits. `head` −1 is the average of all; `mask` and `positions` may be cut.
 * @typedef {{text: string, method: string, beams: number, alpha: number, temperature: number,
 *   seed: number, part: Part, layer: number, head: number, place: number, form: string,
 *   silenced: Silenced[], positions: boolean, mask: boolean, simple: boolean,
 *   words: Record<string, string[]>}} State
 */
/**
 * One translation: what was read and written, and what each step saw.
 * @typedef {{source: ReturnType<typeof readable>, encoded: Encoded, ids: number[], text: string, steps: Step[],
 *   search?: BeamSearch}} Reading
 */
/**
 * What the machine makes of the text, what it would make of it unharmed, and how sure it is then of
 * the likeliest words.
 * @typedef {{reading: Reading, whole: Reading, doubt?: import("../../kit/figures/translator/doubt.js").Doubt}} Found
 */

/** The words that the machine reads: the first of a long text, and the end. @param {Translator} translator @param {string} text */
export function readable(translator, text) {
  const { pieces, ids, unknown } = sourceOf(translator, text);
  /** @template T @param {T[]} list @returns {T[]} */
  const kept = (list) => [...list.slice(0, -1).slice(0, shared.words), ...list.slice(-1)];
  const cut = pieces.length - 1 > shared.words;
  return { pieces: kept(pieces), ids: kept(ids), unknown: kept(unknown), cut };
}

/** The harms that the figure's traits ask for. @param {Pick<State, "silenced" | "positions" | "mask">} state @returns {Options} */
function harmOf({ silenced, positions, mask }) {
  const names = silenced.map(([part, layer, head]) => ({ part, layer, head }));
  return { silenced: names, positions, causal: mask };
}

/** Whether anything is broken. @param {Pick<State, "silenced" | "positions" | "mask">} state */
export function isAblated({ silenced, positions, mask }) {
  return silenced.length > 0 || !positions || !mask;
}

/**
 * What was made of a text last, which sliders of a search do not change: the encoder's reading,
 * where beam search begins, and what the likeliest words make.
 * @typedef {{asked: string, encoded: Encoded, place: ReturnType<typeof firstPlace>,
 *   likeliest?: import("../../kit/figures/translator/search.js").Translation}} Begun
 */
/** Of the machine as it is, and of the unharmed one. @type {WeakMap<Translator, Begun[]>} */
const begun = new WeakMap();

/** @param {Translator} translator @param {number[]} ids @param {import("../../kit/figures/translator/search.js").SearchOptions} options @returns {Begun} */
function beginning(translator, ids, options) {
  const asked = JSON.stringify([ids, options]);
  const kept = begun.get(translator) ?? [];
  const known = kept.find((one) => one.asked === asked);
  if (known) return known;
  const encoded = encode(translator, ids, options);
  const found = { asked, encoded, place: firstPlace(translator, encoded, options) };
  begun.set(translator, [...kept.slice(-1), found]);
  return found;
}

/**
 * Translate with these options; stops after every step.
 * @param {Translator} translator @param {State} state @param {Options} ablation
 * @returns {Generator<unknown, Reading>}
 */
function* translating(translator, state, ablation) {
  const source = readable(translator, state.text);
  const options = { ...ablation, most: shared.most };
  const start = beginning(translator, source.ids, options);
  const { encoded } = start;
  yield encoded;
  if (state.method === "chance") {
    const choose = drawing(state.seed, state.temperature);
    return { source, encoded, ...(yield* written(translator, encoded, choose, options)) };
  }
  if (state.method !== "beam") {
    start.likeliest ??= yield* written(translator, encoded, highest, options);
    return { source, encoded, ...start.likeliest };
  }
  const search = yield* grown(translator, start.place, state.beams, state.alpha, options);
  return { source, encoded, ids: search.ids, text: search.text, steps: search.steps, search };
}

/** All that the figure shows of a text. @param {Translator} translator @param {State} state @returns {Generator<unknown, Found>} */
export function* finding(translator, state) {
  const reading = yield* translating(translator, state, harmOf(state));
  const whole = isAblated(state) ? yield* translating(translator, state, {}) : reading;
  if (!translator.doubt) return { reading, whole };
  const plain = { ...state, method: "likeliest" };
  const sure = state.method === "likeliest" ? whole : yield* translating(translator, plain, {});
  return { reading, whole, doubt: doubtOf(translator, sure) };
}

/** A word as the figure writes it; special ids have names. @param {string} word */
export function shownWord(word) {
  return /** @type {Record<string, string>} */ (shared.shown)[word] ?? word;
}

/** Weights of one layer, [head][row][column], as one table. @param {number[][][]} weights @param {number} head −1: the average */
function ofHead(weights, head) {
  if (head >= 0) return weights[head];
  return weights[0].map((row, i) =>
    row.map((_, j) => weights.reduce((sum, one) => sum + one[i][j], 0) / weights.length),
  );
}

/** The decoder's own weights of one layer, [head][row][column]; 0 where the mask forbids. @param {Step[]} steps @param {number} layer */
function ownWeights(steps, layer) {
  const newest = steps[steps.length - 1].layers[layer];
  const all = newest.selfRows.length > 1; // without a mask the last step computes every row
  const rows = all ? newest.selfRows : steps.map((one) => one.layers[layer].self);
  return newest.self.map((_, head) =>
    rows.map((row) => Array.from({ length: steps.length }, (_, j) => row[head][j] ?? 0)),
  );
}

/**
 * The attention that is looked at: rows of weights with the names of rows and columns.
 * @param {Translator} translator @param {Reading} reading @param {Pick<State, "part" | "layer" | "head">} choice
 */
export function attentionOf(translator, { source, encoded, ids, steps }, { part, layer, head }) {
  const french = source.pieces.map(shownWord);
  const english = ids.map((id) => shownWord(translator.tokens[id]));
  if (part === "encoder")
    return { weights: ofHead(encoded.layers[layer].weights, head), rows: french, columns: french };
  if (part === "cross") {
    const heads = steps[0].layers[layer].cross.map((_, h) =>
      steps.map((one) => one.layers[layer].cross[h]),
    );
    return { weights: ofHead(heads, head), rows: english, columns: french };
  }
  const known = [shownWord(translator.tokens[SPECIAL.bos]), ...english.slice(0, -1)];
  return { weights: ofHead(ownWeights(steps, layer), head), rows: english, columns: known };
}

/**
 * The likeliest next words at one place of the translation, and which one was taken.
 * @param {Translator} translator @param {Reading} reading @param {State} state
 */
export function nextOf(translator, { ids, steps }, { place, method, temperature }) {
  const at = Math.min(place, steps.length - 1);
  const logProbs = logProbabilities(steps[at].logits, method === "chance" ? temperature : 1);
  const best = likeliest(logProbs, shared.rows);
  return {
    at,
    words: best.map((id) => shownWord(translator.tokens[id])),
    shares: best.map((id) => [Math.exp(logProbs[id])]),
    taken: best.indexOf(ids[at]),
    share: Math.exp(logProbs[ids[at]]),
  };
}

/** The sentences that beam search kept, with their numbers. @param {BeamSearch} search */
export function beamsOf({ found }) {
  return {
    rows: found.map(({ ids, text }) =>
      ids[ids.length - 1] === SPECIAL.eos ? text || shownWord("<eos>") : `${text} …`,
    ),
    numbers: found.map(({ logProb, score }) => [logProb, score]),
  };
}

/**
 * Every number of the figure; the same names as TranslatorLab.results().
 * @param {Translator} translator @param {State} state @param {Reading} reading
 */
export function compute(translator, state, reading) {
  return {
    attention: attentionOf(translator, reading, state).weights,
    next: nextOf(translator, reading, state).shares,
    ...(reading.search ? { beams: beamsOf(reading.search).numbers } : {}),
  };
}

/**
 * Which words of a translation are not in the other: false where both have the word, in order.
 * @param {string[]} words @param {string[]} others
 */
export function differing(words, others) {
  const longest = Array.from({ length: words.length + 1 }, () => Array(others.length + 1).fill(0));
  for (let i = words.length - 1; i >= 0; i -= 1)
    for (let j = others.length - 1; j >= 0; j -= 1)
      longest[i][j] =
        words[i] === others[j]
          ? longest[i + 1][j + 1] + 1
          : Math.max(longest[i + 1][j], longest[i][j + 1]);
  let j = 0;
  return words.map((word, i) => {
    while (j < others.length && word !== others[j] && longest[i][j + 1] >= longest[i][j]) j += 1;
    const same = j < others.length && word === others[j] && longest[i][j] > longest[i + 1][j];
    if (same) j += 1;
    return !same;
  });
}

/** The text of a reading, with dots where it got too long. @param {Translator} translator @param {Reading} reading */
export function sentenceOf(translator, { ids }) {
  const text = textOf(translator, ids);
  return ids[ids.length - 1] === SPECIAL.eos ? text : `${text} …`;
}
