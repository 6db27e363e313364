// @ts-check
// One step of the gated delta rule, for a state with one value column.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { inside, pick, whole } from "../../kit/drills/draw.js";
import { TWO_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{state: number[], key: number[], value: number, keep: number, write: number}} Problem */

const STATE = ["1", "2"];
const ROWS = ["found by the key", "new state, row 1", "new state, row 2"];

/** @param {number[]} a @param {number[]} b */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];

/** The answers of a step that reads `found` and adds `added` times the key. @param {number[]} kept @param {number[]} key @param {number} found @param {number} added */
const after = (kept, key, found, added) => [found, ...kept.map((s, i) => s + key[i] * added)];

/** @param {Problem} problem */
function answer({ state, key, value, keep, write }) {
  const kept = state.map((s) => keep * s);
  const found = dot(key, kept);
  return after(kept, key, found, write * (value - found));
}

/** @param {Problem} problem @returns {import("../../kit/drills/judge.js").Mistake[]} */
function mistakes({ state, key, value, keep, write }) {
  const kept = state.map((s) => keep * s);
  const [found, early] = [dot(key, kept), dot(key, state)];
  return [
    {
      answer: after(kept, key, early, write * (value - early)),
      cause: "You read the state before it was multiplied by α. First forget, then read.",
    },
    {
      answer: after(kept, key, found, write * value),
      cause: "You added the whole value, as linear attention does. Write v minus what is found.",
    },
    {
      answer: after(kept, key, found, value - found),
      cause: "β is missing: multiply the difference by β before you write it.",
    },
    {
      answer: after(state, key, early, write * (value - early)),
      cause: "α is missing: the old state is multiplied by α first.",
    },
    {
      answer: after(kept, key, found, write * (found - value)),
      cause: "The sign is wrong: write v minus what is found, not the other way around.",
    },
    {
      answer: after(kept, [1, 1], found, write * (value - found)),
      cause: "You added the same to both rows. Row i gets the difference times entry i of the key.",
    },
    {
      answer: after([0, 0], key, found, write * (value - found)),
      cause: "The old state is lost. What is written is added to α times the old state.",
    },
  ];
}

export default play({
  name: "delta_write",
  title: "One step of the gated delta rule",
  ...TWO_DECIMALS,
  draw: (random) => ({
    state: [2 * whole(random, 1, 5), 2 * whole(random, -5, 5)],
    key: pick(random, [
      [0.6, 0.8],
      [0.8, 0.6],
      [0.6, -0.8],
    ]),
    value: whole(random, 4, 12),
    keep: 0.5,
    write: pick(random, [0.25, 0.5]),
  }),
  answer,
  mistakes,
  show: (problem) => {
    const { state, key, value, keep, write } = problem;
    const [found, ...next] = answer(problem);
    const kept = state.map((s) => keep * s);
    const added = write * (value - found);
    return {
      task: `A state has two rows and one column. The next token has a key of length 1, the value ${value}, α = ${keep} and β = ${write}. What does its key find after the forgetting, and what is the new state?`,
      given: [
        { caption: "state Z", heads: ["value"], rows: STATE, cells: state.map((x) => [x]) },
        { caption: "key k", heads: STATE, rows: ["k"], cells: [key] },
      ],
      asked: { caption: "one step", heads: ["number"], rows: ROWS },
      way: [
        `Forget: α Z = ${kept.map((x) => format(x)).join(" and ")}`,
        `Found: ${key.map((k, i) => `${inside(k)} · ${inside(kept[i])}`).join(" + ")} = ${format(found)}`,
        `The difference, times β: ${write} · (${value} − ${inside(found)}) = ${format(added)}`,
        ...next.map(
          (s, i) =>
            `Row ${i + 1}: ${format(kept[i])} + ${inside(key[i])} · ${inside(added)} = ${format(s)}`,
        ),
      ],
      praise: "With β = 1 the key would now find exactly the value.",
    };
  },
});
