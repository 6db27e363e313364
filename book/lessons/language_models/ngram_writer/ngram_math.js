// @ts-check
// The mathematics of the n-gram writer: it counts, draws word after word, and finds what is copied.

import { randomNumbers } from "../../kit/figures/kit.js";
import corpus from "./corpus.json" with { type: "json" };
import shared from "./ngram_writer.json" with { type: "json" };

/** @typedef {"prose" | "grammar"} Text */
/** @typedef {{text: Text, length: number, seed: number, choices: number}} State */
/** @typedef {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} Traits */
/** @typedef {[string, number]} Candidate a word and how often it came next */
/** @typedef {{context: string[], candidates: Candidate[], word: string}} Choice */
/** @typedef {{sentence: number, start: number, length: number}} Run */
/** @typedef {Map<string, Candidate[]>} Rows what followed each context, the most frequent first */

const { begin, end } = shared;
export const LENGTHS = Array.from({ length: shared.length.max + 1 }, (_, length) => length);

/** @type {Record<Text, string[][]>} */
const TEXTS = {
  prose: corpus.prose.map((sentence) => sentence.split(" ")),
  grammar: corpus.grammar.map((sentence) => sentence.split(" ")),
};
/** The sentences as one line, in which a run is looked for. @type {Record<Text, string>} */
const LINES = {
  prose: `| ${corpus.prose.join(" | ")} |`,
  grammar: `| ${corpus.grammar.join(" | ")} |`,
};

const SIZES = { prose: sizeOf("prose"), grammar: sizeOf("grammar") };

/** How many different words a text has. @param {Text} text */
export function vocabularySize(text) {
  return SIZES[text];
}

/** @param {Text} text */
function sizeOf(text) {
  return new Set(TEXTS[text].flat()).size;
}

/** The last words before a place; a sentence begins with ⟨begin⟩, once. @param {string[]} before @param {number} length */
export function contextOf(before, length) {
  return length ? [begin, ...before].slice(-length) : [];
}

/** @type {Map<string, Rows>} */
const memory = new Map();

/** What followed each context of a text, counted once. @param {Text} text @param {number} length @returns {Rows} */
export function followersOf(text, length) {
  const known = memory.get(`${text} ${length}`);
  if (known) return known;
  /** @type {Map<string, Map<string, number>>} */
  const tallies = new Map();
  for (const sentence of TEXTS[text])
    [...sentence, end].forEach((word, place) => {
      const key = contextOf(sentence.slice(0, place), length).join(" ");
      const row = tallies.get(key) ?? new Map();
      tallies.set(key, row.set(word, (row.get(word) ?? 0) + 1));
    });
  const rows = new Map(
    [...tallies].map(([key, row]) => [key, [...row].sort((a, b) => b[1] - a[1])]),
  );
  memory.set(`${text} ${length}`, rows);
  return rows;
}

/** @param {Candidate[]} candidates */
const totalOf = (candidates) => candidates.reduce((sum, [, count]) => sum + count, 0);

/** The word on which a number from 0 to 1 falls. @param {Candidate[]} candidates @param {number} chance */
export function drawn(candidates, chance) {
  let place = Math.floor(chance * totalOf(candidates));
  for (const [word, count] of candidates) {
    place -= count;
    if (place < 0) return word;
  }
  throw new RangeError(`chance must be below 1 and a candidate there, got ${chance}`);
}

/** Draw words one by one; after each ⟨end⟩ a new sentence begins. @param {State} state @returns {Choice[]} */
function write({ text, length, seed, choices }) {
  const [rows, random] = [followersOf(text, length), randomNumbers(seed)];
  /** @type {string[]} */
  let before = [];
  return Array.from({ length: choices }, () => {
    const context = contextOf(before, length);
    const candidates = rows.get(context.join(" ")) ?? [];
    const word = drawn(candidates, random());
    before = word === end ? [] : [...before, word];
    return { context, candidates, word };
  });
}

/** What was written, sentence by sentence; the last one may be unfinished or empty. @param {Choice[]} made */
export function sentencesOf(made) {
  /** @type {string[][]} */
  const sentences = [[]];
  for (const { word } of made)
    if (word === end) sentences.push([]);
    else sentences[sentences.length - 1].push(word);
  return sentences;
}

/** The longest run of words that occurs in one sentence of the text, the first of equals. @param {Text} text @param {string[][]} written @returns {Run} */
export function longestRun(text, written) {
  let best = { sentence: 0, start: 0, length: 0 };
  written.forEach((words, sentence) => {
    for (let start = 0; start + best.length < words.length; ) {
      const run = words.slice(start, start + best.length + 1);
      if (LINES[text].includes(` ${run.join(" ")} `))
        best = { sentence, start, length: run.length };
      else start += 1;
    }
  });
  return best;
}

/** The candidates of the last choice that are shown: the most frequent ones and the drawn one. @param {Choice} choice */
export function shownOf({ candidates, word }) {
  const first = candidates.slice(0, shared.rows);
  if (first.some(([name]) => name === word)) return first;
  return [...first.slice(0, -1), ...candidates.filter(([name]) => name === word)];
}

/** What `contexts` has counted. @type {Map<Text, number[][]>} */
const counts = new Map();

/** How many contexts of each length a text has, and after how many the next word is certain. @param {Text} text */
function contexts(text) {
  const count = (/** @type {number} */ length) => {
    const rows = [...followersOf(text, length).values()];
    return [rows.length, rows.filter((row) => row.length === 1).length];
  };
  const found = counts.get(text) ?? LENGTHS.map(count);
  counts.set(text, found);
  return found;
}

/** All that the figure draws. @param {Traits} model */
export function writing(model) {
  const [text, length] = [model.get("text"), model.get("length")];
  const made = write({ text, length, seed: model.get("seed"), choices: model.get("choices") });
  const written = sentencesOf(made);
  return { made, written, run: longestRun(text, written), last: made[made.length - 1] };
}

/** @typedef {ReturnType<typeof writing>} Writing */

/** Every number of the figure, from what was written. @param {Text} text @param {Writing} found */
export function numbersOf(text, { made, written, run, last }) {
  const [shown, all] = [shownOf(last), totalOf(last.candidates)];
  const finished = written.slice(0, -1);
  const copied = finished.filter((words) => LINES[text].includes(`| ${words.join(" ")} |`)).length;
  const forced = made.filter(({ candidates }) => candidates.length === 1).length;
  return {
    times: shown.map(([, count]) => [count]),
    shares: shown.map(([, count]) => [count / all]),
    measures: [[forced], [run.length], [finished.length], [copied]],
    contexts: contexts(text),
  };
}

/** Every number of the figure; the same names as NgramWriter.results(). @param {Traits} model */
export function compute(model) {
  return numbersOf(model.get("text"), writing(model));
}
