// @ts-check
// What each position scheme does to a score: to the tokens before, or to the score after.

import { dot, frequencies, scoreMatrix, sinusoid } from "../../kit/figures/math.js";
import shared from "./position_schemes.json" with { type: "json" };

/** @typedef {{tokens: string[], embeddings: number[][], scheme: string, shift: number,
 *   learned: number[][], vectors: number[][], numbers: number[]}} State */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {Pick<Model, "get">} Source */

const SLOPE = 2 ** (-8 / shared.alibi_heads); // of ALiBi's first head

/** Turn the pairs (i, i + half): transformer_lite.rotate_half_split. @param {number[]} row @param {number} position */
function rotate(row, position) {
  const half = row.length / 2;
  const angles = frequencies(row.length).map((speed) => position * speed);
  return row.map((x, d) => {
    const angle = angles[d % half];
    return x * Math.cos(angle) + (d < half ? -row[d + half] : row[d - half]) * Math.sin(angle);
  });
}

/** T5's bucket among 8, for offsets up to 2. @param {number} offset key minus query */
function bucket(offset) {
  return Math.abs(offset) + (offset > 0 ? 4 : 0);
}

/** What a token at a position becomes before scores are taken. @param {Source} model @param {string} scheme
 * @param {number[]} row @param {number} position */
function placed(model, scheme, row, position) {
  if (scheme === "RoPE") return rotate(row, position);
  if (!["sinusoidal", "learned"].includes(scheme)) return row;
  const learned = model.get("learned")[position];
  const added = scheme === "learned" ? learned : sinusoid(position, frequencies(row.length));
  return row.map((x, d) => (added ? x + added[d] : NaN));
}

/** What is added to the score of query i and key j. @param {Source} model @param {string} scheme
 * @param {number} i @param {number} j */
function bias(model, scheme, i, j) {
  const rows = model.get("embeddings");
  if (scheme === "Shaw") {
    const vector = model.get("vectors")[Math.max(-1, Math.min(1, j - i)) + 1];
    return dot(rows[i], vector) / Math.sqrt(vector.length);
  }
  if (scheme === "T5") return model.get("numbers")[bucket(j - i)];
  return scheme === "ALiBi" ? -SLOPE * Math.abs(i - j) : 0;
}

const GIVEN = /** @type {const} */ (["embeddings", "learned", "vectors", "numbers"]);
/** What scores were computed from last, and those that were asked for. */
let known = {
  given: /** @type {unknown[]} */ ([]),
  scores: /** @type {Map<string, number[][]>} */ (new Map()),
};

/** The scores when the first token is at position `start`; a slider asks for the same again and again. @param {Source} model @param {string} scheme @param {number} start */
export function scoresAt(model, scheme, start) {
  const given = GIVEN.map((name) => model.get(name));
  if (given.some((x, i) => x !== known.given[i])) known = { given, scores: new Map() };
  const key = `${scheme} ${start}`;
  const scores = known.scores.get(key) ?? computed(model, scheme, start);
  known.scores.set(key, scores);
  return scores;
}

/** @param {Source} model @param {string} scheme @param {number} start */
function computed(model, scheme, start) {
  const rows = model.get("embeddings").map((row, i) => placed(model, scheme, row, start + i));
  return scoreMatrix(rows, rows).map((row, i) =>
    row.map((s, j) => s / Math.sqrt(rows[0].length) + bias(model, scheme, i, j)),
  );
}
