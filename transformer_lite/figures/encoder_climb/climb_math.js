// @ts-check
// What the encoder makes of a sentence, stage by stage: the numbers of the figure, as climb.py.

import { asset } from "../kit/assets.js";
import { average, dot } from "../kit/math.js";
import { encode } from "../kit/translator/machine.js";
import { readModel, SPECIAL } from "../kit/translator/weights.js";
import { tokenize } from "../kit/translator/words.js";
import shared from "./encoder_climb.json" with { type: "json" };

/** @typedef {import("../kit/translator/weights.js").Translator} Translator */
/** @typedef {{sentence: string, layer: number, head: number,
 *   assets: Record<string, DataView>}} State */
/** @typedef {Pick<import("../kit/kit.js").Model<State>, "get">} Traits */
/** @typedef {number[][]} Tokens */
/** @typedef {{tokens: Tokens, weights: number[][][], attentionAdded: Tokens,
 *   forwardAdded: Tokens}} Stage */
/** @typedef {{tokens: string[], unknown: string[], cut: boolean, stages: Stage[]}} Climb */

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

/** The names of the stages, the embedding first. @param {Traits} model */
export function stagesOf(model) {
  const layers = translatorOf(model).config.num_encoder_layers;
  return ["embedding", ...Array.from({ length: layers }, (_, i) => `layer ${i + 1}`)];
}

/** What was added between two stages. @param {Tokens} after @param {Tokens} before */
const difference = (after, before) => after.map((row, t) => row.map((x, i) => x - before[t][i]));

/** @param {ArrayLike<number>[]} tokens @returns {Tokens} */
const plain = (tokens) => tokens.map((token) => Array.from(token));

/** The tokens of a sentence at each stage, the embedding first. @param {Traits} model @returns {Climb} */
export function climb(model) {
  const translator = translatorOf(model);
  const { pieces, ids, unknown } = tokenize(translator, model.get("sentence"));
  const most = shared.most_words;
  const encoded = encode(translator, [...ids.slice(0, most), SPECIAL.eos]);
  const embedded = plain(encoded.embedded);
  const none = embedded.map((row) => row.map(() => 0));
  const nobody = Array.from({ length: translator.config.num_heads }, () =>
    embedded.map(() => embedded.map(() => 0)),
  );
  /** @type {Stage[]} */
  const stages = [{ tokens: embedded, weights: nobody, attentionAdded: none, forwardAdded: none }];
  for (const layer of encoded.layers) {
    const [seen, done] = [plain(layer.afterAttention), plain(layer.residual)];
    const attentionAdded = difference(seen, /** @type {Stage} */ (stages.at(-1)).tokens);
    const forwardAdded = difference(done, seen);
    stages.push({ tokens: done, weights: layer.weights, attentionAdded, forwardAdded });
  }
  return {
    tokens: [...pieces.slice(0, most), translator.tokens[SPECIAL.eos]],
    unknown: pieces.slice(0, most).filter((_, i) => unknown[i]),
    cut: pieces.length > most,
    stages,
  };
}

/** @param {number[]} vector */
const lengthOf = (vector) => Math.hypot(...vector);

/** The cosine of each token with each. @param {Tokens} tokens */
export function cosines(tokens) {
  const unit = tokens.map((token) => {
    const length = lengthOf(token) || 1;
    return token.map((x) => x / length);
  });
  return unit.map((a) => unit.map((b) => dot(a, b)));
}

/** The mean cosine of two different tokens; 0 for a token alone. @param {Tokens} tokens */
export function likeness(tokens) {
  const pairs = cosines(tokens).flatMap((row, i) => row.filter((_, j) => i !== j));
  return pairs.length ? average(pairs) : 0;
}

/** How many tokens one looks at: the mean of exp(entropy); 0 where none has looked. @param {number[][][]} weights */
export function lookedAt(weights) {
  const rows = weights.flat();
  if (!rows.flat().some(Boolean)) return 0;
  const entropy = (/** @type {number[]} */ row) =>
    -row.reduce((sum, w) => sum + (w > 0 ? w * Math.log(w) : 0), 0);
  return average(rows.map((row) => Math.exp(entropy(row))));
}

/** The means of one stage. @param {Stage} stage */
const means = ({ tokens, weights }) => [
  likeness(tokens),
  lookedAt(weights),
  average(tokens.map(lengthOf)),
];

/**
 * Every number of the figure; the same names as EncoderClimb.results().
 * @param {Traits} model @param {Climb} [found]
 */
export function compute(model, found = climb(model)) {
  const { tokens, weights, attentionAdded, forwardAdded } = found.stages[model.get("layer")];
  return {
    similarity: cosines(tokens),
    attention: weights[model.get("head")],
    lengths: tokens.map((token, t) =>
      [token, attentionAdded[t], forwardAdded[t]].map((vector) => lengthOf(vector)),
    ),
    climb: found.stages.map(means).reverse(),
  };
}
