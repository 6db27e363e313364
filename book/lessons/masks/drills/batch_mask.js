// @ts-check
// Which keys may a query see: one row of the mask, in each of two sentences of unequal length.

import { play } from "../../kit/drills/drill.js";
import { pick, shuffled, whole } from "../../kit/drills/draw.js";
import { WHOLE } from "../../kit/drills/judge.js";

/** @typedef {"padding" | "look-ahead" | "both"} Kind */
/** @typedef {{sentences: string[][], query: number, kind: Kind}} Problem query counts from 0 */

const LENGTH = 4;
const PAD = "[pad]";
const LONG = ["the cat sat down", "we saw two birds", "she reads old books", "rain fell all night"];
const SHORT = ["hello", "good morning", "dogs bark", "wait", "it is late", "they sleep well"];
const TASKS = {
  padding: "The mask hides pads as keys.",
  "look-ahead": "The mask hides the future.",
  both: "The mask hides pads as keys, and the future.",
};

/** The two rows of a mask that lets a query see the keys for which a rule holds. @param {Problem} problem @param {(key: number, real: boolean) => boolean} may */
function rows({ sentences }, may) {
  return sentences.flatMap((words) => words.map((word, key) => Number(may(key, word !== PAD))));
}

/** @param {Problem} problem */
function answer(problem) {
  const { query, kind } = problem;
  const past = (/** @type {number} */ key) => kind === "padding" || key <= query;
  return rows(problem, (key, real) => (kind === "look-ahead" || real) && past(key));
}

/** @param {Problem} problem */
function mistakes(problem) {
  const { query, kind } = problem;
  /** @type {import("../../kit/drills/judge.js").Mistake[]} */
  const found = [
    {
      answer: answer(problem).map((on) => 1 - on),
      cause: "You swapped zeros and ones: 1 means that the query may attend to the key.",
      throughout: true,
    },
  ];
  if (kind !== "look-ahead")
    found.push({
      answer: rows(problem, (key) => kind === "padding" || key <= query),
      cause: "The padding is not masked. Mask it as a key, for every query.",
    });
  if (kind === "padding")
    found.push({
      answer: rows(problem, (key, real) => real && key <= query),
      cause: "You also masked the future. A padding mask does not mask it.",
    });
  else
    found.push(
      {
        answer: rows(problem, (_, real) => kind === "look-ahead" || real),
        cause: "The future is not masked. Mask the keys after the query.",
      },
      {
        answer: rows(problem, (key, real) => (kind === "look-ahead" || real) && key < query),
        cause:
          "You masked the query's own position. A query may attend to all keys up to its own position.",
      },
    );
  return found;
}

export default play({
  name: "batch_mask",
  title: "The mask of a batch",
  ...WHOLE,
  note: "1: the query may attend to the key. 0: it may not.",
  draw: (random) => {
    const words = [pick(random, LONG), pick(random, SHORT)].map((text) => text.split(" "));
    const padded = words.map((list) => [...list, ...Array(LENGTH - list.length).fill(PAD)]);
    const kind = pick(random, /** @type {Kind[]} */ (["padding", "look-ahead", "both"]));
    return { sentences: shuffled(random, padded), query: whole(random, 1, LENGTH - 1), kind };
  },
  answer,
  mistakes,
  show: (problem) => {
    const { sentences, query, kind } = problem;
    const names = ["sentence 1", "sentence 2"];
    const heads = ["1", "2", "3", "4"];
    const right = answer(problem);
    const reason = (/** @type {string} */ word) =>
      kind !== "look-ahead" && word === PAD ? "a pad" : "after the query";
    return {
      task: `Two sentences make one batch. ${TASKS[kind]} Write the mask's row for query ${query + 1} of each sentence: which keys may it attend to?`,
      given: [{ caption: "tokens", heads, rows: names, cells: sentences }],
      asked: {
        caption: `mask, row of query ${query + 1}`,
        heads: heads.map((n) => `key ${n}`),
        rows: names,
      },
      way: sentences.map((words, i) => {
        const keys = words.map((word, key) =>
          right[i * LENGTH + key] ? `key ${key + 1}: 1` : `key ${key + 1}: 0 (${reason(word)})`,
        );
        return `${names[i]} – ${keys.join(", ")}`;
      }),
      praise:
        kind === "look-ahead"
          ? "The row is the same for both sentences, because the look-ahead mask depends only on positions. A padding mask depends on the words, so it differs from sentence to sentence."
          : "Padding differs from sentence to sentence, so this mask needs a batch axis.",
    };
  },
});
