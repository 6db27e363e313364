// @ts-check
// All that the machine does with one sentence, and which matrices a station of the walk shows.
// What is computed is what the engine reports to its listeners: see `noted` in parts.js.

import { fill } from "../../kit/figures/kit.js";
import { encode } from "../../kit/figures/translator/encoder.js";
import { start, step } from "../../kit/figures/translator/machine.js";
import { highest, likeliest, logProbabilities } from "../../kit/figures/translator/search.js";
import { readModel, SPECIAL } from "../../kit/figures/translator/weights.js";
import { sourceOf } from "../../kit/figures/translator/words.js";
import { asset } from "../../kit/figures/assets.js";
import shared from "./walk.json" with { type: "json" };

/** @typedef {import("../../kit/figures/translator/weights.js").Translator} Translator */
/** @typedef {{id: string, lane: string, kind: string, name: string, module: string, layer?: number, before?: string}} Block */
/** @typedef {{name: string, of: string, caption: string, role?: string}} Field */
/** @typedef {{id: string, name: string, chapter: string, say: string, formula?: string, fields: Field[]}} Station */
/** @typedef {{id: string, block: Block, station: Station}} Stop a station in its block, and what an address calls it */
/** @typedef {{text: string, examples: string[], word: number, station: string, cache: boolean,
 *   chapters: string, assets: Record<string, DataView>}} State */
/** @typedef {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} Traits */
/**
 * A sentence that has passed: `seen` holds what each part put out, a row for each token.
 * @typedef {{translator: Translator, source: string[], sourceIds: number[], unknown: string[],
 *   isCut: boolean, ids: number[], seen: Record<string, any[]>}} Passed
 */
/**
 * A matrix of a station: its rows, or the rows of each of its heads, with the words that they
 * belong to. `places` are the rows' positions in the sentence, or their ids in the vocabulary;
 * `kept` says which rows the cache has brought.
 * @typedef {{field: Field, values: any, rows: string[], columns: string[], places: number[], kept: boolean[]}} Shown
 */

/** Every station, in the order of the walk. @type {Stop[]} */
export const STOPS = /** @type {Block[]} */ (shared.blocks).flatMap((block) =>
  /** @type {Record<string, Station[]>} */ (shared.kinds)[block.kind].map((station) => ({
    id: `${block.id}.${station.id}`,
    block,
    station,
  })),
);

const [DECODER, LAST] = [
  STOPS.findIndex(({ block }) => block.lane === "decoder"),
  STOPS.length - 1,
];

/**
 * Where a step leads: through the encoder once, and through the decoder for each word.
 * @param {Passed} passed @param {number} at @param {number} newest @param {number} by 1 or -1
 * @returns {Pick<State, "station" | "word"> | undefined} nothing beyond the ends
 */
export function stepped({ ids }, at, newest, by) {
  if (at === LAST && by > 0 && newest < ids.length - 1)
    return { station: STOPS[DECODER].id, word: newest + 1 };
  if (at === DECODER && by < 0 && newest > 1) return { station: STOPS[LAST].id, word: newest - 1 };
  return STOPS[at + by] && { station: STOPS[at + by].id, word: newest };
}

/** The translator, read once from its bytes. @type {WeakMap<DataView, Translator>} */
const translators = new WeakMap();

/** @param {Traits} model @returns {Translator} */
function translatorFor(model) {
  const view = model.get("assets").translator;
  const found = translators.get(view) ?? readModel(asset(/** @type {any} */ (model), "translator"));
  translators.set(view, found);
  return found;
}

/** Read a sentence and translate it with the likeliest token, and keep everything that is reported. @param {Translator} translator @param {string} text @returns {Passed} */
export function passingOf(translator, text) {
  /** @type {Record<string, any[]>} */
  const seen = {};
  const model = {
    ...translator,
    note: (/** @type {string} */ name, /** @type {any} */ value) => {
      seen[name] ??= [];
      seen[name].push(value);
    },
  };
  const { pieces, ids, unknown } = sourceOf(translator, text);
  /** @template T @param {T[]} list @returns {T[]} */
  const few = (list) => [...list.slice(0, -1).slice(0, shared.words), ...list.slice(-1)];
  const state = start(model, encode(model, few(ids)));
  const written = [SPECIAL.bos];
  while (written.length < shared.most && written.at(-1) !== SPECIAL.eos)
    written.push(highest(step(model, state, written[written.length - 1]).logits));
  return {
    translator,
    source: few(pieces),
    sourceIds: few(ids),
    unknown: few(pieces).filter((_, i) => few(unknown)[i]),
    isCut: pieces.length - 1 > shared.words,
    ids: written,
    seen,
  };
}

/** What passed last: a walk asks for it at every step. @type {Passed | undefined} */
let lastPassed;
let lastText = "";

/** What happens to the sentence of a figure. @param {Traits} model @returns {Passed} */
export function passedBy(model) {
  const [translator, text] = [translatorFor(model), model.get("text")];
  if (lastPassed?.translator !== translator || lastText !== text) {
    lastPassed = passingOf(translator, text);
    lastText = text;
  }
  return /** @type {Passed} */ (lastPassed);
}

