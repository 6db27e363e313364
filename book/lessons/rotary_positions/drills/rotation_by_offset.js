// @ts-check
// Rotary positions by hand: each pair of numbers turned by its own angle.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { indexed, inside, pick, rowTable, wholes } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{cos: number, sin: number}} Angle */
/** @typedef {{x: number[], angles: Angle[]}} Problem an angle for each pair */

/** @type {[number, number][]} */
const ANGLES = [
  [0, 1],
  [-1, 0],
  [0, -1],
  [0.6, 0.8],
  [0.8, 0.6],
  [-0.6, 0.8],
];
const SIDE_BY_SIDE = [
  [0, 1],
  [2, 3],
];
const HALVES = [
  [0, 2],
  [1, 3],
];

/** Turn the pairs, which are at `places`. @param {number[]} x @param {Angle[]} angles */
function turned(x, angles, places = SIDE_BY_SIDE) {
  const y = [...x];
  angles.forEach(({ cos, sin }, pair) => {
    const [i, j] = places[pair];
    y[i] = x[i] * cos - x[j] * sin;
    y[j] = x[i] * sin + x[j] * cos;
  });
  return y;
}

export default play({
  name: "rotation_by_offset",
  title: "A vector, turned",
  ...TWO_DECIMALS,
  draw: (random) => ({
    x: wholes(random, 4, -5, 5),
    angles: [0, 1].map(() => {
      const [cos, sin] = pick(random, ANGLES);
      return { cos, sin };
    }),
  }),
  answer: ({ x, angles }) => turned(x, angles),
  mistakes: ({ x, angles }) => [
    {
      answer: turned(
        x,
        angles.map(({ cos, sin }) => ({ cos, sin: -sin })),
      ),
      cause:
        "You turned the other way. The minus is in the first entry of a pair: x₁ cos θ − x₂ sin θ.",
    },
    {
      answer: turned(x, angles, HALVES),
      cause:
        "You paired the first half with the second. Here neighbors are paired: (x₁, x₂) and (x₃, x₄).",
    },
    {
      answer: turned(
        x,
        angles.map(({ cos, sin }) => ({ cos: sin, sin: cos })),
      ),
      cause: "You swapped sine and cosine.",
    },
    {
      answer: turned(x, [...angles].reverse()),
      cause: "You swapped the angles of the two pairs.",
      throughout: true,
    },
    {
      answer: turned(x, [angles[0], angles[0]]),
      cause: "You used the first angle for both pairs. Each pair has its own.",
      throughout: true,
    },
  ],
  show: ({ x, angles }) => {
    const y = turned(x, angles);
    const by = (/** @type {number} */ pair) => angles[pair];
    const names = indexed("y", x);
    const line = (/** @type {number} */ i) => {
      const { cos, sin } = by(Math.floor(i / 2));
      const [a, b] = i % 2 ? [x[i - 1], x[i]] : [x[i], x[i + 1]];
      const [first, second, sign] = i % 2 ? [sin, cos, "+"] : [cos, sin, "−"];
      return `${names[i]} = ${format(a)} · ${inside(first)} ${sign} ${inside(b)} · ${inside(second)} = ${format(y[i])}`;
    };
    return {
      task: "A query of width 4 has two pairs, (x₁, x₂) and (x₃, x₄). Turn each pair by its angle θ: (x₁, x₂) becomes (x₁ cos θ − x₂ sin θ, x₁ sin θ + x₂ cos θ).",
      given: [
        rowTable("query", "x", x),
        {
          caption: "angles",
          heads: ["cos θ", "sin θ"],
          rows: ["first pair", "second pair"],
          cells: angles.map(({ cos, sin }) => [cos, sin]),
        },
      ],
      asked: { caption: "turned query", heads: ["value"], rows: names },
      way: x.map((_, i) => line(i)),
      praise:
        "Each pair keeps its length. If the key turns by the same angles, the score does not change: only the offset counts.",
    };
  },
});
