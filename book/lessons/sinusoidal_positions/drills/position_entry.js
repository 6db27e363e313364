// @ts-check
// Two entries of a sinusoidal encoding: the sine and the cosine of one pair.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { pick, whole } from "../../kit/drills/draw.js";
import { THREE_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{position: number, width: number, pair: number}} Problem */

/** @param {number} exponent of 10000, divided by the width */
const speed = (/** @type {Problem} */ { width }, exponent) => 10000 ** (-exponent / width);

/** The entries of who turns by the angles `even` and `odd`. @param {number} even @param {number} [odd] */
const entries = (even, odd = even) => [Math.sin(even), Math.cos(odd)];

/** What goes wrong with the exponent in pairs that have one. @param {Problem} problem */
function pairMistakes(problem) {
  const { position, pair, width } = problem;
  const turned = (/** @type {number} */ exponent) => entries(position * speed(problem, exponent));
  const halfAndRising = [
    {
      answer: turned(pair),
      cause: `The exponent is half of what it should be: 2r/D = ${2 * pair}/${width}.`,
    },
    {
      answer: turned(-2 * pair),
      cause: "The minus of the exponent is missing. Each pair must be slower than the one before.",
    },
  ];
  const byEntries = {
    answer: turned(4 * pair),
    cause: `Pairs count from 0: i = ${2 * pair} and ${2 * pair + 1} are pair r = ${pair}, and 2r = ${2 * pair}.`,
  };
  // Further out this angle is next to nothing, as that in degrees is.
  return pair === 1 ? [...halfAndRising, byEntries] : halfAndRising;
}

export default play({
  name: "position_entry",
  title: "Two entries of a position",
  ...THREE_DECIMALS,
  draw: (random) => {
    const width = pick(random, [4, 8]);
    return { position: whole(random, 1, 20), width, pair: whole(random, 0, width / 2 - 2) };
  },
  answer: (problem) => entries(problem.position * speed(problem, 2 * problem.pair)),
  mistakes: (problem) => {
    const { position, pair } = problem;
    const [even, odd] = [2 * pair, 2 * pair + 1];
    const angle = (/** @type {number} */ exponent) => position * speed(problem, exponent);
    return [
      {
        answer: entries(angle(even)).reverse(),
        cause: "You swapped sine and cosine: even entries are sines, odd ones are cosines.",
      },
      {
        answer: entries(angle(even), angle(odd)),
        cause: `The odd entry has the wrong speed. Both entries of a pair have the exponent 2⌊i/2⌋ = ${even}.`,
      },
      {
        answer: entries(angle(2 * even), angle(2 * odd)),
        cause: `The exponent is doubled: i counts entries, not pairs, so it is 2⌊i/2⌋ = ${even}.`,
      },
      {
        answer: entries((angle(even) * Math.PI) / 180),
        cause: "Your calculator uses degrees. These angles are in radians.",
      },
      ...(pair ? pairMistakes(problem) : []),
    ];
  },
  show: (problem) => {
    const { position, width, pair } = problem;
    const [sine, cosine] = entries(position * speed(problem, 2 * pair));
    const omega = speed(problem, 2 * pair);
    return {
      task: `The width is D = ${width}, and the position is p = ${position}. Compute the entries i = ${2 * pair} and i = ${2 * pair + 1} of the sinusoidal encoding, PE(p, i). Positions and entries count from 0.`,
      given: [],
      asked: {
        caption: `encoding of position ${position}`,
        heads: ["PE(p, i)"],
        rows: [`i = ${2 * pair}`, `i = ${2 * pair + 1}`],
      },
      way: [
        `Both entries belong to one pair; its exponent is 2⌊i/2⌋ = ${2 * pair}.`,
        `ω = 10000^(−${2 * pair}/${width}) = ${format(omega)}`,
        `The angle is p · ω = ${position} · ${format(omega)} = ${format(position * omega)}, in radians.`,
        `i = ${2 * pair}, even: sin(${format(position * omega)}) = ${format(sine, 3)}`,
        `i = ${2 * pair + 1}, odd: cos(${format(position * omega)}) = ${format(cosine, 3)}`,
      ],
      praise:
        "Square both and add: the result is 1, at every position. Each pair is a point on a circle.",
    };
  },
});
