// @ts-check
// Speculative decoding, step by step: a small model drafts words, and a large model checks them.

import { asset } from "../../kit/figures/assets.js";
import { randomNumbers } from "../../kit/figures/kit.js";
import { drawIndex } from "../../kit/figures/math.js";
import { promptOf, readerOf, wordLogits } from "../../kit/figures/translator/language_model.js";
import { layerNorm } from "../../kit/figures/translator/parts.js";
import { likeliest } from "../../kit/figures/translator/search.js";
import { readModel } from "../../kit/figures/translator/weights.js";
import shared from "./draft_and_verify.json" with { type: "json" };

/** @typedef {import("../../kit/figures/translator/language_model.js").Gpt} Gpt */
/** @typedef {"frequencies" | "bigrams" | "layer" | "gpt"} Draft */
/** `length` is k, how many words are drafted. @typedef {{text: string, draft: Draft, length: number, temperature: number, seed: number, step: number}} State */
/** λ, f(w), and for each word the counts of those after it. @typedef {{prior: number, frequencies: Float64Array, follows: Map<number, number>[]}} BigramModel */
/** @typedef {{gpt: Gpt, table: BigramModel}} Models */
/** @typedef {"drafted" | "checked" | "accepted" | "rejected" | "replaced" | "bonus"} Stage */
/**
 * One draft and its check: the ids before it, the drafted ids, the probabilities q of the draft
 * model and p of the large one, the random numbers of the verdicts, how many words are accepted,
 * and the id of the word after them.
 * @typedef {{start: number[], drafted: number[], q: Float64Array[], p: Float64Array[],
 *   chances: number[], accepted: number, last: number}} Round
 */
/**
 * What is to be seen after some steps: the rounds so far, the stage, how many words of the last
 * draft have their verdict, the position in it that is looked at, and whether the text is full.
 * @typedef {{rounds: Round[], step: number, stage: Stage, judged: number, focus: number, full: boolean}} Moment
 */
/** @typedef {ReturnType<typeof speculator>} Speculator */

const NOTHING = 1e-9; // less residual than this is the rounding of zero

/** Read the bigram table, as lessons/trained/book_gpt/bigrams.py writes it. @param {ArrayBufferLike} bytes @returns {BigramModel} */
export function readBigrams(bytes) {
  /** @type {{prior: number, words: number[], follows: number[][]}} */
  const { prior, words, follows } = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes)));
  const rows = follows.map((row) => {
    const counts = new Map();
    let id = 0;
    for (let i = 0; i < row.length; i += 2) {
      id += row[i];
      counts.set(id, row[i + 1]);
    }
    return counts;
  });
  const all = words.reduce((sum, count) => sum + count, 0);
  return { prior, frequencies: Float64Array.from(words, (count) => count / all), follows: rows };
}

/** The probabilities of the word after another: q(w | v). @param {BigramModel} table @param {number} v */
export function bigramProbabilities(table, v) {
  const counts = table.frequencies.map((share) => share * table.prior);
  let total = table.prior;
  for (const [word, count] of table.follows[v]) {
    counts[word] += count;
    total += count;
  }
  return counts.map((x) => x / total);
}

/** What a model reads for one word, in weights of the large model. @param {Gpt} gpt @param {Draft} draft */
export function costOf({ config, tokens }, draft) {
  const { d_model: width, num_decoder_layers: layers } = config;
  const { d_ff: inner } = /** @type {{d_ff: number}} */ (/** @type {unknown} */ (config));
  const layer = 4 * width ** 2 + 2 * width * inner;
  const output = width * tokens.length;
  if (draft === "frequencies" || draft === "bigrams") return 0;
  return ((draft === "layer" ? 1 : layers) * layer + output) / (layers * layer + output);
}

/** min(p, q): with this probability a word is drafted and accepted. @param {Float64Array} p @param {Float64Array} q */
export function keptPart(p, q) {
  return p.map((x, id) => Math.min(x, q[id]));
}

/** max(0, p − q): what min(p, q) lacks of p. @param {Float64Array} p @param {Float64Array} q */
export function residualPart(p, q) {
  return p.map((x, id) => Math.max(0, x - q[id]));
}

/** The residual divided by its sum; NaN if there is none. @param {Float64Array} p @param {Float64Array} q */
export function scaledResidual(p, q) {
  const part = residualPart(p, q);
  const total = sumOf(part);
  return part.map((x) => (total > NOTHING ? x / total : NaN));
}

/** @param {Float64Array} numbers */
function sumOf(numbers) {
  return numbers.reduce((all, x) => all + x, 0);
}

/** Whether a drafted word is accepted. @param {Float64Array} p @param {Float64Array} q @param {number} word @param {number} chance */
export function isAccepted(p, q, word, chance) {
  return chance < Math.min(1, p[word] / q[word]);
}

