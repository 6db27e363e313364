// @ts-check
// All that the machine does with one sentence, and what one step of it shows. Pure functions.

import { encode } from "../../kit/figures/translator/encoder.js";
import { start, step } from "../../kit/figures/translator/machine.js";
import { embed } from "../../kit/figures/translator/parts.js";
import { likeliest, highest, logProbabilities } from "../../kit/figures/translator/search.js";
import { SPECIAL } from "../../kit/figures/translator/weights.js";
import { sourceOf, textOf } from "../../kit/figures/translator/words.js";
import shared from "./machine_steps.json" with { type: "json" };

/** @typedef {import("../../kit/figures/translator/weights.js").Translator} Translator */
/** @typedef {import("../../kit/figures/translator/encoder.js").Encoded} Encoded */
/** @typedef {import("../../kit/figures/translator/machine.js").Step} Step */
/** @typedef {ArrayLike<number>} Numbers */
/**
 * @typedef {{model: Translator, source: string[], unknown: string[], isCut: boolean, encoded: Encoded,
 *   ids: number[], steps: Step[], sentence: string, ended: boolean}} Trace
 */
/** The position of a step: token and layer count from 0. @typedef {{part: "encoder" | "decoder", kind: string, layer: number, token: number}} Place */
/** @typedef {{caption: string, heads: string[], names: string[], values: number[][]}} Shown */

/** Read a sentence and translate it, always with the likeliest word. @param {Translator} model @param {string} text @returns {Trace} */
export function traceOf(model, text) {
  const { pieces, ids, unknown } = sourceOf(model, text);
  const keep = (/** @type {any[]} */ list) => [
    ...list.slice(0, -1).slice(0, shared.words),
    list.at(-1),
  ];
  const source = keep(pieces);
  const encoded = encode(model, keep(ids));
  const state = start(model, encoded);
  const written = [SPECIAL.bos];
  /** @type {Step[]} */
  const steps = [];
  while (written.length < shared.most && written.at(-1) !== SPECIAL.eos) {
    steps.push(step(model, state, written[written.length - 1]));
    written.push(highest(steps[steps.length - 1].logits));
  }
  return {
    model,
    source,
    unknown: source.filter((_, i) => keep(unknown)[i]),
    isCut: pieces.length > source.length,
    encoded,
    ids: written,
    steps,
    sentence: textOf(model, written),
    ended: written.at(-1) === SPECIAL.eos,
  };
}

/** The steps of one pass through a stack. @param {Place["part"]} part @param {number} layers @param {string[]} kinds @param {string} last @param {number} token @returns {Place[]} */
function passOf(part, layers, kinds, last, token) {
  const inner = Array.from({ length: layers }, (_, layer) =>
    kinds.map((kind) => ({ part, kind, layer, token })),
  );
  const end = (/** @type {string} */ kind) => ({ part, kind, layer: 0, token });
  return [end("embed"), ...inner.flat(), end(last)];
}

/** Every step of a sentence, in order. @param {Trace} trace @returns {Place[]} */
export function placesOf({ model: { config }, steps }) {
  const { num_encoder_layers: reading, num_decoder_layers: writing } = config;
  return [
    ...passOf("encoder", reading, ["attention", "feed_forward"], "norm", 0),
    ...steps.flatMap((_, token) =>
      passOf("decoder", writing, ["self", "cross", "feed_forward"], "output", token),
    ),
  ];
}

/** @param {Numbers} token */
const first = (token) => Array.from(token).slice(0, shared.shown);

/** @param {Numbers} a @param {Numbers} b */
const less = (a, b) => Array.from(a, (x, i) => x - b[i]);

/** The vectors of all words after a step of the encoder. @param {Encoded} encoded @param {Place} place */
function tokensAfter({ embedded, layers, memory }, { kind, layer }) {
  if (kind === "embed") return embedded;
  if (kind === "norm") return memory;
  return kind === "attention" ? layers[layer].afterAttention : layers[layer].residual;
}

