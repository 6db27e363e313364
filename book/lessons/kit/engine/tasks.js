// @ts-check
// What a machine can be asked to learn in seconds. An example is a list of tokens; some of them are
// the answer, and only those count in the loss. lessons/kit/races.py draws the same examples.

import namesText from "./names.json" with { type: "json" };
import { below, randomNumbers, shuffled } from "./random.js";

/** @typedef {() => number} Random */
/** @typedef {{tokens: number[], answer: number[]}} Example `answer`: 1 for the tokens of the answer, else 0 */
/**
 * @typedef {object} Task
 * @property {string} title
 * @property {string} says what the machine has to do, in one sentence
 * @property {string[]} alphabet the token of each id
 * @property {number} length the number of tokens that the machine reads, T
 * @property {number} choices among how many tokens an answer could be
 * @property {boolean} exact whether an answer is right or wrong; else only the loss counts
 * @property {(random: Random) => Example} draw
 * @property {number | null} best the lowest possible loss, in nats
 */

const LETTERS = [..."abcdefgh"];
const DIGITS = [..."0123456789"];

/** Letters, a bar, and the answer to them. @param {number[]} asked @param {number[]} answer @param {number} bar @returns {Example} */
const questioned = (asked, answer, bar) => ({
  tokens: [...asked, bar, ...answer],
  answer: [...asked.map(() => 0), 0, ...answer.map(() => 1)],
});

/** @param {Random} random @param {number} count @param {number} kinds */
const draws = (random, count, kinds) => Array.from({ length: count }, () => below(random, kinds));

/**
 * A task that turns six letters into six others.
 * @param {string} title @param {string} says @param {(letters: number[]) => number[]} turn @returns {Task}
 */
function six(title, says, turn) {
  return {
    title,
    says,
    alphabet: [...LETTERS, "|"],
    length: 12,
    choices: 8,
    exact: true,
    best: 0,
    draw(random) {
      const letters = draws(random, 6, 8);
      return questioned(letters, turn(letters), 8);
    },
  };
}

/** @type {Record<string, Task>} */
export const TASKS = {
  copy: six("Copy", "Repeat six letters.", (letters) => letters),
  reverse: six("Reverse", "Write six letters backwards.", (letters) => letters.toReversed()),
  sort: six("Sort", "Write six letters in alphabetical order.", (letters) =>
    letters.toSorted((a, b) => a - b),
  ),
  majority: {
    title: "Majority",
    says: "Say which of two letters occurs more often among nine.",
    alphabet: ["a", "b", "|"],
    length: 10,
    choices: 2,
    exact: true,
    best: 0,
    draw(random) {
      const letters = draws(random, 9, 2);
      const ones = letters.reduce((sum, letter) => sum + letter, 0);
      return questioned(letters, [ones > 4 ? 1 : 0], 2);
    },
  },
  count: {
    title: "Count",
    says: "Say how often a, b and c occur among eight letters.",
    alphabet: ["a", "b", "c", "|", ...DIGITS.slice(0, 9)],
    length: 11,
    choices: 9,
    exact: true,
    best: 0,
    draw(random) {
      const letters = draws(random, 8, 3);
      const counts = [0, 1, 2].map((kind) => letters.filter((letter) => letter === kind).length);
      return questioned(
        letters,
        counts.map((count) => 4 + count),
        3,
      );
    },
  },
  recall: {
    title: "Recall",
    says: "Read four letters, each with its digit. Then answer each letter with its digit.",
    alphabet: [...LETTERS, ...DIGITS.slice(0, 8)],
    length: 15,
    choices: 8,
    exact: true,
    best: 0,
    draw(random) {
      const keys = shuffled(random, [0, 1, 2, 3, 4, 5, 6, 7]).slice(0, 4);
      const values = draws(random, 4, 8);
      const pairs = keys.map((key, i) => [key, 8 + values[i]]);
      const questions = shuffled(random, pairs);
      return {
        tokens: [...pairs, ...questions].flat(),
        answer: [...pairs.map(() => [0, 0]), ...questions.map(() => [0, 1])].flat(),
      };
    },
  },
  induction: {
    title: "Continue a pattern",
    says: "Letters repeat after four to seven positions. Continue what has occurred before.",
    alphabet: [..."abcdefghijkl"],
    length: 15,
    choices: 12,
    exact: true,
    best: 0,
    draw(random) {
      const period = 4 + below(random, 4);
      const letters = shuffled(random, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]).slice(0, period);
      const places = Array.from({ length: 16 }, (_, i) => i);
      // Nobody can know where the first repetition begins: it counts from its second letter on.
      return {
        tokens: places.map((i) => letters[i % period]),
        answer: places.map((i) => (i > period ? 1 : 0)),
      };
    },
  },
  addition: {
    title: "Add",
    says: "Add two numbers of two digits. The sum is written from its last digit to its first.",
    alphabet: [...DIGITS, "+", "="],
    length: 8,
    choices: 10,
    exact: true,
    best: 0,
    draw(random) {
      const [a, b] = draws(random, 2, 100);
      const two = (/** @type {number} */ n) => [Math.floor(n / 10), n % 10];
      const sum = a + b;
      const answer = [sum % 10, Math.floor(sum / 10) % 10, Math.floor(sum / 100)];
      return questioned([...two(a), 10, ...two(b)], answer, 11);
    },
  },
};