/**
 * The softmax of logits divided by a temperature. Loops, because a change of a setting computes a
 * dozen of these before the next frame.
 * @param {Float64Array} logits @param {number} heat
 */
export function heatedSoftmax(logits, heat) {
  const powers = new Float64Array(logits.length);
  let top = -Infinity;
  for (let i = 0; i < logits.length; i += 1) if (logits[i] > top) top = logits[i];
  let total = 0;
  for (let i = 0; i < logits.length; i += 1) {
    powers[i] = Math.exp((logits[i] - top) / heat);
    total += powers[i];
  }
  for (let i = 0; i < logits.length; i += 1) powers[i] /= total;
  return powers;
}

/**
 * What the models give for the next word, from logits to probabilities. The large model and its
 * first layer have a reader each, so that a draft does not make the large model forget its keys.
 * @param {Models} models
 */
function chancesOfModels({ gpt, table }) {
  const whole = readerOf(gpt);
  const early = readerOf(gpt, ({ layers }) => layerNorm(gpt, "decoder.norm", layers[0].residual));
  /** @type {Record<Draft, (ids: number[]) => Float64Array>} */
  const logits = {
    frequencies: () => table.frequencies.map(Math.log),
    bigrams: (ids) => bigramProbabilities(table, ids[ids.length - 1]).map(Math.log),
    layer: (ids) => wordLogits(early(ids)),
    gpt: (ids) => wordLogits(whole(ids)),
  };
  return (/** @type {Draft} */ model, /** @type {number[]} */ ids, /** @type {number} */ heat) =>
    heatedSoftmax(logits[model](ids), heat);
}

/**
 * What returns the moment after some steps. It keeps the rounds of the last text, which the next
 * step usually continues.
 * @param {Models} models
 */
export function speculator(models) {
  const chancesAfter = chancesOfModels(models);
  let known = "";
  /** @type {Round[]} */
  let rounds = [];
  let random = randomNumbers(0);

  /** @param {State} state @param {number[]} start @returns {Round} */
  const roundFrom = ({ draft, length, temperature }, start) => {
    const numbers = Array.from({ length: 2 * length + 1 }, random);
    const ids = [...start];
    /** @type {Float64Array[]} */
    const q = [];
    for (const chance of numbers.slice(0, length)) {
      q.push(chancesAfter(draft, ids, temperature));
      ids.push(drawIndex(q[q.length - 1], chance));
    }
    const drafted = ids.slice(start.length);
    const p = Array.from({ length: length + 1 }, (_, i) =>
      chancesAfter("gpt", ids.slice(0, start.length + i), temperature),
    );
    const chances = numbers.slice(length, 2 * length);
    const first = drafted.findIndex((word, i) => !isAccepted(p[i], q[i], word, chances[i]));
    const accepted = first < 0 ? length : first;
    const after = first < 0 ? p[length] : scaledResidual(p[first], q[first]);
    return { start, drafted, q, p, chances, accepted, last: drawIndex(after, numbers[2 * length]) };
  };

  return (/** @type {State} */ state) => {
    const { text, draft, length, temperature, seed } = state;
    const key = JSON.stringify([text, draft, length, temperature, seed]);
    if (key !== known) [known, rounds, random] = [key, [], randomNumbers(seed)];
    const prompt = promptOf(models.gpt, text, shared.words).ids;
    const end = prompt.length + shared.most;
    let [used, before, start] = [0, 0, prompt];
    let at = -1;
    while (at < 0 || (before < state.step && start.length < end)) {
      at += 1;
      rounds[at] ??= roundFrom(state, start);
      start = [...start, ...writtenBy(rounds[at])];
      used = before;
      before += stepsOf(rounds[at]);
    }
    const full = start.length >= end && state.step >= before;
    return momentIn(rounds.slice(0, at + 1), used, Math.min(state.step, before), full);
  };
}

/** The words that a round adds to the text. @param {Round} round */
export function writtenBy({ drafted, accepted, last }) {
  return [...drafted.slice(0, accepted), last];
}

/** How many words of a draft get a verdict. @param {Round} round */
function judgedIn({ drafted, accepted }) {
  return Math.min(accepted + 1, drafted.length);
}

/** How many steps a round takes: draft, check, verdicts, and the last word. @param {Round} round */
export function stepsOf(round) {
  return judgedIn(round) + 3;
}

