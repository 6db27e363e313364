// @ts-check
// Byte-pair encoding merge by merge, as steps.py counts it and bpe.py learns it.

import shared from "./merge_steps.json" with { type: "json" };

/** @typedef {{text: string, other: string, step: number}} State */
/** @typedef {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} Traits */
/** @typedef {{left: string, right: string, times: number, ids: number[]}} Candidate */
/** @typedef {{words: Map<string, string[]>, candidates: Candidate[], vocabulary: number}} Step */
/** @typedef {ReturnType<typeof seen>} Seen */

/** Whether a byte prints: it stands for itself. @param {number} byte */
function prints(byte) {
  return (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
}

/** The character of each byte, as byte_alphabet.py writes it: GPT-2's table. */
const ALPHABET = Array.from({ length: 256 }, (_, byte) => byte).map((byte, _, bytes) =>
  String.fromCodePoint(
    prints(byte) ? byte : 256 + bytes.slice(0, byte).filter((other) => !prints(other)).length,
  ),
);

// Python's \s and \w, and combining marks: JavaScript's own differ in a few characters.
const SPACE =
  "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const LETTER = "\\p{L}\\p{N}\\p{M}_";
const CHUNK = new RegExp(
  ` ?[${LETTER}]+| ?[^${SPACE}${LETTER}]+|[${SPACE}]+(?![^${SPACE}])|[${SPACE}]+`,
  "gu",
);

/** A text cut at its words, each with the space before it. @param {string} text @returns {string[]} */
export function chunks(text) {
  return text.match(CHUNK) ?? [];
}

/** The bytes of a text in UTF-8; half a surrogate pair counts as a letter, too. @param {string} text */
export function bytesOf(text) {
  return [...text].flatMap((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    if (code < 0x80) return [code];
    const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    const first = (0xff00 >> (more + 1)) & 0xff; // 110…, 1110… or 11110…
    const tail = Array.from({ length: more }, (_, i) => (code >> (6 * (more - 1 - i))) & 0x3f);
    return [first | (code >> (6 * more)), ...tail.map((six) => 0x80 | six)];
  });
}

/** The bytes of a text as characters, one each. @param {string} text */
function visible(text) {
  return bytesOf(text).map((byte) => ALPHABET[byte]);
}

/** Join a pair wherever it occurs, from the left. @param {string[]} tokens @param {string} left @param {string} right */
function merged(tokens, left, right) {
  /** @type {string[]} */
  const result = [];
  for (let i = 0; i < tokens.length; i += 1) {
    const joins = tokens[i] === left && tokens[i + 1] === right;
    result.push(joins ? left + right : tokens[i]);
    if (joins) i += 1;
  }
  return result;
}

/**
 * The pairs of neighbours inside of words: the most frequent first, of equal ones the lower ids.
 * @param {Map<string, string[]>} words @param {Map<string, number>} times @param {Map<string, number>} ids
 */
function countPairs(words, times, ids) {
  /** @type {Map<string, Candidate>} */
  const found = new Map();
  for (const [word, tokens] of words) {
    tokens.slice(1).forEach((right, i) => {
      const left = tokens[i];
      const key = `${left} ${right}`; // a token holds no space
      const known = found.get(key) ?? { left, right, times: 0, ids: [left, right].map(idOf) };
      known.times += times.get(word) ?? 0;
      found.set(key, known);
    });
  }
  /** @param {string} token */
  function idOf(token) {
    return ids.get(token) ?? -1;
  }
  return [...found.values()].sort(
    (a, b) => b.times - a.times || a.ids[0] - b.ids[0] || a.ids[1] - b.ids[1],
  );
}

/** The text before each merge, and as it is after the last one. @param {string} text @returns {Step[]} */
function trainingSteps(text) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const chunk of chunks(text)) times.set(chunk, (times.get(chunk) ?? 0) + 1);
  const ids = new Map(ALPHABET.toSorted().map((character, i) => [character, i]));
  let words = new Map([...times.keys()].map((chunk) => [chunk, visible(chunk)]));
  /** @type {Step[]} */
  const steps = [];
  for (;;) {
    const candidates = countPairs(words, times, ids);
    steps.push({ words, candidates, vocabulary: ids.size });
    if (!candidates.length) return steps;
    const { left, right } = candidates[0];
    words = new Map([...words].map(([word, tokens]) => [word, merged(tokens, left, right)]));
    if (!ids.has(left + right)) ids.set(left + right, ids.size);
  }
}

/** The steps of the last text: a reader steps through one text many times. */
let last = { text: "", steps: trainingSteps("") };

/** @param {string} text */
function stepsOf(text) {
  if (last.text !== text) last = { text, steps: trainingSteps(text) };
  return last.steps;
}

/**
 * A text cut as the tokenizer encodes it: the merge that was learned first is always next.
 * @param {string} text @param {Candidate[]} merges
 */
function cut(text, merges) {
  /** @type {Map<string, number>} */
  const ranks = new Map();
  for (const { left, right } of merges) {
    const key = `${left} ${right}`;
    if (!ranks.has(key)) ranks.set(key, ranks.size);
  }
  return chunks(text).map((chunk) => {
    let tokens = visible(chunk);
    for (;;) {
      const found = tokens
        .slice(1)
        .map((right, i) => ({ left: tokens[i], right, rank: ranks.get(`${tokens[i]} ${right}`) }))
        .filter(({ rank }) => rank !== undefined);
      if (!found.length) return tokens;
      const best = found.reduce((a, b) => (Number(b.rank) < Number(a.rank) ? b : a));
      tokens = merged(tokens, best.left, best.right);
    }
  });
}

/** The text as it is now, the merges that made it so, and the words of both texts. @param {Traits} model */
export function seen(model) {
  const steps = stepsOf(model.get("text"));
  const now = Math.min(model.get("step"), steps.length - 1);
  const past = steps.slice(0, now).map(({ candidates }) => candidates[0]);
  const step = steps[now];
  return {
    now,
    most: steps.length - 1,
    step,
    past,
    ours: chunks(model.get("text")).map((chunk) => step.words.get(chunk) ?? []),
    others: cut(model.get("other"), past),
  };
}

/** How often the next merge joins two tokens: less often than they are neighbors if they overlap. @param {Seen} found */
export function joins({ step, ours }) {
  const [next] = step.candidates;
  const counts = ours.map((word) => word.length - merged(word, next.left, next.right).length);
  return counts.reduce((sum, count) => sum + count, 0);
}

/** "p + e" @param {Candidate} pair */
export function written({ left, right }) {
  return `${left} + ${right}`;
}

/** The names of the pairs and of the last merges. @param {Seen} found */
export function rowNames({ step, past }) {
  const recent = past.slice(-shared.rows);
  const before = past.length - recent.length;
  return {
    pairs: step.candidates.slice(0, shared.rows).map(written),
    past: recent.map((merge, i) => `${before + i + 1}: ${written(merge)}`),
  };
}

/**
 * Every number of the figure; the same names as MergeSteps.results().
 * @param {Traits} model @param {Seen} [found]
 */
export function compute(model, found = seen(model)) {
  const { step, past, ours, others } = found;
  const first = step.candidates.slice(0, shared.rows);
  const column = (/** @type {number[]} */ list) => list.map((x) => [x]);
  return {
    sizes: column([
      bytesOf(model.get("text")).length,
      ours.flat().length,
      others.flat().length,
      step.vocabulary,
    ]),
    times: column(first.map(({ times }) => times)),
    ids: first.map(({ ids }) => ids),
    past: column(past.slice(-shared.rows).map(({ times }) => times)),
  };
}
