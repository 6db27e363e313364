// @ts-check
// ALiBi by hand: the slope of a head, and one row of its biases.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { pick, whole } from "../../kit/drills/draw.js";
import { THREE_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{heads: number, head: number, query: number, keys: number[]}} Problem head counts from 1, tokens from 0 */

/** Number of heads, and a head whose slope is a half, a quarter or an eighth. */
const HEADS = [
  [4, 1],
  [8, 1],
  [8, 2],
  [8, 3],
  [16, 2],
  [16, 4],
  [16, 6],
];

/** The answer of a slope and what it is multiplied by for each key. @param {number} slope @param {number[]} factors */
const row = (slope, factors) => [slope, ...factors.map((factor) => slope * factor)];

export default play({
  name: "alibi_row",
  title: "A row of ALiBi biases",
  ...THREE_DECIMALS,
  note: `${THREE_DECIMALS.note} Fractions like 1/8 are read too.`,
  draw: (random) => {
    const [heads, head] = pick(random, HEADS);
    const query = whole(random, 3, 9);
    return { heads, head, query, keys: [0, whole(random, 1, query - 1), query] };
  },
  answer: ({ heads, head, query, keys }) =>
    row(
      2 ** ((-8 * head) / heads),
      keys.map((key) => key - query),
    ),
  mistakes: ({ heads, head, query, keys }) => {
    const slope = 2 ** ((-8 * head) / heads);
    const offsets = keys.map((key) => key - query);
    const halving = {
      answer: row(2 ** -head, offsets),
      cause: `The slope is halved from head to head only if H = 8. Here it is 2^(−8 · ${head}/${heads}).`,
    };
    return [
      {
        answer: row(
          slope,
          offsets.map((x) => -x),
        ),
        cause: "The sign is wrong: distant keys get a penalty, so the bias is negative.",
      },
      {
        answer: row(2 ** ((-8 * (head - 1)) / heads), offsets),
        cause: `This is the slope of the previous head. Heads count from 1 here: 2^(−8 · ${head}/${heads}).`,
      },
      {
        answer: row(
          slope,
          keys.map((key) => -key),
        ),
        cause: "You measured from the first token. The distance is from the query to the key.",
      },
      {
        answer: row(
          slope,
          offsets.map((x) => x - 1),
        ),
        cause: "Each distance is too large by 1. The distance from a token to itself is 0.",
      },
      {
        answer: [slope, ...offsets],
        cause: "These are the offsets alone. Multiply each by the slope.",
      },
      {
        answer: [slope, ...offsets.map((x) => -x)],
        cause: "These are the distances alone. Multiply each by minus the slope.",
      },
      ...(heads === 8 ? [] : [halving]),
    ];
  },
  show: ({ heads, head, query, keys }) => {
    const slope = 2 ** ((-8 * head) / heads);
    return {
      task: `There are H = ${heads} heads, counted from 1. For head ${head}, compute the slope 2^(−8h/H) and the biases of three keys for the query at position ${query}.`,
      given: [],
      asked: {
        caption: "slope and biases",
        heads: ["value"],
        rows: ["slope", ...keys.map((key) => `key at ${key}`)],
      },
      way: [
        `Slope: 2^(−8 · ${head}/${heads}) = 2^(−${(8 * head) / heads}) = ${format(slope)}`,
        ...keys.map(
          (key) =>
            `Key at ${key}: distance ${query - key}, bias −${format(slope)} · ${query - key} = ${format(slope * (key - query))}`,
        ),
      ],
      praise:
        "The bias is added to the score before softmax. Its size grows with the distance, and it needs no table of positions.",
    };
  },
});
