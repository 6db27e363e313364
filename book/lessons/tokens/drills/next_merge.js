// @ts-check
// Which pair byte-pair encoding merges next: counted inside of words, each as often as it occurs.

import { play } from "../../kit/drills/drill.js";
import { shuffled, wholes } from "../../kit/drills/draw.js";
import { WHOLE } from "../../kit/drills/judge.js";

/** @typedef {{words: string[], times: number[], pairs: string[]}} Problem */
/** @typedef {(problem: Problem, pair: string) => number} Count */

const WORDS = `low lower lowest slow slower owl bowl town new newer newest news sew west nest rest
tree three reed deer seed needs banana bandana cabana papa mama noon moon soon onion coconut`.split(
  /\s+/,
);
const SHOWN = 4; // words of the text, and pairs that are asked for

/** The pairs of neighbouring letters of a word. @param {string} word */
function pairsOf(word) {
  return [...word].slice(1).map((letter, i) => word[i] + letter);
}

/** @param {number[]} list */
function total(list) {
  return list.reduce((sum, x) => sum + x, 0);
}

/** How often a pair occurs in a word. @param {string} word @param {string} pair */
function inWord(word, pair) {
  return pairsOf(word).filter((found) => found === pair).length;
}

/** @type {Count} */
const count = ({ words, times }, pair) =>
  total(words.map((word, i) => times[i] * inWord(word, pair)));

/**
 * The counts of the pairs, and the number of the one that is merged: of equal counts the first in
 * the alphabet, whose letters have the lower ids; the pairs are in that order.
 * @param {Problem} problem @param {Count} [by]
 */
function answered(problem, by = count) {
  const counts = problem.pairs.map((pair) => by(problem, pair));
  return [...counts, counts.indexOf(Math.max(...counts)) + 1];
}

/** @param {string} pair */
const turned = (pair) => pair[1] + pair[0];

export default play({
  name: "next_merge",
  title: "Which pair is merged next",
  ...WHOLE,
  draw: (random) => {
    const words = shuffled(random, WORDS).slice(0, SHOWN);
    const times = wholes(random, SHOWN, 1, 6);
    const all = [...new Set(words.flatMap(pairsOf))].map((pair) => ({
      pair,
      times: count({ words, times, pairs: [] }, pair),
    }));
    all.sort((a, b) => b.times - a.times || (a.pair < b.pair ? -1 : 1));
    const pairs = all.slice(0, SHOWN).map(({ pair }) => pair);
    return { words, times, pairs: pairs.toSorted() };
  },
  answer: (problem) => answered(problem),
  mistakes: (problem) => {
    const right = answered(problem);
    const counts = right.slice(0, SHOWN);
    const text = problem.words.join("");
    const last = counts.lastIndexOf(Math.max(...counts)) + 1;
    /** @type {import("../../kit/drills/judge.js").Mistake[]} */
    const found = [
      {
        answer: answered(problem, ({ words }, pair) =>
          total(words.map((word) => inWord(word, pair))),
        ),
        cause: "You counted each word once. A word that occurs 5 times counts 5 times.",
      },
      {
        answer: answered(problem, ({ words, times }, pair) =>
          total(words.map((word, i) => (word.includes(pair) ? times[i] : 0))),
        ),
        cause:
          "A pair that occurs twice in a word counts twice for each time that the word occurs.",
      },
      {
        answer: answered(
          problem,
          (all, pair) => count(all, pair) + (pair === turned(pair) ? 0 : count(all, turned(pair))),
        ),
        cause: "You counted both orders. A pair has an order: “e r” is not “r e”.",
      },
      {
        answer: answered(
          problem,
          (all, pair) =>
            count(all, pair) + inWord(text, pair) - total(all.words.map((w) => inWord(w, pair))),
        ),
        cause: "You counted across the border of two words. Pairs lie inside one word.",
      },
      {
        answer: [...counts, counts.indexOf(Math.min(...counts)) + 1],
        cause: "The counts are right. The pair with the largest count is merged, not the rarest.",
      },
    ];
    if (last !== right[SHOWN])
      found.push({
        answer: [...counts, last],
        cause: "Of equally frequent pairs, the one with the lower ids is merged.",
      });
    // A text without repeated letters, say, lets some mistakes go unseen: they are not listed then.
    const seen = found.filter(({ answer }) => answer.some((x, i) => x !== right[i]));
    return seen.length < 4 ? found : seen;
  },
  show: (problem) => {
    const { words, times, pairs } = problem;
    const right = answered(problem);
    const most = Math.max(...right.slice(0, SHOWN));
    const first = pairs[right[SHOWN] - 1];
    const ties = right.slice(0, SHOWN).filter((x) => x === most).length;
    const spaced = (/** @type {string} */ word) => [...word].join(" ");
    return {
      task: "A text consists of these words, each with the number of times that it occurs. They are still cut into letters. How often are the two letters of each pair neighbors, and which of the four pairs is merged first? The ids of letters follow the alphabet.",
      given: [
        {
          caption: "words of the text",
          heads: ["tokens", "times"],
          rows: words.map((_, i) => String(i + 1)),
          cells: words.map((word, i) => [spaced(word), times[i]]),
        },
      ],
      asked: {
        caption: "pairs",
        heads: ["answer"],
        rows: [...pairs.map((pair, i) => `${i + 1}: ${spaced(pair)}`), "number of the merged pair"],
      },
      way: [
        ...pairs.map((pair, i) => {
          const parts = words.flatMap((word, k) =>
            inWord(word, pair) ? [`${inWord(word, pair)} · ${times[k]} in ${word}`] : [],
          );
          return `${spaced(pair)}: ${parts.join(" + ")} = ${right[i]}`;
        }),
        ties > 1
          ? `${ties} pairs are neighbors ${most} times; the lower ids come first: ${spaced(first)}`
          : `The most frequent one is ${spaced(first)}, number ${right[SHOWN]}`,
      ],
      praise: "From now on it is one token, and the pairs around it are counted again.",
    };
  },
});
