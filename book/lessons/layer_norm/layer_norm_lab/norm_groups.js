// @ts-check
// The layer-norm lab's view of a table: which numbers share one mean and one deviation.

import { choice, form, menu, showing, tied, toggle } from "../../kit/figures/controls.js";
import { assignAll, format, formatVector, h, panels, stateOf } from "../../kit/figures/kit.js";
import { transpose } from "../../kit/figures/math.js";
import { tables } from "../../kit/figures/table.js";
import shared from "./layer_norm_lab.json" with { type: "json" };
import { groupSteps, TABLE } from "./norm_math.js";

/** @typedef {import("./norm_math.js").Model} Model */
/** @typedef {ReturnType<typeof groupSteps>} Steps */

const AXES = /** @type {const} */ (["layer", "batch"]);
const TABLE_LEGEND = "Outlined: the numbers of the chosen μ and σ. Crossed out: not counted.";

/**
 * What there is to say about the chosen row or column.
 * @param {Steps} steps @param {boolean} batch @param {number} chosen @param {string} name
 */
export function groupAnnouncement({ counted, statistics, normalized }, batch, chosen, name) {
  const [mean, std] = statistics[chosen];
  const rows = counted.filter(Boolean).length;
  const from = batch ? `${rows} of ${counted.length} rows` : "its own row";
  const result = batch ? normalized.map((row) => row[chosen]) : normalized[chosen];
  const undefinedNote = result.some(Number.isNaN) ? " σ and ε are both 0: 0 / 0 is NaN." : "";
  return (
    `${name}: μ ${format(mean)} and σ ${format(std)} from ${from}. ` +
    `Normalized: ${formatVector(result)}.${undefinedNote}`
  );
}

/** The controls in their row. @param {Model} model @param {string[]} features */
function tableControls(model, features) {
  const axis = choice({
    legend: "μ and σ shared",
    options: ["along a row (layer)", "down a column (batch)"],
    onchange: (i) => assignAll(model, { selected: 0, axis: AXES[i] }),
  });
  const names = model.get("tokens").map((name, i) => `${i + 1} ${name}`);
  const row = tied(model, "selected", menu, { label: "Row", options: names });
  const column = tied(model, "selected", menu, { label: "Column", options: features });
  const pads = tied(model, "count_pads", toggle, { label: "pads count in the statistics" });
  const { rows, update } = form([
    showing(axis, () => AXES.indexOf(model.get("axis"))),
    row,
    column,
    pads,
  ]);
  return {
    rows,
    /** @param {boolean} batch */
    update(batch) {
      update();
      for (const part of [column, pads]) part.element.hidden = !batch;
      row.element.hidden = batch;
    },
  };
}

/** The tables. @param {number} rows @param {number} columns */
function tablesFor(rows, columns) {
  const size = { rows, columns };
  const names = shared.statistics.length;
  return tables(shared.captions, {
    table: size,
    row_statistics: { rows, columns: names },
    column_statistics: { rows: names, columns },
    normalized: size,
  });
}

/**
 * Fill the tables.
 * @param {ReturnType<typeof tablesFor>} views @param {Model} model @param {Steps} steps @param {string[]} features
 */
function show(views, model, { counted, statistics, normalized }, features) {
  const [batch, chosen] = [model.get("axis") === "batch", model.get("selected")];
  const [tokens, marked] = [model.get("tokens"), batch ? -1 : chosen];
  views.table.update(model.get("table"), tokens, features, marked);
  views.normalized.update(normalized, tokens, features, marked);
  if (batch) views.column_statistics.update(transpose(statistics), shared.statistics, features);
  else views.row_statistics.update(statistics, tokens, shared.statistics, marked);
  views.column_statistics.element.hidden = !batch;
  views.row_statistics.element.hidden = batch;
  views.table.mark("ln-shared", (i, j) => (batch ? j : i) === chosen && counted[i]);
  views.table.mark("ln-left-out", (i) => !counted[i]);
}

/** The view of the table. @param {Model} model @param {(text: string) => void} say */
export function tableView(model, say) {
  const features = model.get("table")[0].map((_, d) => `P${d + 1}`);
  const views = tablesFor(model.get("tokens").length, features.length);
  const panel = tableControls(model, features);
  const element = h("div", { class: "ln-stack" }, views.table.element);
  element.append(views.column_statistics.element);
  const body = panels({ element }, views.row_statistics, views.normalized);
  return {
    element: h("div", {}, ...panel.rows, body, h("p", { class: "tl-aside" }, TABLE_LEGEND)),
    redraw() {
      const [batch, chosen] = [model.get("axis") === "batch", model.get("selected")];
      const steps = groupSteps(stateOf(model, [...TABLE]));
      const names = batch ? features : model.get("tokens");
      panel.update(batch);
      show(views, model, steps, features);
      say(groupAnnouncement(steps, batch, chosen, names[chosen]));
    },
  };
}
