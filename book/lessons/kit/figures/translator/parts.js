// @ts-check
// The parts that the translator is made of. A token is one vector of width D. What the package
// computes for all tokens of a sentence at once is done here for one after the other.

import { softmax } from "../math.js";

/** @typedef {import("./weights.js").Translator} Translator */
/** @typedef {Float64Array} Token */
/** @typedef {{keys: Token[], values: Token[]}} Seen what tokens offer to those who look at them */
/** @typedef {"encoder" | "self" | "cross"} Part the encoder's attention, the decoder's own, its cross-attention */
/** @typedef {{part: Part, layer: number, head: number}} HeadName layers and heads count from 0 */
/**
 * What a reader may break: heads that add nothing, no positions, a decoder without its mask.
 * @typedef {{silenced?: HeadName[], positions?: boolean, causal?: boolean}} Options
 */

export const EPS = 1e-5; // as in the package's LayerNorm

/**
 * Report the output of one part of the model for a token to the listeners; the names are
 * those of the package's modules.
 * @template Value @param {Translator} model @param {string} name @param {Value} value @returns {Value}
 */
export function noted(model, name, value) {
  model.note?.(name, value);
  return value;
}

/**
 * A linear layer: y = W x + b. Its matrix has one row a number of y; some have no b.
 * @param {Translator} model @param {string} name @param {Token} x @returns {Token}
 */
export function linear(model, name, x) {
  const matrix = model.weights[`${name}.weight`].data;
  const bias = model.weights[`${name}.bias`]?.data;
  const width = x.length;
  const y = new Float64Array(matrix.length / width);
  for (let i = 0; i < y.length; i += 1) {
    const row = i * width;
    let even = 0; // two sums are faster than one: neither waits for the other
    let odd = 0;
    for (let j = 0; j < width; j += 2) {
      even += matrix[row + j] * x[j];
      odd += matrix[row + j + 1] * x[j + 1];
    }
    y[i] = even + odd + (bias ? bias[i] : 0);
  }
  return noted(model, name, y);
}

/**
 * Layer normalization: γ (x − μ) / √(σ² + ε) + β.
 * @param {Translator} model @param {string} name @param {Token} x @returns {Token}
 */
export function layerNorm(model, name, x) {
  const [gamma, beta] = ["weight", "bias"].map((part) => model.weights[`${name}.${part}`].data);
  const mean = x.reduce((sum, number) => sum + number, 0) / x.length;
  const variance = x.reduce((sum, number) => sum + (number - mean) ** 2, 0) / x.length;
  const root = Math.sqrt(variance + EPS);
  const y = x.map((number, i) => (gamma[i] * (number - mean)) / root + beta[i]);
  return noted(model, name, y);
}

/** @param {Token} a @param {Token} b @returns {Token} */
export function sum(a, b) {
  return a.map((number, i) => number + b[i]);
}

/**
 * The vector of a word, times √D, plus the sines and cosines of its position.
 * @param {Translator} model @param {string} table @param {number} id @param {number} position
 * @param {Options} options @returns {Token}
 */
export function embed(model, table, id, position, { positions = true }) {
  const width = model.config.d_model;
  const row = model.weights[`${table}.table.weight`].data.subarray(id * width, (id + 1) * width);
  noted(model, `${table}.table`, row);
  const scaled = Float64Array.from(row, (number) => number * Math.sqrt(width));
  const token = noted(model, `${table}.scaled`, scaled);
  if (!positions) return noted(model, table, token);
  const place = noted(model, `${table}.positions`, sinusoids(position, width));
  return noted(model, table, sum(token, place));
}

/** Sine and cosine in turn, each pair slower; rounded as the package's table is. @param {number} position @param {number} width */
function sinusoids(position, width) {
  return Float64Array.from({ length: width }, (_, i) => {
    const angle = position * 10000 ** ((-2 * Math.floor(i / 2)) / width);
    return Math.fround(i % 2 ? Math.cos(angle) : Math.sin(angle));
  });
}

/**
 * What tokens offer to those who look at them: each a key and a value.
 * @param {Translator} model @param {string} name the attention's @param {Token[]} tokens @returns {Seen}
 */
export function offer(model, name, tokens) {
  return {
    keys: tokens.map((token) => linear(model, `${name}.k_proj`, token)),
    values: tokens.map((token) => linear(model, `${name}.v_proj`, token)),
  };
}

/**
 * One token looks at others, with all heads: softmax(q kᵀ / √K) v, the heads side by side, and W^O.
 * The heads in `off` still look, but what they found counts as 0.
 * @param {Translator} model @param {string} name @param {Token} token @param {Seen} seen
 * @param {Set<number>} off @returns {{weights: number[][], update: Token}} weights[head][key]
 */
export function look(model, name, token, { keys, values }, off) {
  const query = linear(model, `${name}.q_proj`, token);
  const heads = model.config.num_heads;
  const width = query.length / heads;
  const found = new Float64Array(query.length);
  const scores = Array.from({ length: heads }, (_, head) =>
    keys.map((key) => dotBetween(query, key, head * width, (head + 1) * width) / Math.sqrt(width)),
  );
  noted(model, `${name}.masked`, scores);
  const weights = scores.map((row) => softmax(row));
  noted(model, `${name}.weights`, weights);
  weights.forEach((shares, head) => {
    if (!off.has(head)) addMixture(found, shares, values, head * width, (head + 1) * width);
  });
  noted(model, `${name}.heads`, found);
  return { weights, update: linear(model, `${name}.out_proj`, found) };
}

/** @param {Token} a @param {Token} b @param {number} start @param {number} end */
function dotBetween(a, b, start, end) {
  let total = 0;
  for (let i = start; i < end; i += 1) total += a[i] * b[i];
  return total;
}

/** @param {Token} found @param {number[]} shares @param {Token[]} values @param {number} start @param {number} end */
function addMixture(found, shares, values, start, end) {
  shares.forEach((share, place) => {
    for (let i = start; i < end; i += 1) found[i] += share * values[place][i];
  });
}

/**
 * What every token does by itself: W₂ max(0, W₁ x + b₁) + b₂, added to the token.
 * @param {Translator} model @param {string} layer @param {Token} token @returns {Token}
 */
export function feedForward(model, layer, token) {
  const seen = layerNorm(model, `${layer}.feed_forward_residual.norm`, token);
  const hidden = linear(model, `${layer}.feed_forward.up`, seen).map((x) => Math.max(0, x));
  noted(model, `${layer}.feed_forward.hidden`, hidden);
  const update = linear(model, `${layer}.feed_forward.down`, hidden);
  return noted(model, `${layer}.feed_forward_residual`, sum(token, update));
}

/** The heads that are switched off in one layer of a part. @param {Options} options @param {Part} part @param {number} layer */
export function headsOff({ silenced = [] }, part, layer) {
  const here = silenced.filter((name) => name.part === part && name.layer === layer);
  return new Set(here.map((name) => name.head));
}
