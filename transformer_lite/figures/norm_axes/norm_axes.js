// @ts-check
// The norm axes: choose a normalization and a number, see which numbers share its statistics.

import { choice, menu, resetButton, slider } from "../kit/controls.js";
import { assign, connect, controlRow, counted, h, panels, status } from "../kit/kit.js";
import { tables } from "../kit/table.js";
import shared from "./norm_axes.json" with { type: "json" };
import { compute, newsText, statisticNames } from "./norm_groups.js";

/** @typedef {import("./norm_groups.js").State} State */
/** @typedef {import("./norm_groups.js").Model} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["tokens", "table", "norm", "num_groups", "eps", "token", "feature"];
const NORMS = /** @type {State["norm"][]} */ (shared.norms);
const LEGEND =
  "Outlined: the numbers that share statistics with the chosen one, in the double frame. " +
  "A click on a number chooses it.";

/** Change the chosen number. @param {Model} model @param {number} x */
function changeNumber(model, x) {
  const [table, feature] = [model.get("table"), model.get("feature")];
  const length = table[0].length;
  const [b, t] = [Math.floor(model.get("token") / length), model.get("token") % length];
  assign(model, "table", table.with(b, table[b].with(t, table[b][t].with(feature, x))));
}

/** The choice of a normalization, and of the number of groups. @param {Model} model @param {number} width */
function normControls(model, width) {
  const divisors = Array.from({ length: width }, (_, d) => d + 1).filter((n) => width % n === 0);
  const norm = choice({
    legend: "Normalization",
    options: NORMS,
    onchange: (i) => assign(model, "norm", NORMS[i]),
  });
  const groups = choice({
    legend: "Groups",
    options: divisors.map(String),
    onchange: (i) => assign(model, "num_groups", divisors[i]),
  });
  return {
    element: controlRow(norm.element, groups.element),
    update() {
      norm.update(NORMS.indexOf(model.get("norm")));
      groups.update(divisors.indexOf(model.get("num_groups")));
      for (const input of groups.inputs) input.disabled = model.get("norm") !== "group";
    },
  };
}

/** The choice of a number, and its slider. @param {Model} model @param {string[]} words @param {string[]} features */
function numberControls(model, words, features) {
  const token = menu({
    label: "Token",
    options: words,
    onchange: (i) => assign(model, "token", i),
  });
  const feature = choice({
    legend: "Feature",
    options: features,
    onchange: (i) => assign(model, "feature", i),
  });
  const value = slider({
    label: "Its number",
    ...shared.number,
    oninput: (x) => changeNumber(model, x),
  });
  const parts = [token, feature, value].map((part) => part.element);
  return {
    element: controlRow(...parts, resetButton(model, TRAITS)),
    /** @param {number} x the chosen number */
    update(x) {
      token.update(model.get("token"));
      feature.update(model.get("feature"));
      value.update(x);
    },
  };
}

/** The tables; a click on a number of one of three chooses it. @param {Model} model @param {number} rows @param {number} columns */
function tablesFor(model, rows, columns) {
  const size = { rows, columns, kind: "na-table" };
  const most = Math.max(rows, columns * model.get("table").length); // groups, under any norm
  const statistics = { rows: most, columns: 3 };
  const views = tables(shared.captions, {
    table: size,
    groups: size,
    statistics,
    normalized: size,
  });
  const length = model.get("tokens")[0].length;
  for (const view of [views.table, views.groups, views.normalized]) {
    view.mark("na-first", (i) => i > 0 && i % length === 0);
    view.onclick((i, d) => {
      model.set("token", i);
      assign(model, "feature", d);
    });
  }
  return views;
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const words = model.get("tokens").flatMap((row, b) => row.map((word) => `${b + 1} ${word}`));
  const features = counted(model.get("table")[0][0]);
  const norms = normControls(model, features.length);
  const numbers = numberControls(model, words, features);
  const news = status();
  const views = tablesFor(model, words.length, features.length);
  const legend = h("p", { class: "tl-aside" }, LEGEND);
  el.classList.add("tl-figure", "tl-norm-axes");
  const controls = h("div", { class: "tl-in-view" }, norms.element, numbers.element);
  el.append(controls, news.element, panels(...Object.values(views)), legend);

  return connect(model, TRAITS, () => {
    const results = compute(model);
    const [token, feature] = [model.get("token"), model.get("feature")];
    norms.update();
    numbers.update(results.table[token][feature]);
    const names = results.statistics.map((_, g) => `group ${g + 1}`);
    const heads = statisticNames(model.get("norm"));
    views.statistics.update(results.statistics, names, heads, results.groups[token][feature] - 1);
    for (const name of /** @type {const} */ (["table", "groups", "normalized"])) {
      views[name].update(results[name], words, features);
      views[name].mark("na-shared", (i, d) => results.shared[i][d]);
      views[name].mark("na-chosen", (i, d) => i === token && d === feature);
    }
    news.say(newsText(model, results));
  });
}

export default { render };
