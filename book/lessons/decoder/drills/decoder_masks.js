// @ts-check
// What one target token may look at: its row of the decoder's mask, and its row of the source's.

import { play } from "../../kit/drills/drill.js";
import { pick, whole } from "../../kit/drills/draw.js";
import { WHOLE } from "../../kit/drills/judge.js";

/** @typedef {{source: string[], target: string[], query: number}} Problem query counts from 0 */

const PAD = "[pad]";
const [SOURCE, TARGET] = [5, 4];
// What the encoder has read, and the first words of its translation.
const PAIRS = [
  ["je dors bien", "I sleep well"],
  ["il est petit", "he is small"],
  ["merci", "thanks a lot"],
  ["je suis étudiant", "I am a student"],
  ["tu chantes", "you sing now"],
  ["elle aime Paris", "she loves Paris"],
  ["nous avons faim", "we are hungry"],
  ["le chat dort", "the cat sleeps"],
  ["bonjour", "good morning to you"],
  ["je le vois", "I see him"],
  ["elles chantent", "they sing loudly"],
  ["un petit livre", "a small book"],
  ["on y va", "we are going"],
  ["salut", "hello my friend"],
  ["deux chats noirs", "two black cats"],
];

/** Both rows, by two rules. @param {Problem} problem @param {(key: number, real: boolean) => boolean} back @param {(key: number, real: boolean) => boolean} across */
function rows({ source, target }, back, across) {
  const row = (
    /** @type {string[]} */ words,
    /** @type {(key: number, real: boolean) => boolean} */ may,
  ) => words.map((word, key) => Number(may(key, word !== PAD)));
  return [...row(target, back), ...row(source, across)];
}

/** @param {Problem} problem */
function answer(problem) {
  return rows(
    problem,
    (key) => key <= problem.query,
    (_, real) => real,
  );
}

export default play({
  name: "decoder_masks",
  title: "The two masks of a decoder layer",
  ...WHOLE,
  note: "1: it may attend there. 0: it may not.",
  draw: (random) => {
    const [read, written] = pick(random, PAIRS);
    const source = [...read.split(" "), "[eos]"];
    const pads = Array(SOURCE - source.length).fill(PAD);
    const padded = pick(random, [
      [...source, ...pads],
      [...pads, ...source],
    ]);
    const target = ["[bos]", ...written.split(" ").slice(0, TARGET - 1)];
    return { source: padded, target, query: whole(random, 0, TARGET - 2) };
  },
  answer,
  mistakes: (problem) => {
    const { query } = problem;
    const past = (/** @type {number} */ key) => key <= query;
    const isReal = (/** @type {number} */ _, /** @type {boolean} */ real) => real;
    return [
      {
        answer: rows(problem, past, (key, real) => real && key <= query),
        cause:
          "The source row stops at the query's position. But the whole source is known before the first word is written, so mask only its padding.",
      },
      {
        answer: rows(problem, past, () => true),
        cause: "The padding of the source is not masked. No token may attend to padding.",
      },
      {
        answer: rows(problem, () => true, isReal),
        cause:
          "The target row includes the future. A token may attend to itself and to the tokens before it.",
      },
      {
        answer: rows(problem, (key) => key < query, isReal),
        cause: "The token may also attend to itself: it has been written already.",
      },
      {
        answer: answer(problem).map((on) => 1 - on),
        cause: "You swapped zeros and ones: 1 means that it may attend there.",
        throughout: true,
      },
    ];
  },
  show: (problem) => {
    const { source, target, query } = problem;
    const words = [...target, ...source];
    const right = answer(problem);
    const named = words.map((word, i) => `${i < target.length ? "target" : "source"}: ${word}`);
    const places = words.map((_, i) =>
      i < target.length ? `target ${i + 1}` : `source ${i - target.length + 1}`,
    );
    const open = (/** @type {number} */ from, /** @type {number} */ to) =>
      named
        .slice(from, to)
        .map((name, i) => `${name.replace(/^.*: /, "")} ${right[from + i]}`)
        .join(", ");
    return {
      task: `The decoder has read ${target.length} tokens of its own, the encoder ${SOURCE}, pads included. Take target token ${query + 1}, ${target[query]}. What may it attend to in the masked self-attention (target) and in the cross-attention (source)?`,
      given: [{ caption: "tokens", heads: ["token"], rows: places, cells: words.map((w) => [w]) }],
      asked: { caption: `may ${target[query]} attend to it?`, heads: ["1 or 0"], rows: places },
      way: [
        `Among the target tokens it attends to those up to its own position: ${open(0, target.length)}`,
        `In the source it attends to everything except the padding: ${open(target.length, words.length)}`,
      ],
      praise:
        "The target's row is one row of the look-ahead mask. The source's row is the same for every target token.",
    };
  },
});
