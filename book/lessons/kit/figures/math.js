// @ts-check
// The mathematics of the figures: plain arrays in, plain arrays out, no page needed.
// tests/lessons compares every function with transformer_lite (PyTorch) to 1e-6.

/** @typedef {number[]} Vector @typedef {number[][]} Matrix @typedef {boolean[][]} Mask */

/** @param {Vector} a @param {Vector} b */
export function dot(a, b) {
  return a.reduce((sum, x, i) => sum + x * b[i], 0);
}

/**
 * Dot product of every row of `a` with every row of `b`: a bᵀ.
 * @param {Matrix} a @param {Matrix} b @returns {Matrix}
 */
export function scoreMatrix(a, b) {
  return a.map((row) => b.map((other) => dot(row, other)));
}

/** Rows become columns. @param {Matrix} table @returns {Matrix} */
export function transpose(table) {
  return table[0].map((_, j) => table.map((row) => row[j]));
}

/** The speed of each pair, as transformer_lite.positions.sinusoidal_frequencies. @param {number} width */
export function frequencies(width) {
  return Array.from({ length: width / 2 }, (_, i) => 10000 ** ((-2 * i) / width));
}

/**
 * The sines and cosines of one position in turn: a row of transformer_lite.sinusoidal_positions.
 * @param {number} position @param {Vector} speeds
 */
export function sinusoid(position, speeds) {
  return speeds.flatMap((speed) => [Math.sin(position * speed), Math.cos(position * speed)]);
}

/** A list cut into rows. @param {Vector} list @param {number} width @returns {Matrix} */
export function rowsOf(list, width) {
  return Array.from({ length: list.length / width }, (_, i) =>
    list.slice(i * width, (i + 1) * width),
  );
}

/** @param {Vector} values */
export function average(values) {
  return values.reduce((sum, x) => sum + x, 0) / values.length;
}

/**
 * Mean and variance; `unbiased` divides by n − 1 instead of n.
 * @param {Vector} values @param {boolean} [unbiased]
 */
export function moments(values, unbiased = false) {
  const mean = average(values);
  const squared = values.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  return { mean, variance: squared / (values.length - (unbiased ? 1 : 0)) };
}

/**
 * What every normalization does: (x − μ) / √(σ² + ε).
 * @param {Vector} values @param {{mean: number, variance: number}} shared @param {number} eps
 */
export function standardize(values, { mean, variance }, eps) {
  const root = Math.sqrt(variance + eps);
  return values.map((x) => (x - mean) / root);
}

/**
 * Softmax of one row among its allowed entries. A row with no allowed entry gets zeros; a score of
 * −∞ is not allowed either.
 * @param {Vector} row @param {boolean[]} [allowed] @returns {Vector}
 */
export function softmax(row, allowed) {
  const scores = row.map((x, j) => (!allowed || allowed[j] ? x : -Infinity));
  const top = Math.max(...scores);
  if (top === -Infinity) return scores.map(() => 0);
  const powers = scores.map((x) => Math.exp(x - top));
  const total = powers.reduce((sum, x) => sum + x, 0);
  return powers.map((x) => x / total);
}

/**
 * The mixture Σⱼ weightsⱼ valuesⱼ for one row of weights.
 * @param {Vector} weights @param {Matrix} values @returns {Vector}
 */
export function mix(weights, values) {
  return values[0].map((_, d) => weights.reduce((sum, w, j) => sum + w * values[j][d], 0));
}

/** @param {number} size @returns {Mask} */
export function lookAheadMask(size) {
  return Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => j <= i));
}

/**
 * Every intermediate of softmax(mask(x xᵀ · scale)) v, as transformer_lite.attention_steps.
 * @param {Matrix} x @param {number} scale @param {Mask} [mask] @param {Matrix} [values] x if left out
 */
export function attentionSteps(x, scale, mask, values = x) {
  const scores = scoreMatrix(x, x);
  const scaled = scores.map((row) => row.map((s) => s * scale));
  const masked = scaled.map((row, i) => row.map((s, j) => (!mask || mask[i][j] ? s : -Infinity)));
  const weights = scaled.map((row, i) => softmax(row, mask?.[i]));
  return { scores, scaled, masked, weights, output: weights.map((row) => mix(row, values)) };
}

/**
 * The index that a number from 0 to 1 draws, each as often as its probability says; as draw_index
 * in kit/draws.py.
 * @param {ArrayLike<number>} probabilities @param {number} chance
 */
export function drawIndex(probabilities, chance) {
  let [below, most] = [0, 0];
  for (let i = 0; i < probabilities.length; i += 1) {
    below += probabilities[i];
    if (chance < below) return i;
    if (probabilities[i] > probabilities[most]) most = i;
  }
  return most; // rounding may leave a gap at the end
}
