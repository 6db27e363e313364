// @ts-check
// The layer-norm lab's view of a table: which numbers share one mean and one deviation.

import { assign, choice, controlRow, format, formatVector, h, matrix, menu, nameResults, toggle } from "./kit.js";
import { groupSteps } from "./norm_math.js";

/** @typedef {import("./norm_math.js").Table & {tokens: string[], selected: number}} State */
/** @typedef {import("./kit.js").Model<State>} Model */

const AXES = /** @type {const} */ (["layer", "batch"]);

/**
 * What there is to say about the chosen row or column.
 * @param {ReturnType<typeof groupSteps>} steps @param {boolean} batch @param {number} chosen
 * @param {string} name
 */
export function groupNews(steps, batch, chosen, name) {
  const rows = steps.counted.filter(Boolean).length;
  const from = batch ? `${rows} of ${steps.counted.length} rows` : "its own row alone";
  const result = batch ? steps.normalized.map((row) => row[chosen]) : steps.normalized[chosen];
  const undefinedNote = result.some(Number.isNaN) ? " σ and ε are both 0: 0 / 0 is NaN." : "";
  return `${name}: μ ${format(steps.mean[chosen])} and σ ${format(steps.std[chosen])} from ${from}. ` +
    `Normalized: ${formatVector(result)}.${undefinedNote}`;
}

/** @param {Model} model */
function stepsOf(model) {
  return groupSteps({ table: model.get("table"), pads: model.get("pads"), axis: model.get("axis"),
    count_pads: model.get("count_pads"), eps: model.get("eps") });
}

/** The view of the table. @param {Model} model @param {(text: string) => void} say */
export function tableView(model, say) {
  const tokens = model.get("tokens");
  const features = model.get("table")[0].map((_, d) => `P${d + 1}`);
  const size = { rows: tokens.length, columns: features.length };
  const table = matrix({ caption: "1 Table of tokens x", ...size });
  const rowStats = matrix({ caption: "2 Statistics of each row", rows: size.rows, columns: 3 });
  const columnStats = matrix({ caption: "2 Statistics of each column", rows: 3, columns: size.columns });
  const normalized = matrix({ caption: "3 Normalized", ...size });
  const results = { table, row_statistics: rowStats, column_statistics: columnStats, groups: normalized };
  nameResults(results);
  const axis = choice({ legend: "μ and σ shared", options: ["along a row (layer)", "down a column (batch)"],
    onchange: (i) => { model.set("selected", 0); assign(model, "axis", AXES[i]); } });
  const pads = toggle({ label: "pads count in the statistics",
    onchange: (on) => assign(model, "count_pads", on) });
  /** @param {number} i */
  const pick = (i) => assign(model, "selected", i);
  const row = menu({ label: "Row", options: tokens.map((name, i) => `${i + 1} ${name}`), onchange: pick });
  const column = menu({ label: "Column", options: features, onchange: pick });
  const stats = ["μ", "σ", "√(σ² + ε)"];
  return {
    element: h("div", {},
      controlRow(axis.element, row.element, column.element, pads.element),
      h("div", { class: "tl-panels" },
        h("div", { class: "ln-stack" }, table.element, columnStats.element),
        rowStats.element, normalized.element),
      h("p", { class: "ln-legend" },
        "Outlined: the numbers that share the chosen μ and σ. Crossed out: not counted in any.")),
    redraw() {
      const batch = model.get("axis") === "batch";
      const chosen = model.get("selected");
      const marked = batch ? -1 : chosen;
      const steps = stepsOf(model);
      const columns = [steps.mean, steps.std, steps.root];
      axis.update(batch ? 1 : 0);
      pads.update(model.get("count_pads"));
      (batch ? column : row).update(chosen);
      for (const part of [column, columnStats, pads]) part.element.hidden = !batch;
      for (const part of [row, rowStats]) part.element.hidden = batch;
      table.update(model.get("table"), tokens, features, marked);
      normalized.update(steps.normalized, tokens, features, marked);
      if (batch) columnStats.update(columns, stats, features);
      else rowStats.update(steps.mean.map((_, i) => columns.map((one) => one[i])), tokens, stats, marked);
      table.cells.forEach((line, i) => line.forEach((cell, j) => {
        cell.classList.toggle("ln-shared", (batch ? j : i) === chosen && steps.counted[i]);
        cell.classList.toggle("ln-left-out", !steps.counted[i]);
      }));
      say(groupNews(steps, batch, chosen, batch ? features[chosen] : tokens[chosen]));
    },
  };
}
