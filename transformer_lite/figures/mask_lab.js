// @ts-check
// The mask lab: choose the pads and the masks, watch what softmax makes of every row.

import { attentionSteps, combineMasks, fillMasked, lookAheadMask, outerProductPaddingMask, paddingMask, softmax } from "./math.js";
import { assign, choice, connect, controlRow, format, h, matrix, nameResults, resetButton, setText, status, toggle } from "./kit.js";

/** @typedef {{token_ids: number[], embeddings: number[][], pad_id: number, padding: boolean,
 *   outer: boolean, causal: boolean, selected: number}} State */
/** @typedef {import("./kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = ["token_ids", "embeddings", "pad_id", "padding", "outer", "causal", "selected"];
const PAD_COLUMNS = ["no padding mask", "−∞", "−1e9", "this package"];

/**
 * The ids after token `index` became a pad or a real token: a real one gets its first id back,
 * or the smallest free one if it began as a pad.
 * @param {number[]} ids @param {number[]} start @param {number} padId @param {number} index @param {boolean} pad
 */
export function setPad(ids, start, padId, index, pad) {
  if (pad) return ids.with(index, padId);
  if (start[index] !== padId) return ids.with(index, start[index]);
  let free = 1;
  while (free === padId || ids.includes(free) || start.includes(free)) free += 1;
  return ids.with(index, free);
}

/** Every number of the figure; the same names as MaskLab.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const ids = model.get("token_ids");
  const padId = model.get("pad_id");
  const embeddings = model.get("embeddings").map((row, i) => (ids[i] === padId ? row.map(() => 0) : row));
  const scale = 1 / Math.sqrt(embeddings[0].length);
  const all = ids.map(() => ids.map(() => true));
  const paddingRule = model.get("outer") ? outerProductPaddingMask : paddingMask;
  const padding = model.get("padding") ? paddingRule(ids, padId) : all;
  const lookAhead = model.get("causal") ? lookAheadMask(ids.length) : all;
  const combined = combineMasks(padding, lookAhead);
  const steps = attentionSteps(embeddings, scale, combined);
  const plain = steps.masked.map((row) => softmax(row));
  const lowered = fillMasked(steps.scaled, combined, -1e9).map((row) => softmax(row));
  const unpadded = attentionSteps(embeddings, scale, lookAhead).weights;
  const onPads = ids.map((_, i) => [unpadded, plain, lowered, steps.weights].map(
    (weights) => weights[i].filter((_w, j) => ids[j] === padId).reduce((sum, w) => sum + w, 0)));
  return { embeddings, padding, look_ahead: lookAhead, combined, scores: steps.scaled, masked: steps.masked,
    plain, lowered, weights: steps.weights, on_pads: onPads };
}

/** The rows in which nothing is allowed. @param {boolean[][]} mask */
export function fullyMaskedRows(mask) {
  return mask.flatMap((row, i) => (row.some(Boolean) ? [] : [i]));
}

/** Which rows are fully masked, and what the three conventions make of them. @param {Results} results */
export function rowsText(results) {
  const rows = fullyMaskedRows(results.combined).map((i) => String(i + 1));
  if (!rows.length) return "No row is fully masked, so the three conventions agree.";
  const list = [rows.slice(0, -1).join(", "), rows.at(-1)].filter(Boolean).join(" and ");
  const subject = rows.length === 1 ? `Row ${list} is` : `Rows ${list} are`;
  return `${subject} fully masked (dashed frame). Plain softmax over −∞ gives NaN; ` +
    `−1e9 gives every token ${format(1 / results.combined.length)}, pads too; this package gives zeros.`;
}

/**
 * How much weight one row gives to pads while no padding mask is applied.
 * @param {Results} results @param {boolean[]} pads @param {number} row @param {boolean} applied
 */
export function leakText(results, pads, row, applied) {
  if (!pads.includes(true)) return "There is no pad, so nothing can leak.";
  if (!pads.some((pad, j) => pad && results.look_ahead[row][j])) {
    return `Row ${row + 1} sees no pad in any case: the look-ahead mask hides them.`;
  }
  const leak = format(results.on_pads[row][0]);
  return applied ? `Without the padding mask, row ${row + 1} would give ${leak} of its weight to pads.`
    : `The padding mask is off: row ${row + 1} gives ${leak} of its weight to pads.`;
}

