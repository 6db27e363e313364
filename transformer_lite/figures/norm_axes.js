// @ts-check
// The norm axes: choose a normalization and a number, see which numbers share its statistics.

import { assign, choice, connect, controlRow, format, h, matrix, menu, resetButton, slider, status } from "./kit.js";

/** @typedef {"layer" | "batch" | "instance" | "group" | "RMS"} Norm */
/** @typedef {{tokens: string[][], table: number[][][], norm: Norm, num_groups: number, eps: number,
 *   token: number, feature: number}} State */
/** @typedef {import("./kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["tokens", "table", "norm", "num_groups", "eps", "token", "feature"];
const NORMS = /** @type {Norm[]} */ (["layer", "batch", "instance", "group", "RMS"]);
const LARGEST = 20;

/**
 * The group of the number at sentence b, token t, feature d, counted from 0.
 * @param {Norm} norm @param {number} b @param {number} t @param {number} d
 * @param {{length: number, width: number, groups: number}} size
 */
export function groupOf(norm, b, t, d, { length, width, groups }) {
  if (norm === "batch") return d;
  if (norm === "instance") return b * width + d;
  if (norm === "group") return b * groups + Math.floor((d * groups) / width);
  return b * length + t;
}

/** Every number of the figure; the same names as NormAxes.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const [norm, eps] = [model.get("norm"), model.get("eps")];
  const sentences = model.get("table");
  const size = { length: sentences[0].length, width: sentences[0][0].length, groups: model.get("num_groups") };
  const table = sentences.flat();
  const index = sentences.flatMap((rows, b) => rows.map((row, t) => row.map((_, d) => groupOf(norm, b, t, d, size))));
  const chosen = index[model.get("token")][model.get("feature")];
  /** @param {number} group */
  const summary = (group) => {
    const members = table.flatMap((row, i) => row.filter((_, d) => index[i][d] === group));
    const average = (/** @type {number[]} */ xs) => xs.reduce((sum, x) => sum + x, 0) / xs.length;
    const mean = norm === "RMS" ? 0 : average(members);
    const square = average(members.map((x) => (x - mean) ** 2));
    return [members.length, mean, Math.sqrt(square)];
  };
  const statistics = Array.from({ length: Math.max(...index.flat()) + 1 }, (_, group) => summary(group));
  const normalized = table.map((row, i) => row.map((x, d) => {
    const [, mean, spread] = statistics[index[i][d]];
    return (x - mean) / Math.sqrt(spread ** 2 + eps);
  }));
  return { table, groups: index.map((row) => row.map((g) => g + 1)), shared: index.map((row) => row.map((g) => g === chosen)),
    statistics, normalized };
}

/** The names of the statistics: RMS normalization takes off no mean. @param {Norm} norm */
export function statisticNames(norm) {
  return norm === "RMS" ? ["numbers", "taken off", "RMS"] : ["numbers", "μ", "σ"];
}

/** What there is to say about the chosen number. @param {Pick<Model, "get">} model @param {ReturnType<typeof compute>} results */
export function newsText(model, { table, groups, shared, statistics, normalized }) {
  const [token, feature, norm] = [model.get("token"), model.get("feature"), model.get("norm")];
  const length = model.get("tokens")[0].length;
  const words = model.get("tokens").flat();
  const group = groups[token][feature];
  const [count, mean, spread] = statistics[group - 1];
  const touched = words.filter((_, i) => shared[i].some(Boolean));
  const across = new Set(words.flatMap((_, i) => (shared[i].some(Boolean) ? [Math.floor(i / length)] : [])));
  const where = touched.length === 1 ? `all in ${words[token]} itself`
    : `in ${touched.length} tokens of ${across.size === 1 ? "its sentence" : `${across.size} sentences`}`;
  const pair = norm === "RMS" ? `RMS ${format(spread)}` : `μ ${format(mean)} and σ ${format(spread)}`;
  return `${words[token]}, feature ${feature + 1}: group ${group} of ${statistics.length}. ` +
    `${count} numbers share ${pair}, ${where}. ` +
    `${format(table[token][feature])} becomes ${format(normalized[token][feature])}.`;
}

