// @ts-check
// How merges that were learned cut a word: the one that was learned first is always next.

import { play } from "../../kit/drills/drill.js";
import { pick, whole } from "../../kit/drills/draw.js";
import { WHOLE } from "../../kit/drills/judge.js";

/** @typedef {{word: string, merges: string[][]}} Problem */
/** @typedef {{pair: string[], place: number, rank: number}} Found */

const WORDS = `lowest lowers slower banana bandana cabanas papayas pepper peppers pickled picking
kitten mitten sitting letters lettuce needed seeded weeded onions opinion million pillow yellow
follows hollow summers simmers hammers dinners winners runners runner planning canned cannons`.split(
  /\s+/,
);
const MERGES = 5;
const STEPS = ["first merge", "second merge", "third merge", "fourth merge"];

/** The merges that fit somewhere among some tokens. @param {string[]} tokens @param {string[][]} merges @returns {Found[]} */
function fitting(tokens, merges) {
  return tokens.slice(1).flatMap((right, place) => {
    const rank = merges.findIndex(([a, b]) => a === tokens[place] && b === right);
    return rank < 0 ? [] : [{ pair: [tokens[place], right], place, rank }];
  });
}

/** Join a pair wherever it occurs, from the left. @param {string[]} tokens @param {string[]} pair */
function joined(tokens, [left, right]) {
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
 * Merge, one pair after the other, chosen among those that fit, until none does or `most` are used.
 * @param {Problem} problem @param {(found: Found[]) => Found | undefined} choose @param {number} [most]
 */
function mergedBy({ word, merges }, choose, most = Infinity) {
  let tokens = [...word];
  const steps = [];
  for (let used = 0; used < most; used += 1) {
    const found = choose(fitting(tokens, merges));
    if (!found) break;
    tokens = joined(tokens, found.pair);
    steps.push({ number: found.rank + 1, tokens });
  }
  return { tokens, steps };
}

/** The numbers of the merges that are used, 0 in empty boxes, and how many tokens are left. @param {ReturnType<typeof mergedBy>} done */
function entries({ tokens, steps }) {
  const numbers = STEPS.map((_, i) => steps[i]?.number ?? 0);
  return [...numbers, steps.length > STEPS.length ? NaN : tokens.length];
}

/** The lowest rank, from the left. @param {Found[]} found */
const lowest = (found) => found.toSorted((a, b) => a.rank - b.rank)[0];

/** The highest rank, from the left. @param {Found[]} found */
const highest = (found) => found.toSorted((a, b) => b.rank - a.rank)[0];

/** The lowest rank of two letters. @param {Found[]} found */
const ofLetters = (found) => lowest(found.filter(({ pair }) => pair.join("").length === 2));

/** The first place, whatever its rank. @param {Found[]} found */
const leftmost = (found) => found[0];

export default play({
  name: "merge_by_rank",
  title: "Cutting a word by rank",
  note: "Whole numbers; 0 if no merge is left.",
  tolerance: WHOLE.tolerance,
  draw: (random) => {
    const word = pick(random, WORDS);
    /** @type {string[][]} */
    const merges = [];
    let tokens = [...new Set(word)];
    while (merges.length < MERGES) {
      const open = tokens.flatMap((a) =>
        tokens.filter((b) => word.includes(a + b) && !tokens.includes(a + b)).map((b) => [a, b]),
      );
      if (!open.length) break;
      const pair = open[whole(random, 0, open.length - 1)];
      merges.push(pair);
      tokens = [...tokens, pair.join("")];
    }
    return { word, merges };
  },
  answer: (problem) => entries(mergedBy(problem, lowest)),
  mistakes: (problem) => [
    {
      answer: entries(mergedBy(problem, leftmost)),
      cause:
        "You went from left to right. The merge that was learned first is used first, at any position.",
    },
    {
      answer: entries(mergedBy(problem, highest)),
      cause:
        "You began with the merge that was learned last. Its rank is the highest, so it comes last.",
    },
    {
      answer: entries(mergedBy(problem, ofLetters)),
      cause: "You joined letters only. A token that a merge has made can be merged again.",
    },
    {
      answer: entries(mergedBy(problem, lowest, 1)),
      cause: "You stopped after one merge. Go on until no merge fits any more.",
    },
  ],
  show: (problem) => {
    const { word, merges } = problem;
    const { tokens, steps } = mergedBy(problem, lowest);
    const spaced = (/** @type {string[]} */ list) => list.join(" · ");
    return {
      task: `These merges were learned, in this order. Cut “${word}” with them: which merges are used, one after the other, and how many tokens are left? A merge joins its pair at every position.`,
      given: [
        {
          caption: "merges",
          heads: ["left", "right"],
          rows: merges.map((_, i) => String(i + 1)),
          cells: merges,
        },
      ],
      asked: {
        caption: `cutting “${word}”`,
        heads: ["answer"],
        rows: [...STEPS, "tokens left"],
      },
      way: [
        `Letters: ${spaced([...word])}`,
        ...steps.map((step) => `Merge ${step.number}: ${spaced(step.tokens)}`),
        `No merge fits any more: ${tokens.length} tokens`,
      ],
      praise: "Each word is cut on its own: the words next to it change nothing.",
    };
  },
});