/** The controls, in their rows. @param {Model} model @param {string[]} places the tokens' numbers */
function controls(model, places) {
  const start = model.get("token_ids");
  const pads = places.map((place, i) => toggle({ label: place, onchange: (on) =>
    assign(model, "token_ids", setPad(model.get("token_ids"), start, model.get("pad_id"), i, on)) }));
  const padGroup = h("fieldset", { class: "tl-choice" }, h("legend", {}, "Pads"), ...pads.map((pad) => pad.element));
  const picker = choice({ legend: "Follow row", options: places, onchange: (i) => assign(model, "selected", i) });
  const padding = toggle({ label: "apply the padding mask", onchange: (on) => assign(model, "padding", on) });
  const rule = choice({ legend: "It hides pads", options: ["as keys (key-broadcast)", "as keys and queries (outer product)"],
    onchange: (i) => assign(model, "outer", i === 1) });
  const causal = toggle({ label: "apply the look-ahead mask", onchange: (on) => assign(model, "causal", on) });
  return {
    rows: [controlRow(padGroup, picker.element, resetButton(model, TRAITS)), controlRow(padding.element, rule.element), controlRow(causal.element)],
    /** @param {boolean[]} isPad */
    update(isPad) {
      pads.forEach((pad, i) => pad.update(isPad[i]));
      picker.update(model.get("selected"));
      padding.update(model.get("padding"));
      rule.update(model.get("outer") ? 1 : 0);
      rule.element.disabled = !model.get("padding");
      causal.update(model.get("causal"));
    },
  };
}

/** The tables, by the name of the result that each shows. @param {number} size @param {number} width */
function tables(size, width) {
  const square = { rows: size, columns: size };
  return {
    padding: matrix({ caption: "", ...square, kind: "tl-mask" }),
    look_ahead: matrix({ caption: "", ...square, kind: "tl-mask" }),
    combined: matrix({ caption: "3 Combined: both are 1", ...square, kind: "tl-mask" }),
    embeddings: matrix({ caption: "Embeddings x (a pad counts as zeros)", rows: size, columns: width }),
    scores: matrix({ caption: `4 Scores: x xᵀ / √${width}`, ...square }),
    masked: matrix({ caption: "5 Masked scores", ...square }),
    plain: matrix({ caption: "6a Weights: −∞, plain softmax", ...square }),
    lowered: matrix({ caption: "6b Weights: −1e9 for −∞", ...square }),
    weights: matrix({ caption: "6c Weights: this package", ...square }),
    on_pads: matrix({ caption: "7 Weight on pads", rows: size, columns: PAD_COLUMNS.length }),
  };
}

/**
 * Fill the tables from the results.
 * @param {ReturnType<typeof tables>} views @param {Model} model @param {Results} results @param {string[]} names
 */
function show(views, model, results, names) {
  const selected = model.get("selected");
  const entries = results.embeddings[0].map((_, d) => String(d + 1));
  const labelled = names.map((name, i) => `${name}, id ${model.get("token_ids")[i]}`);
  setText(views.padding.caption, `1 Padding mask${model.get("padding") ? "" : " (off)"}`);
  setText(views.look_ahead.caption, `2 Look-ahead mask${model.get("causal") ? "" : " (off)"}`);
  views.embeddings.update(results.embeddings, labelled, entries, selected);
  for (const name of /** @type {const} */ (["padding", "look_ahead", "combined"])) {
    views[name].update(results[name].map((row) => row.map(Number)), names, names, selected);
  }
  for (const name of /** @type {const} */ (["scores", "masked", "plain", "lowered", "weights"])) {
    views[name].update(results[name], names, names, selected);
  }
  views.on_pads.update(results.on_pads, names, PAD_COLUMNS, selected);
  const empty = fullyMaskedRows(results.combined);
  for (const view of [views.plain, views.lowered, views.weights]) {
    view.cells.forEach((cells, i) => cells[0].parentElement?.classList.toggle("tl-full", empty.includes(i)));
  }
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const places = model.get("token_ids").map((_, i) => String(i + 1));
  const panel = controls(model, places);
  const news = status();
  const views = tables(places.length, model.get("embeddings")[0].length);
  nameResults(views);
  const group = (/** @type {(keyof typeof views)[]} */ ...names) =>
    h("div", { class: "tl-panels" }, ...names.map((name) => views[name].element));

  el.classList.add("tl-figure", "tl-mask-lab");
  el.append(...panel.rows, news.element, group("padding", "look_ahead", "combined"),
    group("embeddings", "scores", "masked"), group("plain", "lowered", "weights"), group("on_pads"));

  return connect(model, TRAITS, () => {
    const isPad = model.get("token_ids").map((id) => id === model.get("pad_id"));
    const results = compute(model);
    panel.update(isPad);
    show(views, model, results, places.map((place, i) => (isPad[i] ? `${place} pad` : place)));
    news.say(`${rowsText(results)} ${leakText(results, isPad, model.get("selected"), model.get("padding"))}`);
  });
}

export default { render };