/** The position in the walk: the stop, its place, and how many tokens of the target are read. @param {Traits} model @param {Passed} passed */
export function whereOf(model, { ids }) {
  const at = STOPS.findIndex(({ id }) => id === model.get("station"));
  return { at, stop: STOPS[at], newest: Math.min(model.get("word"), ids.length - 1) };
}

/** A token as the figure writes it. @param {string} word */
const named = (word) => /** @type {Record<string, string>} */ (shared.shown)[word] ?? word;

/** The words of the source, and those of the target that are known. @param {Passed} passed @param {number} count */
export function wordsIn({ translator, source, ids }, count) {
  return {
    source: source.map(named),
    target: ids.slice(0, count).map((id) => named(translator.tokens[id])),
  };
}

/** The probabilities of what may come next. @param {Passed} passed @param {number} newest */
function sharesOf({ seen }, newest) {
  return logProbabilities(seen.output[newest - 1]).map(Math.exp);
}

/** @param {ArrayLike<number>} list */
const column = (list) => Array.from(list, (x) => [x]);

/** Scores or weights as [head][row][column]; what the mask forbids is `hidden`. @param {number[][][]} rows @param {number} hidden */
function byHead(rows, hidden) {
  const width = Math.max(...rows.map(([row]) => row.length));
  return rows[0].map((_, head) =>
    rows.map((row) => Array.from({ length: width }, (_, j) => row[head][j] ?? hidden)),
  );
}

/** A matrix over the whole vocabulary, or of its likeliest tokens. @param {Passed} passed @param {Field} field @param {number} newest @returns {Shown} */
function overVocabulary(passed, field, newest) {
  const { translator, seen } = passed;
  const numbers = field.of === "output" ? seen.output[newest - 1] : sharesOf(passed, newest);
  const ids = field.role === "best" ? likeliest(numbers, shared.best) : [...numbers.keys()];
  return {
    field,
    values: ids.map((id) => [numbers[id]]),
    rows: ids.map((id) => named(translator.tokens[id])),
    columns: [field.of === "output" ? shared.heads.value : shared.heads.probability],
    places: ids,
    kept: ids.map(() => false),
  };
}

/** One matrix of a stop. @param {Passed} passed @param {Stop} stop @param {Field} field @param {number} newest @param {boolean} cache @returns {Shown} */
function shownField(passed, { block }, field, newest, cache) {
  const { role, of } = field;
  if (role === "best" || role === "vocabulary") return overVocabulary(passed, field, newest);
  const words = wordsIn(passed, newest);
  const reads = block.lane === "encoder" || (role === "keys" && block.kind === "cross");
  const names = reads ? words.source : words.target;
  const first = reads || !cache || role === "keys" || role === "ids" ? 0 : newest - 1;
  const rows = names.slice(first);
  const places = rows.map((_, i) => first + i);
  const old = newest > 1 && (cache || block.lane === "encoder");
  const kept = rows.map((_, i) => old && role !== "ids" && (reads || i < rows.length - 1));
  if (role === "ids") {
    const ids = reads ? passed.sourceIds : passed.ids.slice(0, newest);
    return { field, values: column(ids), rows, columns: [shared.heads.id], places, kept };
  }
  const path = fill(of, /** @type {any} */ (block));
  const values = passed.seen[path].slice(first, first + rows.length);
  if (role === "heads") {
    const asked = block.kind === "masked" ? words.target : words.source;
    const hidden = of.endsWith("weights") ? 0 : -Infinity;
    return { field, values: byHead(values, hidden), rows, columns: asked, places, kept };
  }
  const columns = Array.from(values[0], (_, i) => String(i + 1));
  return { field, values: values.map((row) => Array.from(row)), rows, columns, places, kept };
}

/** All matrices of the station of a figure. @param {Traits} model @param {Passed} [passed] @returns {Shown[]} */
export function shownAt(model, passed = passedBy(model)) {
  const { stop, newest } = whereOf(model, passed);
  return stop.station.fields.map((field) =>
    shownField(passed, stop, field, newest, model.get("cache")),
  );
}

/** Every number of the station, by the names of its matrices; the same as Walk.results(). @param {Traits} model */
export function compute(model) {
  return Object.fromEntries(shownAt(model).map(({ field, values }) => [field.name, values]));
}

/** What the texts of a station put in. @param {Passed} passed @param {number} newest */
export function wordsOfTexts(passed, newest) {
  const { translator, source, ids } = passed;
  const { d_model: D, num_heads: H } = translator.config;
  const M = translator.weights["encoder.layers.0.feed_forward.up.bias"].data.length;
  const [word, next] = wordsIn(passed, newest + 1).target.slice(newest - 1);
  const sizes = { D, H, K: D / H, M, V: translator.tokens.length, S: source.length, T: newest };
  const share = Math.max(...sharesOf(passed, newest));
  return { ...sizes, word, next, share, count: ids.length };
}
