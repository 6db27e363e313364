// @ts-check
// Two sentences in the encoder: the numbers of the figure, as climb.py and pairs.py find them.

import { asset } from "../../kit/figures/assets.js";
import { fill } from "../../kit/figures/kit.js";
import { average, dot, transpose } from "../../kit/figures/math.js";
import { encode } from "../../kit/figures/translator/encoder.js";
import { readModel, SPECIAL } from "../../kit/figures/translator/weights.js";
import { tokenize } from "../../kit/figures/translator/words.js";
import shared from "./encoder_climb.json" with { type: "json" };

/** @typedef {import("../../kit/figures/translator/weights.js").Translator} Translator */
/** @typedef {{sentence: string, other: string, word: string, layer: number, head: number,
 *   assets: Record<string, DataView>}} State */
/** @typedef {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} Traits */
/** @typedef {[number, number]} Places where in the first sentence, and where in the second */
/** @typedef {{places: Places, word: string, label: string}} Pair */
/**
 * A sentence on its way: its words, those that the model does not know, whether some were left
 * out; with its end the tokens, their vectors by stages, and the weights by layers and heads.
 * @typedef {{words: string[], unknown: string[], cut: boolean, tokens: string[],
 *   stages: ArrayLike<number>[][], weights: number[][][][]}} Sentence
 */
/** @typedef {{first: Sentence, second: Sentence, pairs: Pair[], pair: Pair | undefined,
 *   curves: {kind: number, name: string, places: Places[]}[]}} Climb */
/** @typedef {Record<string, number[][]>} Results */

/** The translator, read once from its bytes. @type {WeakMap<DataView, Translator>} */
const read = new WeakMap();

/** @param {Traits} model @returns {Translator} */
export function translatorOf(model) {
  const view = model.get("assets").model;
  const translator =
    read.get(view) ??
    readModel(/** @type {ArrayBuffer} */ (asset(/** @type {any} */ (model), "model")));
  read.set(view, translator);
  return translator;
}

/** @param {Translator} translator @param {string} text @returns {Sentence} */
function sentenceOf(translator, text) {
  const { pieces, ids, unknown } = tokenize(translator, text);
  const most = shared.most_words;
  const words = pieces.slice(0, most);
  const { embedded, layers } = encode(translator, [...ids.slice(0, most), SPECIAL.eos]);
  return {
    words,
    unknown: words.filter((_, i) => unknown[i]),
    cut: pieces.length > most,
    tokens: [...words, translator.tokens[SPECIAL.eos]],
    stages: [embedded, ...layers.map(({ residual }) => residual)],
    weights: layers.map(({ weights }) => weights),
  };
}

/** The sentences that were encoded last: another word or layer needs no new ones. @type {WeakMap<Translator, Map<string, Sentence>>} */
const encoded = new WeakMap();

/** @param {Translator} translator @param {string} text */
function kept(translator, text) {
  const last = encoded.get(translator) ?? new Map();
  const sentence = last.get(text) ?? sentenceOf(translator, text);
  encoded.set(translator, new Map([...last].slice(-3)).set(text, sentence));
  return sentence;
}

/** The known words that occur in both, each pair of places once. @param {Sentence} first @param {Sentence} second @returns {Pair[]} */
function sharedWords(first, second) {
  const found = first.words.flatMap((word, i) =>
    second.words.flatMap((one, j) =>
      one === word && !first.unknown.includes(word) ? [{ word, i, j }] : [],
    ),
  );
  return found.map(({ word, i, j }) => {
    const alone = found.filter((other) => other.word === word).length === 1;
    const label = alone ? word : fill(shared.place, { word, first: i + 1, second: j + 1 });
    return { places: [i, j], word, label };
  });
}

/**
 * The wanted pair: by its label, else by its word, else the first ambiguous one, else the longest.
 * @param {Pair[]} pairs @param {string} wanted @returns {Pair | undefined}
 */
export function chosenPair(pairs, wanted) {
  const [word] = wanted.split(" ");
  const ambiguous = /** @type {string[]} */ (shared.ambiguous);
  const most = Math.max(...pairs.map((pair) => pair.word.length));
  return (
    pairs.find((pair) => pair.label === wanted) ??
    pairs.find((pair) => pair.word === word) ??
    pairs.find((pair) => ambiguous.includes(pair.word)) ??
    pairs.find((pair) => pair.word.length === most)
  );
}

/** All other shared words, a word's first place with its first, and so on. @param {Pair[]} pairs @param {Pair} chosen */
function otherWords(pairs, chosen) {
  const [first, second] = [new Set(), new Set()]; // the places that are taken
  return pairs.filter(({ word, places: [i, j] }) => {
    if (word === chosen.word || first.has(i) || second.has(j)) return false;
    first.add(i);
    second.add(j);
    return true;
  });
}

/** Few different names, or how many there are. @param {string[]} names @param {number} most */
function listed(names, most) {
  const all = [...new Set(names)];
  return all.length > most ? fill(shared.several, { count: all.length }) : all.join(", ");
}

/**
 * What each curve compares: the word, and what there is to compare it with.
 * @param {Sentence} first @param {Sentence} second @param {Pair[]} pairs @param {Pair} pair
 */
function curvesOf(first, second, pairs, pair) {
  const others = otherWords(pairs, pair);
  const names = others.map(({ word }) => word);
  const unlike = first.words
    .map((word, i) => ({ word, other: second.words[i], i }))
    .filter(({ word, other }) => other !== undefined && other !== word);
  const opposed = unlike.map(({ word, other }) => `${word} / ${other}`);
  const same = unlike.map(({ i }) => /** @type {Places} */ ([i, i]));
  const { word, shared: both, place } = shared.curves;
  return [
    { kind: 0, name: fill(word, { word: pair.word }), places: [pair.places] },
    { kind: 1, name: fill(both, { words: listed(names, 3) }), places: others.map((o) => o.places) },
    { kind: 2, name: fill(place, { words: listed(opposed, 2) }), places: same },
  ].filter(({ places }) => places.length);
}

/** Both sentences, what they share and what is compared. @param {Traits} model @returns {Climb} */
export function climb(model) {
  const translator = translatorOf(model);
  const first = kept(translator, model.get("sentence"));
  const second = kept(translator, model.get("other"));
  const pairs = sharedWords(first, second);
  const pair = chosenPair(pairs, model.get("word"));
  return { first, second, pairs, pair, curves: pair ? curvesOf(first, second, pairs, pair) : [] };
}

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export function cosine(a, b) {
  const [x, y] = [Array.from(a), Array.from(b)];
  return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
}

/** Where a place looks: a row for each token, with the mean of all heads and then each. @param {number[][][]} weights @param {number} place */
function looksFrom(weights, place) {
  const heads = transpose(weights.map((head) => head[place]));
  return heads.map((row) => [average(row), ...row]);
}

/**
 * Every number of the figure, the same names as EncoderClimb.results(): none without a word.
 * @param {Traits} model @param {Climb} [found] @returns {Results}
 */
export function compute(model, found = climb(model)) {
  const { first, second, pair, curves } = found;
  if (!pair) return {};
  const layer = model.get("layer") - 1;
  return {
    similarity: first.stages.map((tokens, stage) =>
      curves.map(({ places }) =>
        average(places.map(([i, j]) => cosine(tokens[i], second.stages[stage][j]))),
      ),
    ),
    first: looksFrom(first.weights[layer], pair.places[0]),
    second: looksFrom(second.weights[layer], pair.places[1]),
  };
}
