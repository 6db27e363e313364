// @ts-check
// Which numbers share one mean and one standard deviation?

import {
  choice,
  form,
  menu,
  resetButton,
  showing,
  slider,
  tied,
} from "../../kit/figures/controls.js";
import {
  assign,
  assignAll,
  connect,
  counted,
  folded,
  format,
  h,
  inView,
  panels,
  status,
} from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import shared from "./norm_axes.json" with { type: "json" };
import { compute, announcementText, statisticNames } from "./norm_groups.js";

/** @typedef {import("./norm_groups.js").State} State */
/** @typedef {import("./norm_groups.js").Model} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["tokens", "table", "norm", "num_groups", "eps", "token", "feature"];
const NORMS = /** @type {State["norm"][]} */ (shared.norms);
const MOST = 2.5; // standard deviations with the full shade: what does not move keeps its color
const LEGEND =
  "Blue: above 0. Orange with an edge at the left: below 0. Thick lines separate the groups; the outlined " +
  "one contains the chosen number. Click to choose.";

/** @param {number} x */
const short = (x) => format(x, 2);

/** Change the chosen number. @param {Model} model @param {number} x */
function changeNumber(model, x) {
  const [table, feature] = [model.get("table"), model.get("feature")];
  const length = table[0].length;
  const [b, t] = [Math.floor(model.get("token") / length), model.get("token") % length];
  assign(model, "table", table.with(b, table[b].with(t, table[b][t].with(feature, x))));
}

/** The number that is chosen. @param {Model} model */
function chosenNumber(model) {
  return model.get("table").flat()[model.get("token")][model.get("feature")];
}

/** The choice of a normalization with its groups, and of a number with its slider. @param {Model} model @param {string[]} words @param {string[]} features */
function controls(model, words, features) {
  const divisors = features.map((_, d) => d + 1).filter((n) => features.length % n === 0);
  const counts = { options: divisors.map(String), values: divisors };
  const groups = tied(model, "num_groups", choice, { legend: "Groups", ...counts });
  const oninput = (/** @type {number} */ x) => changeNumber(model, x);
  const number = slider({ label: "Its number", ...shared.number, oninput });
  const { rows, update } = form(
    [
      tied(model, "norm", choice, { legend: "Normalization", options: NORMS, values: NORMS }),
      groups,
    ],
    [
      tied(model, "token", menu, { label: "Token", options: words }),
      tied(model, "feature", choice, { legend: "Feature", options: features }),
      showing(number, () => chosenNumber(model)),
      resetButton(model, TRAITS),
    ],
  );
  return {
    rows,
    update() {
      update();
      for (const input of groups.inputs) input.disabled = model.get("norm") !== "group";
    },
  };
}

/** The tables; a click on a number of one of three chooses it. @param {Model} model @param {number} rows @param {number} columns */
function tablesFor(model, rows, columns) {
  const size = { rows, columns, kind: "na-table" };
  const field = { rows, columns, kind: "na-table tl-field", write: short };
  const most = Math.max(rows, columns * model.get("table").length); // groups, under any norm
  const statistics = { rows: most, columns: 3 };
  const views = tables(shared.captions, {
    table: field,
    groups: size,
    statistics,
    normalized: { ...field, most: MOST },
  });
  const length = model.get("tokens")[0].length;
  for (const view of [views.table, views.groups, views.normalized]) {
    view.lines.forEach((line, i) => line.classList.toggle("na-first", i > 0 && i % length === 0));
    view.onclick((token, feature) => assignAll(model, { token, feature }));
  }
  return views;
}

/**
 * Fill a table that has a cell for each number, and mark its groups and what is chosen.
 * @param {import("../../kit/figures/table.js").Table} view @param {number[][]} values
 * @param {ReturnType<typeof compute>} results @param {Model} model @param {string[][]} names
 */
function show(view, values, { groups, shared: members }, model, [words, features]) {
  const [token, feature] = [model.get("token"), model.get("feature")];
  view.update(values, words, features);
  view.mark("na-above", (i, d) => i > 0 && groups[i][d] !== groups[i - 1][d]);
  view.mark("na-beside", (i, d) => d > 0 && groups[i][d] !== groups[i][d - 1]);
  view.mark("na-shared", (i, d) => members[i][d]);
  view.mark("tl-pointed", (i, d) => members[i][d]);
  view.mark("na-chosen", (i, d) => i === token && d === feature);
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const words = model.get("tokens").flatMap((row, b) => row.map((word) => `${b + 1} ${word}`));
  const features = counted(model.get("table")[0][0]);
  const names = [words, features];
  const panel = controls(model, words, features);
  const news = status();
  const views = tablesFor(model, words.length, features.length);
  const legend = h("p", { class: "tl-aside" }, LEGEND);
  /** @type {ReturnType<typeof compute>} */
  let results;
  const draw = () => {
    const { groups, statistics } = results;
    const heads = statisticNames(model.get("norm"));
    const chosen = groups[model.get("token")][model.get("feature")] - 1;
    const rows = statistics.map((_, g) => `group ${g + 1}`);
    views.statistics.update(statistics, rows, heads, chosen);
    show(views.groups, groups, results, model, names);
  };
  const fold = folded("The groups in numbers", draw, panels(views.groups, views.statistics));
  fold.element.addEventListener("toggle", () =>
    el.classList.toggle("tl-unfolded", fold.element.open),
  );
  el.classList.add("tl-figure", "tl-norm-axes");
  el.append(
    h("p", { class: "tl-aside" }, shared.question),
    inView(...panel.rows),
    news.element,
    h("div", { class: "tl-answer" }, panels(views.table, views.normalized)),
    legend,
    fold.element,
  );

  return connect(model, TRAITS, () => {
    results = compute(model);
    panel.update();
    show(views.table, results.table, results, model, names);
    show(views.normalized, results.normalized, results, model, names);
    fold.update();
    news.say(announcementText(model, results));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
