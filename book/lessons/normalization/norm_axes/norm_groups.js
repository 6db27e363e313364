// @ts-check
// The numbers of the norm axes: which of them share statistics, and what that makes of them.

import { format } from "../../kit/figures/kit.js";
import { average, moments, standardize } from "../../kit/figures/math.js";
import shared from "./norm_axes.json" with { type: "json" };

/** @typedef {"layer" | "batch" | "instance" | "group" | "RMS"} Norm */
/** @typedef {{tokens: string[][], table: number[][][], norm: Norm, num_groups: number, eps: number,
 *   token: number, feature: number}} State */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/**
 * The group of the number at sentence b, token t, feature d, counted from 0.
 * @param {Norm} norm @param {number} b @param {number} t @param {number} d
 * @param {{length: number, width: number, groups: number}} size
 */
function groupOf(norm, b, t, d, { length, width, groups }) {
  if (norm === "batch") return d;
  if (norm === "instance") return b * width + d;
  if (norm === "group") return b * groups + Math.floor((d * groups) / width);
  return b * length + t;
}

/** The group of every number, one row a token. @param {Pick<Model, "get">} model */
function groupTable(model) {
  const sentences = model.get("table");
  const [length, width] = [sentences[0].length, sentences[0][0].length];
  const size = { length, width, groups: model.get("num_groups") };
  return sentences.flatMap((rows, b) =>
    rows.map((row, t) => row.map((_, d) => groupOf(model.get("norm"), b, t, d, size))),
  );
}

/** Mean and variance; RMS normalization takes off no mean. @param {number[]} members @param {Norm} norm */
function statistics(members, norm) {
  if (norm !== "RMS") return moments(members);
  return { mean: 0, variance: average(members.map((x) => x * x)) };
}

/** Every number of the figure; the same names as NormAxes.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const [norm, eps] = [model.get("norm"), model.get("eps")];
  const table = model.get("table").flat();
  const index = groupTable(model);
  const members = Array.from({ length: Math.max(...index.flat()) + 1 }, (_, group) =>
    table.flatMap((row, i) => row.filter((_x, d) => index[i][d] === group)),
  );
  const known = members.map((numbers) => statistics(numbers, norm));
  const chosen = index[model.get("token")][model.get("feature")];
  return {
    table,
    groups: index.map((row) => row.map((g) => g + 1)),
    shared: index.map((row) => row.map((g) => g === chosen)),
    statistics: known.map((k, g) => [members[g].length, k.mean, Math.sqrt(k.variance)]),
    normalized: table.map((row, i) =>
      row.map((x, d) => standardize([x], known[index[i][d]], eps)[0]),
    ),
  };
}

/** The names of the statistics. @param {Norm} norm */
export function statisticNames(norm) {
  return shared.statistics[norm === "RMS" ? "size" : "spread"];
}

/** How far a group reaches, in words. @param {boolean[][]} members @param {string[]} words @param {number} length of a sentence @param {number} token */
function reachText(members, words, length, token) {
  const touched = words.flatMap((_, i) => (members[i].some(Boolean) ? [i] : []));
  if (touched.length === 1) return `all in ${words[token]} itself`;
  const sentences = new Set(touched.map((i) => Math.floor(i / length))).size;
  return `in ${touched.length} tokens of ${sentences === 1 ? "its sentence" : `${sentences} sentences`}`;
}

/** What there is to say about the chosen number. @param {Pick<Model, "get">} model @param {ReturnType<typeof compute>} results */
export function announcementText(model, results) {
  const [token, feature] = [model.get("token"), model.get("feature")];
  const words = model.get("tokens").flat();
  const group = results.groups[token][feature];
  const [count, mean, spread] = results.statistics[group - 1];
  const where = reachText(results.shared, words, model.get("tokens")[0].length, token);
  const rms = model.get("norm") === "RMS";
  const pair = rms ? `RMS ${format(spread)}` : `μ ${format(mean)} and σ ${format(spread)}`;
  const [before, after] = [results.table[token][feature], results.normalized[token][feature]];
  return (
    `${words[token]}, feature ${feature + 1}: group ${group} of ${results.statistics.length}. ` +
    `${count} numbers share ${pair}, ${where}. ${format(before)} becomes ${format(after)}.`
  );
}
