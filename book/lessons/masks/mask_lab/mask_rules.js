// @ts-check
// The mask lab's numbers, and what there is to say about them.

import { format } from "../../kit/figures/kit.js";
import { attentionSteps, lookAheadMask, softmax } from "../../kit/figures/math.js";
import shared from "./mask_lab.json" with { type: "json" };

/** @typedef {{token_ids: number[], words: string[], embeddings: number[][], pad_id: number, padding: boolean,
 *   outer: boolean, causal: boolean, selected: number}} State */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */

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

/**
 * Hide pads as keys, from every query: transformer_lite.padding_mask, one row a query.
 * @param {number[]} ids @param {number} padId @returns {boolean[][]}
 */
function paddingMask(ids, padId) {
  return ids.map(() => ids.map((id) => id !== padId));
}

/**
 * Hide pads as keys and as queries: transformer_lite.outer_product_padding_mask.
 * @param {number[]} ids @param {number} padId @returns {boolean[][]}
 */
function outerProductPaddingMask(ids, padId) {
  return ids.map((query) => ids.map((key) => query !== padId && key !== padId));
}

/** @param {boolean[][]} a @param {boolean[][]} b @returns {boolean[][]} */
function combineMasks(a, b) {
  return a.map((row, i) => row.map((on, j) => on && b[i][j]));
}

/** @param {number[][]} scores @param {boolean[][]} mask @param {number} fill what a forbidden score becomes */
function fillMasked(scores, mask, fill) {
  return scores.map((row, i) => row.map((s, j) => (mask[i][j] ? s : fill)));
}

/** Which tokens are pads. @param {Pick<Model, "get">} model */
export function padsOf(model) {
  return model.get("token_ids").map((id) => id === model.get("pad_id"));
}

/** The place of each token and its word, or "pad". @param {Pick<Model, "get">} model */
export function namesOf(model) {
  return padsOf(model).map((isPad, i) =>
    `${i + 1} ${isPad ? "pad" : (model.get("words")[i] ?? "")}`.trim(),
  );
}

/** The masks that are switched on; all true where one is off. @param {Pick<Model, "get">} model */
function masksOf(model) {
  const [ids, padId] = [model.get("token_ids"), model.get("pad_id")];
  const all = ids.map(() => ids.map(() => true));
  const rule = model.get("outer") ? outerProductPaddingMask : paddingMask;
  const padding = model.get("padding") ? rule(ids, padId) : all;
  const lookAhead = model.get("causal") ? lookAheadMask(ids.length) : all;
  return { padding, look_ahead: lookAhead, combined: combineMasks(padding, lookAhead) };
}

/** Every number of the figure; the same names as MaskLab.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const pads = padsOf(model);
  const embeddings = model.get("embeddings").map((x, i) => (pads[i] ? x.map(() => 0) : x));
  const scale = 1 / Math.sqrt(embeddings[0].length);
  const masks = masksOf(model);
  const { scaled, masked, weights } = attentionSteps(embeddings, scale, masks.combined);
  // Plain softmax divides 0 by 0 where all scores are −∞.
  const plain = masked.map((row) =>
    row.every((score) => score === -Infinity) ? row.map(() => Number.NaN) : softmax(row),
  );
  const lowered = fillMasked(scaled, masks.combined, shared.lowered).map((row) => softmax(row));
  const unpadded = attentionSteps(embeddings, scale, masks.look_ahead).weights;
  /** @param {number[]} row */
  const onPads = (row) => row.reduce((sum, w, j) => sum + (pads[j] ? w : 0), 0);
  const on_pads = pads.map((_, i) =>
    [unpadded, plain, lowered, weights].map((convention) => onPads(convention[i])),
  );
  return { embeddings, ...masks, scores: scaled, masked, plain, lowered, weights, on_pads };
}

/** The rows in which nothing is allowed. @param {boolean[][]} mask */
export function fullyMaskedRows(mask) {
  return mask.flatMap((row, i) => (row.some(Boolean) ? [] : [i]));
}

/** The rows in which nothing is allowed, in words. @param {Results} results */
function emptyRows({ combined }) {
  const rows = fullyMaskedRows(combined).map((i) => String(i + 1));
  const list = [rows.slice(0, -1).join(", "), rows.at(-1)].filter(Boolean).join(" and ");
  return list && `row${rows.length > 1 ? "s" : ""} ${list}`;
}

/** Which rows have nothing left, for the eye and the ear. @param {Results} results */
export function emptyText(results) {
  const rows = emptyRows(results);
  return rows && `No key is allowed in ${rows} (dashed frame).`;
}

/** Which rows are fully masked, and what the three conventions make of them. @param {Results} results */
export function rowsText(results) {
  const rows = emptyRows(results);
  if (!rows) return "No row is fully masked, so the three conventions agree.";
  return (
    `Fully masked: ${rows}. Plain softmax over −∞ gives NaN; ` +
    `−1e9 gives every token ${format(1 / results.combined.length)}, pads too; this package gives zeros.`
  );
}

/**
 * How much weight one row gives to pads.
 * @param {Results} results @param {boolean[]} pads @param {number} row @param {boolean} applied
 */
export function leakText(results, pads, row, applied) {
  if (!pads.includes(true)) return "There is no pad, so nothing can leak.";
  if (!pads.some((pad, j) => pad && results.look_ahead[row][j])) {
    return `Row ${row + 1} sees no pad in any case: the look-ahead mask hides them.`;
  }
  if (applied) return `The padding mask is on: row ${row + 1} gives nothing to pads.`;
  const leak = format(results.on_pads[row][0]);
  return `The padding mask is off: row ${row + 1} gives ${leak} of its weight to pads.`;
}
