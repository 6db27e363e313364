// @ts-check
// The shapes of a batch on its way through an encoder.

import { play } from "../../kit/drills/drill.js";
import { pick, shuffled } from "../../kit/drills/draw.js";
import { SHAPES, shape } from "../../kit/drills/shapes.js";

/** @typedef {{B: number, S: number, H: number, K: number, M: number}} Problem */

const ROWS = [
  "embedded tokens",
  "queries, in heads",
  "scores",
  "inside feed-forward",
  "the encoder's output",
];

/** @param {Problem} problem */
function answer({ B, S, H, K, M }) {
  const D = H * K;
  return [
    [B, S, D],
    [B, H, S, K],
    [B, H, S, S],
    [B, S, M],
    [B, S, D],
  ].map(shape);
}

export default play({
  name: "encoder_shapes",
  title: "Shapes on the way up",
  ...SHAPES,
  note: "Write a shape as (2, 3) or 2 3.",
  draw: (random) => {
    const [B, S, K] = shuffled(random, [2, 3, 5, 6, 7]);
    const H = pick(random, [2, 4]);
    return { B, S, H, K, M: 4 * H * K };
  },
  answer,
  mistakes: (problem) => {
    const { B, S, H, K, M } = problem;
    const D = H * K;
    const [embedded, heads, scores, hidden, memory] = answer(problem);
    return [
      {
        answer: [embedded, shape([B, S, H, K]), scores, hidden, memory],
        cause:
          "The axis of the heads comes before that of the tokens, because attention works on the last two axes.",
      },
      {
        answer: [embedded, shape([B, H, S, D]), scores, hidden, memory],
        cause: "Each head gets a piece of the width, D divided by H.",
      },
      {
        answer: [embedded, heads, shape([B, S, S]), hidden, memory],
        cause: "Each head has its own table of scores.",
      },
      {
        answer: [embedded, heads, shape([B, H, S, K]), hidden, memory],
        cause: "A score belongs to a query and a key: one row and one column for each token.",
      },
      {
        answer: [embedded, heads, scores, shape([B, H, S, M]), memory],
        cause: "The heads are joined again before the feed-forward layer.",
      },
      {
        answer: [embedded, heads, scores, hidden, shape([B, D])],
        cause:
          "The encoder returns one vector for each token instead of one for the whole sentence.",
      },
      {
        answer: [embedded, heads, scores, hidden, hidden],
        cause: "The second half of the feed-forward layer returns to the width D.",
      },
      {
        answer: [
          shape([S, B, D]),
          shape([S, H, B, K]),
          shape([S, H, B, B]),
          shape([S, B, M]),
          shape([S, B, D]),
        ],
        cause: "Batch and tokens are exchanged: here the axis of the sentences comes first.",
      },
    ];
  },
  show: (problem) => {
    const { B, S, H, K, M } = problem;
    const D = H * K;
    const [embedded, heads, scores, hidden, memory] = answer(problem);
    return {
      task: `A batch of ${B} sentences of ${S} tokens each goes through an encoder of width D = ${D} with ${H} heads and M = ${M} hidden units. What is its shape at each stage?`,
      given: [],
      asked: { caption: "stages", heads: ["shape"], rows: ROWS },
      way: [
        `One vector of width ${D} for each token: ${embedded}`,
        `${H} heads of width ${D} / ${H} = ${K}, before the tokens: ${heads}`,
        `Each of ${S} queries meets each of ${S} keys, in every head: ${scores}`,
        `The heads are joined, and each token is widened to ${M} units: ${hidden}`,
        `What goes out has the shape of what came in: ${memory}`,
      ],
      praise:
        "Input and output have the same shape, so any number of layers can follow each other.",
    };
  },
});
