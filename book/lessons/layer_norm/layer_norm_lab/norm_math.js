// @ts-check
// The numbers of the layer-norm lab: one token step by step, and a table by rows or by columns.

import { stateOf } from "../../kit/figures/kit.js";
import { moments, standardize, transpose } from "../../kit/figures/math.js";

/** @typedef {{values: number[], gamma: number[], beta: number[], eps: number,
 *   unbiased: boolean, eps_inside: boolean}} Token */
/** @typedef {{table: number[][], pads: boolean[], axis: "layer" | "batch",
 *   count_pads: boolean, eps: number}} Table */
/** @typedef {Token & Table & {view: "token" | "table", tokens: string[], selected: number}} State */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

export const TOKEN = /** @type {const} */ ([
  "values",
  "gamma",
  "beta",
  "eps",
  "unbiased",
  "eps_inside",
]);
export const TABLE = /** @type {const} */ (["table", "pads", "axis", "count_pads", "eps"]);

/**
 * Every intermediate of one layer normalization, as transformer_lite.layers.norms.layer_norm_steps.
 * @param {Token} token
 */
export function tokenSteps({ values, gamma, beta, eps, unbiased, eps_inside }) {
  const { mean, variance } = moments(values, unbiased);
  const centered = values.map((x) => x - mean);
  const squared = centered.map((x) => x * x);
  const std = eps_inside ? Math.sqrt(variance + eps) : Math.sqrt(variance) + eps;
  const outside = () => centered.map((x) => x / std);
  const normalized = eps_inside ? standardize(values, { mean, variance }, eps) : outside();
  const output = normalized.map((z, i) => z * gamma[i] + beta[i]);
  return { mean, centered, squared, variance, std, normalized, output };
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
  const known = groups.map((group) => moments(batch ? group.filter((_, i) => counted[i]) : group));
  const scaled = groups.map((group, g) => standardize(group, known[g], eps));
  const statistics = known.map(({ mean, variance }) => [
    mean,
    Math.sqrt(variance),
    Math.sqrt(variance + eps),
  ]);
  return { counted, statistics, normalized: batch ? transpose(scaled) : scaled };
}

/** Every number of the view that is shown; the same names as LayerNormLab.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  if (model.get("view") === "token") {
    const steps = tokenSteps(stateOf(model, [...TOKEN]));
    return { ...steps, mean: [steps.mean], variance: [steps.variance], std: [steps.std] };
  }
  const { statistics, normalized } = groupSteps(stateOf(model, [...TABLE]));
  const table = model.get("table");
  return model.get("axis") === "batch"
    ? { table, column_statistics: transpose(statistics), normalized }
    : { table, row_statistics: statistics, normalized };
}
