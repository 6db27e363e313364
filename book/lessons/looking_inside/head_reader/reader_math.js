// @ts-check
// What MiniLM's stored reading says: the file as tables, and what is measured of a head.

import { asset } from "../../kit/figures/assets.js";
import { average } from "../../kit/figures/math.js";
import shared from "./head_reader.json" with { type: "json" };
import sentences from "./sentences.json" with { type: "json" };

/** @typedef {number[]} Vector @typedef {number[][]} Matrix */
/** @typedef {"weight" | "added"} Measure */
/** @typedef {{sentence: number, word: number, layer: number, head: number, measure: Measure,
 *   assets: Record<string, DataView>}} State */
/** @typedef {{weights: (s: number, layer: number, head: number, word: number) => Vector,
 *   sizes: (s: number, layer: number, head: number) => Vector,
 *   others: Vector, alike: Map<string, Vector>, habits: Map<string, Vector>}} Stored */
/** @typedef {ReturnType<typeof compute>} Results */

export const { layers: LAYERS, count_of_heads: HEADS } = shared;
const LEVELS = LAYERS + 1;
const SIZES = 1000;
const COSINES = 10_000;

/** @param {number} sentence */
export const piecesOf = (sentence) => sentences[sentence].pieces;

/** The places of all pieces: the index of a sentence, and of a piece in it. */
export const places = () =>
  sentences.flatMap(({ pieces }, i) => pieces.map((piece, t) => ({ i, t, piece })));

/** The chosen word; the last one while the sentence has changed and the word has not yet. @param {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} model */
export function wordOf(model) {
  return Math.min(model.get("word"), piecesOf(model.get("sentence")).length - 1);
}

/** Where to read from in another sentence: from the same piece, or from *bank*, or from its first. @param {number} sentence @param {string} piece */
export function sameWord(sentence, piece) {
  const pieces = piecesOf(sentence);
  return [piece, "bank"].map((name) => pieces.indexOf(name)).find((t) => t >= 0) ?? 1;
}

/** @param {number} count */
const range = (count) => Array.from({ length: count }, (_, i) => i);

/** The cosines after the heads: of two different words, and of each two equal pieces. @param {DataView} view @param {number} start */
function readCosines(view, start) {
  const row = (/** @type {number} */ k) =>
    range(LEVELS).map((d) => view.getInt16(start + 2 * (k * LEVELS + d), true) / COSINES);
  const alike = /** @type {Map<string, Vector>} */ (new Map());
  const where = places();
  let count = 0;
  where.forEach((a, i) => {
    where.forEach((b, j) => {
      if (j <= i || a.piece !== b.piece) return;
      count += 1;
      alike.set(`${i}-${j}`, row(count));
    });
  });
  return { others: row(0), alike };
}

/** Where the block of each sentence starts, and where the last one ends. @param {number[]} lengths @param {number} from @param {(t: number) => number} bytes */
function startsOf(lengths, from, bytes) {
  const starts = [from];
  for (const t of lengths) starts.push(starts[starts.length - 1] + bytes(t));
  return starts;
}

/** Read the file that make.py writes. @param {ArrayBuffer} buffer @returns {Stored} */
export function readHeads(buffer) {
  const view = new DataView(buffer);
  const lengths = sentences.map(({ pieces }) => pieces.length);
  const weightsAt = startsOf(lengths, 0, (t) => LAYERS * HEADS * t * t);
  const sizesAt = startsOf(lengths, weightsAt[lengths.length], (t) => 2 * LAYERS * HEADS * t);
  return {
    weights(s, layer, head, word) {
      const from = weightsAt[s] + ((layer * HEADS + head) * lengths[s] + word) * lengths[s];
      const squares = range(lengths[s]).map((j) => view.getUint8(from + j) ** 2); // roots are stored
      const total = squares.reduce((a, b) => a + b, 0);
      return squares.map((square) => square / total);
    },
    sizes(s, layer, head) {
      const from = sizesAt[s] + 2 * (layer * HEADS + head) * lengths[s];
      return range(lengths[s]).map((j) => view.getUint16(from + 2 * j, true) / SIZES);
    },
    ...readCosines(view, sizesAt[lengths.length]),
    habits: new Map(),
  };
}

/** @type {WeakMap<DataView, Stored>} */
const known = new WeakMap();