/** @param {Round[]} rounds @param {number} before steps of the earlier rounds @param {number} step @param {boolean} full @returns {Moment} */
function momentIn(rounds, before, step, full) {
  const round = rounds[rounds.length - 1];
  const done = step - before;
  const judged = Math.max(0, Math.min(done - 2, judgedIn(round)));
  const isAll = round.accepted === round.drafted.length;
  /** @type {Stage[]} */
  const stages = ["drafted", "checked", ...Array(round.accepted).fill("accepted")];
  stages.push(...(isAll ? [] : [/** @type {Stage} */ ("rejected")]), isAll ? "bonus" : "replaced");
  const focus = done === stepsOf(round) ? round.accepted : Math.max(0, judged - 1);
  return { rounds, step, stage: stages[done - 1], judged, focus, full };
}

/** The last round of a moment. @param {Moment} moment */
export function latest({ rounds }) {
  return rounds[rounds.length - 1];
}

/** Whether the round of a moment has its last word. @param {Moment} moment */
export function isDone({ stage }) {
  return stage === "replaced" || stage === "bonus";
}

/** The ids of the text so far. @param {Moment} moment */
export function writtenAt(moment) {
  const round = latest(moment);
  const count = Math.min(moment.judged, round.accepted);
  return [...round.start, ...(isDone(moment) ? writtenBy(round) : round.drafted.slice(0, count))];
}

/** p and q at the focus: no p before the check, and q is 0 after the whole draft. @param {Moment} moment */
export function bothAt(moment) {
  const { p, q } = latest(moment);
  const large = p[moment.focus];
  const small = q[moment.focus] ?? large.map(() => 0);
  return { p: moment.stage === "drafted" ? large.map(() => NaN) : large, q: small };
}

/** The word at the focus: the drafted one, or the one that follows instead. @param {Moment} moment */
export function chosenAt(moment) {
  const { drafted, last } = latest(moment);
  return isDone(moment) ? last : drafted[moment.focus];
}

/** The ids of the rows that show the focus. @param {Moment} moment */
export function shownAt(moment) {
  const { p, q } = bothAt(moment);
  const most = p.map((x, id) => (Number.isNaN(x) ? q[id] : Math.max(x, q[id])));
  const best = likeliest(most, shared.rows);
  const wanted = new Set([
    chosenAt(moment),
    ...latest(moment).drafted.slice(moment.focus).slice(0, 1),
  ]);
  const missing = [...wanted].filter((id) => !best.includes(id)).sort((a, b) => a - b);
  return [...best.slice(0, best.length - missing.length), ...missing];
}

/** q, p and min(1, p/q) of each drafted word; NaN before the check. @param {Moment} moment */
export function draftNumbers(moment) {
  const { drafted, q, p } = latest(moment);
  return drafted.map((word, i) => {
    const [small, large] = [q[i][word], p[i][word]];
    const isHidden = moment.stage === "drafted";
    return isHidden ? [small, NaN, NaN] : [small, large, Math.min(1, large / small)];
  });
}

/** Accepted part, residual part and p: of the shown words, all others, and all. @param {Moment} moment @param {number[]} [ids] the shown words */
export function whyNumbers(moment, ids = shownAt(moment)) {
  const { p, q } = bothAt(moment);
  const columns = [keptPart(p, q), residualPart(p, q), p];
  const rows = ids.map((id) => columns.map((column) => column[id]));
  const total = columns.map(sumOf);
  const others = total.map((all, j) => rows.reduce((rest, row) => rest - row[j], all));
  return [...rows, others, total];
}

/** The weights that checks, drafting and plain decoding read, in passes of the large model. @param {Gpt} gpt @param {State} state @param {Moment} moment */
export function passNumbers(gpt, { draft, length }, moment) {
  const count = moment.rounds.length;
  const checks = moment.stage === "drafted" ? count - 1 : count;
  const plain = writtenAt(moment).length - moment.rounds[0].start.length;
  return [[checks], [count * length * costOf(gpt, draft)], [plain]];
}

/** All tables of the figure. @param {Gpt} gpt @param {State} state @param {Moment} moment @param {number[]} [ids] the shown words */
export function tablesAt(gpt, state, moment, ids = shownAt(moment)) {
  return {
    draft: draftNumbers(moment),
    why: whyNumbers(moment, ids),
    passes: passNumbers(gpt, state, moment),
  };
}

/** The models among a figure's assets. @param {any} model @returns {Models} */
export function modelsOf(model) {
  return { gpt: readModel(asset(model, "model")), table: readBigrams(asset(model, "table")) };
}

/**
 * Every number of the figure; the same names as DraftAndVerify.results().
 * @param {{get: (name: any) => any}} model
 */
export function compute(model) {
  const models = modelsOf(model);
  const state = /** @type {State} */ (
    Object.fromEntries(TRAITS.map((name) => [name, model.get(name)]))
  );
  return tablesAt(models.gpt, state, speculator(models)(state));
}

/** The figure's own traits. @type {(keyof State)[]} */
export const TRAITS = ["text", "draft", "length", "temperature", "seed", "step"];
