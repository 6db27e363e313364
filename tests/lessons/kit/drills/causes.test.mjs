// A cause is shown only if everything typed agrees with it: right boxes as well as wrong ones.

import assert from "node:assert/strict";
import test from "node:test";

import { randomNumbers } from "#lessons/kit/figures/kit.js";
import { fresh, judge } from "#lessons/kit/drills/judge.js";
import { drills } from "./all.mjs";

const SEEDS = Array.from({ length: 25 }, (_, seed) => seed);
const SLIPS = [(x) => x + 1, (x) => x - 1, (x) => -x, () => 0, (x) => 2 * x];

/** Whether a drill takes one entry for another. */
const alike = (a, b, { tolerance }) => a === b || Math.abs(a - b) <= tolerance + 1e-9;

/** A list with another entry at one place. */
const withOther = (list, place, other) => list.map((x, i) => (i === place ? other : x));

/** Every answer with one box changed: by a slip of the pen, or as a mistake fills this box. */
function slipsOf(drill, problem) {
  const right = drill.answer(problem);
  const mistakes = drill.mistakes(problem);
  return right.flatMap((entry, place) => {
    const others = typeof entry === "number" ? SLIPS.map((slip) => slip(entry)) : [];
    for (const { answer } of mistakes) others.push(answer[place]);
    const wrong = others.filter((other) => !alike(other, entry, drill));
    return [...new Set(wrong)].map((other) => ({ place, filled: withOther(right, place, other) }));
  });
}

/** The mistake whose cause is shown for these boxes; "" leaves one empty. */
function toldTo(drill, problem, filled) {
  const { say } = judge(drill, problem, filled.map(String));
  return drill.mistakes(problem).find(({ cause }) => say === `Not yet. ${cause}`);
}

/** The places of filled boxes in which a mistake gives something else. */
function against({ answer }, filled, drill) {
  return filled.flatMap((x, i) => (x === "" || alike(x, answer[i], drill) ? [] : [i]));
}

/** Ways to leave boxes empty apart from one: none, the next one, all after it, all others. */
const EMPTIED = [
  (filled) => filled,
  (filled, place) => withOther(filled, (place + 1) % filled.length, ""),
  (filled, place) => filled.map((x, i) => (i > place ? "" : x)),
  (filled, place) => filled.map((x, i) => (i === place ? x : "")),
];

for (const drill of drills) {
  const problems = SEEDS.map((seed) => fresh(drill, randomNumbers(seed)));

  test(`${drill.name}: no known mistake usually equals the right answer`, () => {
    const tally = new Map();
    for (const seed of Array.from({ length: 200 }).keys()) {
      const problem = drill.draw(randomNumbers(seed)); // as it comes: such a one is drawn again
      for (const mistake of drill.mistakes(problem)) {
        const isRight = against(mistake, drill.answer(problem), drill).length === 0;
        tally.set(mistake.cause, [...(tally.get(mistake.cause) ?? []), isRight]);
      }
    }
    for (const [cause, found] of tally)
      assert.ok(found.length < 20 || found.filter(Boolean).length < 0.95 * found.length, cause);
  });

  test(`${drill.name}: after one slip, no cause contradicts a filled box`, () => {
    for (const problem of problems)
      for (const { place, filled } of slipsOf(drill, problem))
        for (const empty of EMPTIED) {
          const boxes = empty(filled, place);
          if (boxes[place] === "") continue; // the only box is emptied
          const told = toldTo(drill, problem, boxes);
          if (!told) continue;
          const said = `${JSON.stringify(problem)}: ${boxes} is told “${told.cause}”`;
          assert.deepEqual(against(told, boxes, drill), [], said);
        }
  });

  test(`${drill.name}: a mistake in a single box gets its cause if all others are right`, () => {
    for (const problem of problems) {
      const right = drill.answer(problem);
      for (const mistake of drill.mistakes(problem)) {
        const wrong = against(mistake, right, drill);
        const filled = right.map((x, i) => (wrong[0] === i ? mistake.answer[i] : x));
        const told = toldTo(drill, problem, filled);
        assert.equal(told?.cause === mistake.cause, wrong.length === 1, JSON.stringify(problem));
      }
    }
  });

  test(`${drill.name}: a mistake is recognized by its wrong boxes while others are empty`, () => {
    for (const problem of problems) {
      const right = drill.answer(problem);
      for (const mistake of drill.mistakes(problem)) {
        const wrong = against(mistake, right, drill);
        const filled = mistake.answer.map((x, i) => (wrong.includes(i) ? x : ""));
        const sure = !mistake.throughout || wrong.length === right.length;
        const told = toldTo(drill, problem, filled);
        assert.equal(told?.cause, sure ? mistake.cause : undefined, JSON.stringify(problem));
      }
    }
  });
}
