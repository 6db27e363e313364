// @ts-check
// The encoder, which reads the French sentence once.

import { embed, feedForward, headsOff, layerNorm, look, noted, offer, sum } from "./parts.js";

/** @typedef {import("./weights.js").Translator} Translator */
/** @typedef {import("./parts.js").Token} Token */
/** @typedef {import("./parts.js").Options} Options */
/**
 * What one layer of the encoder did: weights[head][query][key], and the tokens, one vector each,
 * after the attention and after the layer.
 * @typedef {{weights: number[][][], afterAttention: Token[], residual: Token[]}} EncoderLayer
 */
/**
 * `embedded` is what goes into the first layer, `memory` what the decoder looks at.
 * @typedef {{embedded: Token[], layers: EncoderLayer[], memory: Token[]}} Encoded
 */

/**
 * Read a sentence: ids of the source with its end, each a token of the memory.
 * @param {Translator} model @param {number[]} ids @param {Options} [options] @returns {Encoded}
 */
export function encode(model, ids, options = {}) {
  const embedded = ids.map((id, place) => embed(model, "src_embedding", id, place, options));
  /** @type {EncoderLayer[]} */
  const layers = [];
  let tokens = embedded;
  for (let layer = 0; layer < model.config.num_encoder_layers; layer += 1) {
    layers.push(encoderLayer(model, layer, tokens, options));
    tokens = layers[layer].residual;
  }
  const memory = tokens.map((token) => layerNorm(model, "encoder.norm", token));
  return { embedded, layers, memory };
}

/**
 * One layer of the encoder: every token looks at all, then each thinks by itself.
 * @param {Translator} model @param {number} layer @param {Token[]} tokens @param {Options} options
 * @returns {EncoderLayer}
 */
function encoderLayer(model, layer, tokens, options) {
  const name = `encoder.layers.${layer}`;
  const attention = `${name}.self_attention`;
  const off = headsOff(options, "encoder", layer);
  const normed = tokens.map((token) => layerNorm(model, `${attention}_residual.norm`, token));
  const seen = offer(model, attention, normed);
  const looks = normed.map((token) => look(model, attention, token, seen, off));
  const afterAttention = tokens.map((token, i) =>
    noted(model, `${attention}_residual`, sum(token, looks[i].update)),
  );
  const residual = afterAttention.map((token) => feedForward(model, name, token));
  const weights = looks[0].weights.map((_, head) => looks.map((one) => one.weights[head]));
  return { weights, afterAttention, residual };
}
