// @ts-check
// One feed-forward layer: what is between its two maps, and every intermediate.

import { mix } from "../../kit/figures/math.js";

/** @typedef {import("../../kit/figures/math.js").Vector} Vector @typedef {import("../../kit/figures/math.js").Matrix} Matrix */
/** @typedef {{up: Matrix, up_bias: Vector, down: Matrix, down_bias: Vector}} Weights */

/** The traits that make the layer. */
export const WEIGHTS = /** @type {const} */ (["up", "up_bias", "down", "down_bias"]);

/**
 * The error function, by a series without cancellation: erf x = 2/√π · e^(−x²) · Σ 2ⁿ x²ⁿ⁺¹ / (2n+1)!!
 * @param {number} x
 */
function erf(x) {
  if (Math.abs(x) > 6) return Math.sign(x);
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n += 1) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/** What is between the maps, by name. @type {Record<string, (z: number) => number>} */
export const ACTIVATIONS = {
  relu: (z) => Math.max(0, z),
  gelu: (z) => (z / 2) * (1 + erf(z / Math.SQRT2)),
  none: (z) => z,
};

/** @param {Vector} a @param {Vector} b */
export const add = (a, b) => a.map((x, i) => x + b[i]);

/**
 * Every intermediate of f(x W₁ + b₁) W₂ + b₂ for each token by itself.
 * @param {Matrix} tokens @param {Weights} layer @param {(z: number) => number} activation
 */
export function feedForwardSteps(tokens, layer, activation) {
  const before = tokens.map((x) => add(mix(x, layer.up), layer.up_bias));
  const hidden = before.map((row) => row.map(activation));
  const output = hidden.map((row) => add(mix(row, layer.down), layer.down_bias));
  return { before, hidden, output, residual: tokens.map((x, i) => add(x, output[i])) };
}
