// @ts-check
// A small decoder from its parts: tokens in, logits of the next token out, and the gradients.

import { countingMemory, fastMemory, plainMemory } from "./matrix.js";
import {
  attention,
  crossEntropy,
  embedding,
  feedForward,
  linear,
  norm,
  residual,
  under,
} from "./parts.js";

/** @typedef {import("./matrix.js").Memory} Memory */
/** @typedef {import("./parts.js").Weight} Weight */
/** @typedef {import("./parts.js").Part} Part */
/**
 * @typedef {object} Config
 * @property {number} vocabulary the number of tokens V
 * @property {number} length the longest sequence T
 * @property {number} width the width of a token D
 * @property {number} heads the number of heads H
 * @property {number} headWidth the width of a head K
 * @property {number} layers
 * @property {number} hidden the width of the feed-forward's hidden layer
 * @property {"learned" | "sinusoidal" | "rotary" | "none"} positions
 * @property {number} base of the rotary positions
 * @property {boolean} causal whether the mask hides later tokens
 * @property {boolean} scaled whether scores are divided by √K
 * @property {boolean} residual whether x is added to what a part computes
 * @property {"layer" | "rms" | "none"} norm
 * @property {"pre" | "post"} place of the norm
 * @property {boolean} attention whether the layers have attention
 * @property {boolean} feedForward whether the layers have a feed-forward
 */

/** @typedef {ReturnType<typeof assemble>} Machine */

/**
 * Puts a decoder together. The names of its weights are those of transformer_lite.
 * @param {Memory} memory @param {Config} config @param {number} batch the most sequences at once
 */
export function assemble(memory, config, batch) {
  const { width, length, vocabulary } = config;
  const rows = batch * length;
  const normalized = () => (config.norm === "none" ? null : norm(memory, rows, width, config.norm));
  /** @param {Part} inside */
  const around = (inside) =>
    residual(memory, rows, width, inside, {
      norm: normalized(),
      place: config.place,
      carries: config.residual,
    });
  const embed = embedding(memory, rows, config);
  /** @type {Record<string, Weight>} */
  const weights = under("embedding", embed.weights);
  /** @type {Part[]} */
  const layers = [];
  /** @type {import("./matrix.js").Matrix[]} */
  const maps = [];
  for (let i = 0; i < config.layers; i += 1) {
    const name = `decoder.layers.${i}`;
    const base = config.positions === "rotary" ? config.base : null;
    const parts = /** @type {[string, Part][]} */ ([]);
    if (config.attention) {
      const attend = attention(memory, rows, { ...config, base });
      maps.push(attend.maps);
      parts.push(["self_attention", attend]);
    }
    if (config.feedForward) {
      parts.push(["feed_forward", feedForward(memory, rows, width, config.hidden)]);
    }
    for (const [own, part] of parts) {
      const connected = around(part);
      layers.push(connected);
      Object.assign(weights, under(`${name}.${own}`, part.weights));
      Object.assign(weights, under(`${name}.${own}_residual`, connected.weights));
    }
  }
  const last = config.place === "pre" ? normalized() : null;
  if (last) Object.assign(weights, under("decoder.norm", last.weights));
  const output = linear(memory, rows, width, vocabulary, false);
  Object.assign(weights, under("output", output.weights));
  const entropy = crossEntropy(memory, rows, vocabulary);

  /** The logits of all positions, (B·T, V). @param {ArrayLike<number>} ids (B·T) @param {number} count T */
  function forward(ids, count) {
    const shape = { batch: ids.length / count, length: count };
    let x = embed.forward(ids, shape);
    for (const layer of layers) x = layer.forward(x, shape);
    return output.forward(last ? last.forward(x, shape) : x, shape);
  }

  return {
    config,
    weights,
    maps,
    forward,
    /**
     * The loss, without the gradients.
     * @param {ArrayLike<number>} ids @param {ArrayLike<number>} targets @param {ArrayLike<number>} counted @param {number} count T
     */
    loss: (ids, targets, counted, count) => entropy.forward(forward(ids, count), targets, counted),
    /**
     * The loss; the gradients are those of `weights` afterwards.
     * @param {ArrayLike<number>} ids @param {ArrayLike<number>} targets @param {ArrayLike<number>} counted @param {number} count T
     */
    lossAndGradients(ids, targets, counted, count) {
      const loss = entropy.forward(forward(ids, count), targets, counted);
      for (const { gradient } of Object.values(weights)) gradient.data.fill(0);
      let d = output.backward(entropy.backward());
      if (last) d = last.backward(d);
      for (const layer of layers.toReversed()) d = layer.backward(d);
      embed.backward(d);
      return loss;
    },
  };
}

/**
 * A machine in the fastest memory there is: WebAssembly if possible.
 * @param {Config} config @param {number} batch
 */
export function fastMachine(config, batch) {
  const counting = countingMemory();
  assemble(counting, config, batch);
  const memory = fastMemory(counting.bytes) ?? plainMemory(Float32Array);
  return { ...assemble(memory, config, batch), fast: memory.multiply !== null };
}

/**
 * Draws the first weights: matrices of the layers with Glorot's variance, the embedding and the
 * output with deviation 1/√D, learned positions with deviation 1, gains 1 and biases 0. An embedding
 * is multiplied by √D, so tokens and positions are of the same size.
 * @param {Machine} machine @param {() => number} random @param {number} size multiplies all deviations
 */
export function initialize(machine, random, size) {
  for (const [name, { value }] of Object.entries(machine.weights)) {
    const gain = name.includes("norm.weight");
    if (gain || name.endsWith("bias")) {
      value.data.fill(gain ? 1 : 0);
      continue;
    }
    const deviation = name.startsWith("decoder.")
      ? Math.sqrt(2 / (value.rows + value.columns))
      : name.includes("positions")
        ? 1
        : value.columns ** -0.5;
    // A uniform number from −√3 to √3 has deviation 1.
    const spread = Math.sqrt(12) * deviation * size;
    for (let i = 0; i < value.data.length; i += 1) value.data[i] = (random() - 0.5) * spread;
  }
}

/**
 * AdamW: m and v are running means of the gradient and of its square, and
 * w ← w − rate · (m̂ / (√v̂ + 10⁻⁸) + decay · w).
 * @param {Machine} machine
 */
export function adam(machine) {
  const [slow, fast] = [0.9, 0.999];
  const weights = Object.values(machine.weights);
  const means = weights.map(({ value }) => value.data.map(() => 0));
  const squares = weights.map(({ value }) => value.data.map(() => 0));
  let steps = 0;
  return (/** @type {number} */ rate, /** @type {number} */ decay) => {
    steps += 1;
    const [c1, c2] = [1 - slow ** steps, 1 - fast ** steps];
    weights.forEach(({ value: { data: w }, gradient: { data: g } }, k) => {
      const [m, v] = [means[k], squares[k]];
      for (let i = 0; i < w.length; i += 1) {
        m[i] = slow * m[i] + (1 - slow) * g[i];
        v[i] = fast * v[i] + (1 - fast) * g[i] * g[i];
        w[i] -= rate * (m[i] / c1 / (Math.sqrt(v[i] / c2) + 1e-8) + decay * w[i]);
      }
    });
  };
}