/** The probabilities of the letter after each pair of letters, drawn once. @returns {number[][][]} */
export function markovProbabilities() {
  const random = randomNumbers(20);
  return LETTERS.map(() =>
    LETTERS.map(() => {
      const drawn = LETTERS.map(() => random() ** 6);
      const sum = drawn.reduce((total, x) => total + x, 0);
      return drawn.map((x) => x / sum);
    }),
  );
}

/** The best loss: the mean entropy of the next letter, over the pairs as often as they occur. @param {number[][][]} chances */
export function entropyOf(chances) {
  let often = LETTERS.map(() => LETTERS.map(() => 1 / 64));
  for (let round = 0; round < 200; round += 1) {
    const next = LETTERS.map(() => LETTERS.map(() => 0));
    often.forEach((row, a) =>
      row.forEach((x, b) =>
        chances[a][b].forEach((p, c) => {
          next[b][c] += x * p;
        }),
      ),
    );
    often = next;
  }
  const entropy = (/** @type {number[]} */ row) =>
    -row.reduce((sum, p) => sum + p * Math.log(p), 0);
  return often
    .flatMap((row, a) => row.map((x, b) => x * entropy(chances[a][b])))
    .reduce((sum, x) => sum + x, 0);
}

const MARKOV = markovProbabilities();
TASKS.markov = {
  title: "Markov text",
  says: "Continue a text in which each letter is drawn with probabilities that depend on the last two.",
  alphabet: LETTERS,
  length: 16,
  choices: 8,
  exact: false,
  best: entropyOf(MARKOV),
  draw(random) {
    const tokens = draws(random, 2, 8);
    // The first sixteen letters are dropped: after them pairs are as frequent as in a long text.
    while (tokens.length < 33) {
      const [a, b] = tokens.slice(-2);
      let left = random();
      let letter = 0;
      while (letter < 7 && left >= MARKOV[a][b][letter]) {
        left -= MARKOV[a][b][letter];
        letter += 1;
      }
      tokens.push(letter);
    }
    return { tokens: tokens.slice(-17), answer: [0, 0, ...Array(15).fill(1)] };
  },
};

/** A task whose held-out examples come from a part of the text that is never trained on. @typedef {Task & {drawHeldOut: (random: Random) => Example}} TextTask */

/**
 * The task to continue a text, letter by letter. Its last tenth is held out.
 * @param {string} title @param {string} says @param {string} text @param {number} length the tokens that the machine reads
 * @returns {TextTask}
 */
function textTask(title, says, text, length) {
  const letters = [...text];
  const alphabet = [...new Set(letters)].toSorted();
  const ids = letters.map((letter) => alphabet.indexOf(letter));
  const border = Math.floor(ids.length * 0.9);
  /** @param {Random} random @param {number} from @param {number} to */
  const cut = (random, from, to) => {
    const start = from + below(random, to - from - length);
    const tokens = ids.slice(start, start + length + 1);
    return { tokens, answer: tokens.map((_, i) => (i ? 1 : 0)) };
  };
  return {
    ...{ title, says, alphabet, length, choices: alphabet.length, exact: false, best: null },
    draw: (random) => cut(random, 0, border),
    drawHeldOut: (random) => cut(random, border, ids.length),
  };
}

TASKS.names = textTask("Names", "Write first names, letter by letter.", namesText, 16);

const LONGEST_TEXT = 20000;

/** The task to continue a text of the reader's own. @param {string} text */
export function ownText(text) {
  const letters = [...text].slice(0, LONGEST_TEXT);
  const length = 32;
  if (letters.length < 20 * length)
    throw new RangeError(
      `The text needs ${20 * length} letters or more, but it has ${letters.length}.`,
    );
  const says = "Continue your text, letter by letter.";
  return textTask("Your own text", says, letters.join(""), length);
}

/** Whether an example is held out: one in eight, by its question alone. @param {Example} example */
export function isHeldOut({ tokens, answer }) {
  let hash = 2166136261;
  tokens.forEach((token, i) => {
    if (!answer[i]) hash = Math.imul(hash ^ token, 16777619) >>> 0;
  });
  return (hash ^ (hash >>> 15)) % 8 === 0;
}

/**
 * Examples for training or held-out ones, as the machine reads them: token i is an input, token
 * i + 1 its target.
 * @param {Task} task @param {Random} random @param {number} count @param {boolean} heldOut
 */
export function batchOf(task, random, count, heldOut) {
  const own = /** @type {Partial<TextTask>} */ (task).drawHeldOut;
  const draw = own && heldOut ? own : task.draw;
  /** @type {Example[]} */
  const examples = [];
  while (examples.length < count) {
    const example = draw(random);
    if (own || isHeldOut(example) === heldOut) examples.push(example);
  }
  return {
    ids: examples.flatMap(({ tokens }) => tokens.slice(0, -1)),
    targets: examples.flatMap(({ tokens }) => tokens.slice(1)),
    counted: examples.flatMap(({ answer }) => answer.slice(1)),
  };
}

/**
 * The loss of the best bigram table: what can be known from the last token alone.
 * @param {Task} task @param {number} [examples]
 */
export function bigramLoss(task, examples = 4000) {
  const { ids, targets, counted } = batchOf(task, randomNumbers(77), examples, false);
  const size = task.alphabet.length;
  const table = Array.from({ length: size }, () => Array(size).fill(0));
  ids.forEach((id, i) => {
    if (counted[i]) table[id][targets[i]] += 1;
  });
  let [loss, total] = [0, 0];
  for (const row of table) {
    const sum = row.reduce((a, b) => a + b, 0);
    for (const n of row) if (n) loss -= n * Math.log(n / sum);
    total += sum;
  }
  return loss / total;
}
