// @ts-check
// The mathematics of the softmax lab: scores at any width, and how sharp their softmax is.

import { softmax, transpose } from "../../kit/figures/math.js";
import shared from "./softmax_lab.json" with { type: "json" };

/** @typedef {{logits: number[], d_k: number, temperature: number}} State */
/** @typedef {ReturnType<typeof compute>} Results */

/** How evenly the weights are spread: −Σ a ln a, with 0 ln 0 = 0. @param {number[]} weights */
function entropy(weights) {
  return -weights.reduce((sum, a) => sum + (a > 0 ? a * Math.log(a) : 0), 0);
}

/** The root of the sum of all squared slopes of softmax, aᵢ(δᵢⱼ − aⱼ). @param {number[]} weights */
function gradientNorm(weights) {
  const slopes = weights.flatMap((a, i) => weights.map((b, j) => a * ((i === j ? 1 : 0) - b)));
  return Math.hypot(...slopes);
}

/**
 * Scores and weights at one width, without and with the division.
 * @param {number[]} logits @param {number} width @param {number} temperature
 */
function rows(logits, width, temperature) {
  const scores = [logits.map((z) => z * Math.sqrt(width)), logits];
  return { scores, weights: scores.map((row) => softmax(row.map((s) => s / temperature))) };
}

/**
 * Every number of the figure; the same names as SoftmaxLab.results().
 * @param {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} model
 */
export function compute(model) {
  const [logits, temperature] = [model.get("logits"), model.get("temperature")];
  const { scores, weights } = rows(logits, model.get("d_k"), temperature);
  const spread = weights.map(entropy);
  const norms = (/** @type {number} */ width) =>
    rows(logits, width, temperature).weights.map(gradientNorm);
  return {
    scores: transpose(scores),
    weights: transpose(weights),
    measures: [spread, spread.map(Math.exp), weights.map(gradientNorm)],
    curve: shared.widths.map(norms),
    largest: shared.widths.map((width) =>
      rows(logits, width, temperature).weights.map((row) => Math.max(...row)),
    ),
  };
}