/** The stored activations of a figure, read once. @param {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} model */
export function storedOf(model) {
  const file = model.get("assets").activations;
  const found =
    known.get(file) ??
    readHeads(/** @type {ArrayBuffer} */ (asset(/** @type {any} */ (model), "activations")));
  known.set(file, found);
  return found;
}

/** Which share of the length that a row adds up comes from each token. @param {Vector} weights @param {Vector} sizes */
function sharesOf(weights, sizes) {
  const added = weights.map((w, j) => w * sizes[j]);
  const total = added.reduce((a, b) => a + b, 0);
  return added.map((x) => x / total);
}

/** −Σ w ln w, in nats. @param {Vector} row */
function entropy(row) {
  return -row.reduce((sum, w) => sum + (w > 0 ? w * Math.log(w) : 0), 0);
}

/** What a row gives to each kind of token, and how spread it is. @param {Vector} row @param {string[]} pieces @param {number} word */
export function kinds(row, pieces, word) {
  const same = row.filter((_, j) => pieces[j] === pieces[word]).reduce((a, b) => a + b, 0);
  const spread = entropy(row);
  const beside = [row[word - 1] ?? 0, row[word + 1] ?? 0];
  return [...beside, row[0], row[row.length - 1], same, spread, Math.exp(spread)];
}

/** What a head gives on average, from all words of all sentences; counted once. @param {Stored} stored @param {number} layer @param {number} head */
function habits(stored, layer, head) {
  const key = `${layer} ${head}`;
  const found = stored.habits.get(key) ?? usualOf(stored, layer, head);
  stored.habits.set(key, found);
  return found;
}

/** @param {Stored} stored @param {number} layer @param {number} head */
function usualOf(stored, layer, head) {
  const words = places().filter(({ i, t }) => t > 0 && t < piecesOf(i).length - 1);
  const rows = words.map(({ i, t }) => kinds(stored.weights(i, layer, head, t), piecesOf(i), t));
  return rows[0].map((_, k) => average(rows.map((row) => row[k])));
}

/** The same piece at every other place: its name there, and the cosines level by level. @param {Stored} stored @param {number} sentence @param {number} word */
export function twins(stored, sentence, word) {
  const where = places();
  const own = where.findIndex(({ i, t }) => i === sentence && t === word);
  return where.flatMap(({ i, t, piece }, k) => {
    if (k === own || piece !== where[own].piece) return [];
    const times = piecesOf(i)
      .slice(0, t + 1)
      .filter((other) => other === piece).length;
    const name = `${shared.names[i]}${times > 1 ? ` (${times})` : ""}`;
    const key = `${Math.min(own, k)}-${Math.max(own, k)}`;
    return [{ name, cosines: /** @type {Vector} */ (stored.alike.get(key)) }];
  });
}

/** The rows asked for last: who goes from head to head asks for the same. */
let last = { asked: /** @type {unknown[]} */ ([]), rows: /** @type {Vector[][]} */ ([]) };

/**
 * The rows of a word in all heads, by layers, of weights or of shares added.
 * @param {Stored} stored @param {number} sentence @param {number} word @param {Measure} measure
 */
export function allRows(stored, sentence, word, measure) {
  const asked = [stored, sentence, word, measure];
  if (asked.every((x, i) => x === last.asked[i])) return last.rows;
  const rows = range(LAYERS).map((layer) =>
    range(HEADS).map((head) => {
      const row = stored.weights(sentence, layer, head, word);
      return measure === "weight" ? row : sharesOf(row, stored.sizes(sentence, layer, head));
    }),
  );
  last = { asked, rows };
  return rows;
}

/**
 * Every number of the figure; the same names as HeadReader.results().
 * @param {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} model
 */
export function compute(model) {
  const stored = storedOf(model);
  const [sentence, word] = [model.get("sentence"), wordOf(model)];
  const [layer, head] = [model.get("layer"), model.get("head")];
  const weights = stored.weights(sentence, layer, head, word);
  const sizes = stored.sizes(sentence, layer, head);
  const shares = sharesOf(weights, sizes);
  const here = kinds(weights, piecesOf(sentence), word);
  const usual = habits(stored, layer, head);
  const rows = allRows(stored, sentence, word, model.get("measure"));
  return {
    grid: range(HEADS).map((h) => rows.map((layerRows) => Math.max(...layerRows[h]))),
    row: weights.map((w, j) => [w, sizes[j], w * sizes[j], shares[j]]),
    head: here.map((x, k) => [x, usual[k]]),
    similarity: [...twins(stored, sentence, word).map(({ cosines }) => cosines), stored.others],
  };
}