/** The controls, in their rows. @param {Model} model @param {string[]} words @param {string[]} features */
function controls(model, words, features) {
  const divisors = features.map((_, d) => d + 1).filter((count) => features.length % count === 0);
  const norm = choice({ legend: "Normalization", options: NORMS, onchange: (i) => assign(model, "norm", NORMS[i]) });
  const groups = choice({ legend: "Groups", options: divisors.map(String),
    onchange: (i) => assign(model, "num_groups", divisors[i]) });
  const token = menu({ label: "Token", options: words, onchange: (i) => assign(model, "token", i) });
  const feature = choice({ legend: "Feature", options: features, onchange: (i) => assign(model, "feature", i) });
  const value = slider({ label: "Its number", min: -LARGEST, max: LARGEST, step: 0.5, oninput: (x) => {
    const place = model.get("token");
    const length = model.get("table")[0].length;
    assign(model, "table", model.get("table").map((rows, b) => rows.map((row, t) =>
      (b * length + t === place ? row.with(model.get("feature"), x) : row))));
  } });
  return {
    rows: [controlRow(norm.element, groups.element), controlRow(token.element, feature.element, value.element, resetButton(model, TRAITS))],
    /** @param {number} x the chosen number */
    update(x) {
      norm.update(NORMS.indexOf(model.get("norm")));
      groups.update(divisors.indexOf(model.get("num_groups")));
      for (const input of groups.inputs) input.disabled = model.get("norm") !== "group";
      token.update(model.get("token"));
      feature.update(model.get("feature"));
      value.update(x);
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const words = model.get("tokens").flatMap((row, b) => row.map((word) => `${b + 1} ${word}`));
  const features = model.get("table")[0][0].map((_, d) => String(d + 1));
  const length = model.get("tokens")[0].length;
  const panel = controls(model, words, features);
  const news = status();
  const size = { rows: words.length, columns: features.length, kind: "na-table" };
  const views = { table: matrix({ caption: "1 Numbers x", ...size }), groups: matrix({ caption: "2 Group of each number", ...size }),
    normalized: matrix({ caption: "4 Normalized", ...size }) };
  const statistics = h("div", { "data-result": "statistics" });
  /** @type {ReturnType<typeof matrix>} */
  let summary;
  for (const [name, view] of Object.entries(views)) {
    view.element.dataset.result = name;
    view.cells.forEach((row, i) => row.forEach((cell, d) => {
      cell.classList.toggle("na-first", i > 0 && i % length === 0);
      cell.addEventListener("click", () => { model.set("token", i); assign(model, "feature", d); });
    }));
  }
  el.classList.add("tl-figure", "tl-norm-axes");
  el.append(...panel.rows, news.element, h("div", { class: "tl-panels" },
    views.table.element, views.groups.element, statistics, views.normalized.element),
  h("p", { class: "na-legend" }, "Outlined: the numbers that share statistics with the chosen one, in the double frame. " +
    "A click on a number chooses it."));

  return connect(model, TRAITS, () => {
    const results = compute(model);
    const [token, feature] = [model.get("token"), model.get("feature")];
    panel.update(results.table[token][feature]);
    const names = results.statistics.map((_, g) => `group ${g + 1}`);
    if (summary?.cells.length !== names.length) {
      summary = matrix({ caption: "3 Statistics of each group", rows: names.length, columns: 3 });
      statistics.replaceChildren(summary.element);
    }
    summary.update(results.statistics, names, statisticNames(model.get("norm")), results.groups[token][feature] - 1);
    for (const name of /** @type {const} */ (["table", "groups", "normalized"])) {
      views[name].update(results[name], words, features);
      views[name].cells.forEach((row, i) => row.forEach((cell, d) => {
        cell.classList.toggle("na-shared", results.shared[i][d]);
        cell.classList.toggle("na-chosen", i === token && d === feature);
      }));
    }
    news.say(newsText(model, results));
  });
}

export default { render };