/** The newest token before and after a step of the decoder. @param {Step} done @param {Place} place */
function beforeAndAfter({ embedded, layers, final }, { kind, layer }) {
  if (kind === "output") return [layers[layers.length - 1].residual, final];
  const { afterSelf, afterCross, residual } = layers[layer];
  const start = layer ? layers[layer - 1].residual : embedded;
  return (
    { self: [start, afterSelf], cross: [afterSelf, afterCross] }[kind] ?? [afterCross, residual]
  );
}

/** The rows of the newest token in a step of the decoder. @param {Trace} trace @param {Place} place */
function streamOf({ model, ids, steps }, place) {
  const { kind, token } = place;
  if (kind === "embed") {
    const word = embed(model, "tgt_embedding", ids[token], token, { positions: false });
    const sum = steps[token].embedded;
    return { names: shared.rows.embed, values: [word, less(sum, word), sum].map(first) };
  }
  const [before, after] = beforeAndAfter(steps[token], place);
  if (kind === "output") return { names: shared.rows.output, values: [before, after].map(first) };
  return { names: shared.rows.layer, values: [before, less(after, before), after].map(first) };
}

/** The likeliest next tokens and their shares. @param {Trace} trace @param {number} token */
function candidatesOf({ model, steps }, token) {
  const logProbs = logProbabilities(steps[token].logits);
  const ids = likeliest(logProbs, shared.candidates);
  return {
    names: ids.map((id) => model.tokens[id]),
    values: ids.map((id) => [Math.exp(logProbs[id])]),
  };
}

/** The words that the captions and texts of a step put in. @param {Trace} trace @param {Place} place @param {number} head */
export function wordsOf({ model, source, ids, steps }, { kind, layer, token }, head) {
  const { d_model: D, num_heads: H } = model.config;
  const M = model.weights["encoder.layers.0.feed_forward.up.bias"].data.length;
  const sizes = { D, H, K: D / H, M, V: model.tokens.length, S: source.length, T: token + 1 };
  const word = model.tokens[ids[token]];
  const share =
    kind === "output" ? Math.exp(Math.max(...logProbabilities(steps[token].logits))) : 0;
  const next = model.tokens[ids[token + 1]];
  const shown = { shown: shared.shown, head: head + 1, layer: layer + 1 };
  return { ...sizes, ...shown, word, next, share };
}

/**
 * The tables of a step, by their names; the same as MachineSteps.results().
 * @param {Trace} trace @param {Place} place @param {number} head
 * @returns {Record<string, {names: string[], heads: string[], values: number[][]}>}
 */
export function tablesOf(trace, place, head) {
  const { part, kind, layer, token } = place;
  const { model, source, encoded, ids, steps } = trace;
  const numbers = Array.from({ length: shared.shown }, (_, i) => String(i + 1));
  if (part === "encoder") {
    const values = tokensAfter(encoded, place).map(first);
    const stream = { names: source, heads: numbers, values };
    if (kind !== "attention") return { stream };
    return {
      stream,
      weights: { names: source, heads: source, values: encoded.layers[layer].weights[head] },
    };
  }
  const stream = { ...streamOf(trace, place), heads: numbers };
  if (kind === "output")
    return { stream, candidates: { ...candidatesOf(trace, token), heads: [shared.heads.share] } };
  if (kind !== "self" && kind !== "cross") return { stream };
  const names = kind === "cross" ? source : ids.slice(0, token + 1).map((id) => model.tokens[id]);
  const values = steps[token].layers[layer][kind][head].map((x) => [x]);
  return { stream, weights: { names, heads: [shared.heads.weight], values } };
}

/** Every number of a step, by the names of its tables. @param {Trace} trace @param {number} at @param {number} head */
export function compute(trace, at, head) {
  const places = placesOf(trace);
  const tables = tablesOf(trace, places[Math.min(at, places.length - 1)], head);
  return Object.fromEntries(Object.entries(tables).map(([name, { values }]) => [name, values]));
}
