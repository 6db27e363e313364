// @ts-check
// The mathematics of normalization: plain arrays in, plain arrays out, no page needed.
// tests/figures compares every function with transformer_lite (PyTorch) to 1e-6.

import { transpose } from "./math.js";

/** @typedef {{values: number[], gamma: number[], beta: number[], eps: number,
 *   unbiased: boolean, eps_inside: boolean}} Token */
/** @typedef {{table: number[][], pads: boolean[], axis: "layer" | "batch",
 *   count_pads: boolean, eps: number}} Table */

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, x) => total + x, 0);
}

/**
 * Mean and variance; `unbiased` divides by n − 1 in place of n.
 * @param {number[]} values @param {boolean} [unbiased]
 */
export function moments(values, unbiased = false) {
  const mean = sum(values) / values.length;
  const squared = sum(values.map((x) => (x - mean) ** 2));
  return { mean, variance: squared / (values.length - (unbiased ? 1 : 0)) };
}

/**
 * Every intermediate of one layer normalization, as transformer_lite.norms.layer_norm_steps.
 * @param {Token} token
 */
export function tokenSteps({ values, gamma, beta, eps, unbiased, eps_inside }) {
  const { mean, variance } = moments(values, unbiased);
  const std = eps_inside ? Math.sqrt(variance + eps) : Math.sqrt(variance) + eps;
  const centered = values.map((x) => x - mean);
  const normalized = centered.map((x) => x / std);
  const output = normalized.map((z, i) => z * gamma[i] + beta[i]);
  return { mean, centered, squared: centered.map((x) => x * x), variance, std, normalized, output };
}

/**
 * A table normalized in groups that share one mean and one deviation: the rows (layer norm) or
 * the columns (batch norm; `counted` says which rows the statistics count).
 * @param {Table} table
 */
export function groupSteps({ table, pads, axis, count_pads, eps }) {
  const batch = axis === "batch";
  const counted = table.map((_, i) => !batch || count_pads || !pads[i]);
  const groups = batch ? transpose(table) : table;
  const stats = groups.map((group) => moments(batch ? group.filter((_, i) => counted[i]) : group));
  const std = stats.map(({ variance }) => Math.sqrt(variance));
  const root = stats.map(({ variance }) => Math.sqrt(variance + eps));
  const scaled = groups.map((group, g) => group.map((x) => (x - stats[g].mean) / root[g]));
  return { counted, mean: stats.map(({ mean }) => mean), std, root,
    normalized: batch ? transpose(scaled) : scaled };
}
