// Every drill: its causes are sure, its right answers are praised, what is typed is read.

import assert from "node:assert/strict";
import test from "node:test";

import { randomNumbers } from "#lessons/kit/figures/kit.js";
import { boxNames, fresh, judge } from "#lessons/kit/drills/judge.js";
import { drills } from "./all.mjs";

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);

/** The problems of a drill for all seeds. */
const problemsOf = (drill) => SEEDS.map((seed) => fresh(drill, randomNumbers(seed)));

/** An entry as a careful reader types it. */
const typed = (entry) => String(entry);
/** An entry as a reader with a calculator types it: rounded as the note allows. */
function rounded(entry, { tolerance }) {
  if (typeof entry === "string" || !tolerance) return typed(entry);
  return entry.toFixed(tolerance > 0.001 ? 2 : 3);
}

for (const drill of drills) {
  const problems = problemsOf(drill);

  test(`${drill.name}: every known mistake gets its own cause, and no other`, () => {
    for (const problem of problems) {
      const mistakes = drill.mistakes(problem);
      assert.ok(mistakes.length >= 3);
      assert.equal(new Set(mistakes.map(({ cause }) => cause)).size, mistakes.length);
      for (const { answer, cause } of mistakes)
        for (const write of [typed, rounded]) {
          const { say, done } = judge(
            drill,
            problem,
            answer.map((x) => write(x, drill)),
          );
          assert.equal(say, `Not yet. ${cause}`, JSON.stringify(problem));
          assert.equal(done, false);
        }
    }
  });

  test(`${drill.name}: a right answer is praised, exact and rounded`, () => {
    for (const problem of problems) {
      const right = drill.answer(problem);
      const { praise, asked } = drill.show(problem);
      assert.equal(right.length, boxNames(asked).length);
      for (const write of [typed, rounded]) {
        const result = judge(
          drill,
          problem,
          right.map((x) => write(x, drill)),
        );
        assert.deepEqual(
          { ...result, verdicts: new Set(result.verdicts) },
          { verdicts: new Set(["right"]), say: `Right. ${praise}`, done: true },
        );
      }
    }
  });

  test(`${drill.name}: a right answer with too few decimals is accepted or explained`, () => {
    if (!drill.tolerance) return;
    for (const problem of problems) {
      const right = drill.answer(problem);
      if (typeof right[0] === "string") continue;
      const { say, done } = judge(
        drill,
        problem,
        right.map((x) => Number(x).toFixed(drill.tolerance > 0.001 ? 1 : 2)),
      );
      assert.ok(done || !say.includes("Look again"), say);
    }
  });

  test(`${drill.name}: an unknown wrong answer gets no cause`, () => {
    for (const problem of problems) {
      const other = (x) => (typeof x === "number" ? typed(x + 1234.5) : "(9, 9, 9, 9)");
      const result = judge(drill, problem, drill.answer(problem).map(other));
      assert.match(result.say, /^Not yet\. Right so far: 0 of \d+\. Look again at /);
    }
  });

  test(`${drill.name}: a mistake in one box and a random value in another get no cause`, () => {
    for (const problem of problems) {
      const right = drill.answer(problem).map(typed);
      const [{ answer }] = drill.mistakes(problem);
      const place = answer.findIndex((x, i) => typed(x) !== right[i]);
      const chance = (place + 1) % right.length;
      if (chance === place) continue;
      const texts = right.map((x, i) => (i === place ? typed(answer[i]) : x));
      texts[chance] = typeof answer[0] === "number" ? "98765" : "(9, 9, 9, 9)";
      const { say } = judge(drill, problem, texts);
      assert.match(say, /^Not yet\. Right so far: /);
    }
  });

  test(`${drill.name}: there are many problems, and the next one always differs`, () => {
    assert.ok(new Set(problems.map((problem) => JSON.stringify(problem))).size >= 50);
    const random = randomNumbers(1);
    for (let last = fresh(drill, random), i = 0; i < 50; i += 1) {
      const next = fresh(drill, random, last);
      assert.notDeepEqual(next, last);
      last = next;
    }
  });

  test(`${drill.name}: all problems have the same layout, and solutions end in the answers`, () => {
    const shapes = problems.map((problem) => {
      const { asked, given, way } = drill.show(problem);
      for (const { rows, heads, cells } of given) {
        assert.equal(cells.length, rows.length);
        assert.ok(cells.every((row) => row.length === heads.length));
      }
      assert.ok(way.length >= 2 && way.every((step) => !/undefined|NaN|\[object/.test(step)));
      return [asked.rows.length, asked.heads.length, given.length].join();
    });
    assert.equal(new Set(shapes).size, 1);
  });

  test(`${drill.name}: an unreadable answer is named, and other boxes are still judged`, () => {
    const [problem] = problems;
    const right = drill.answer(problem).map(typed);
    const first = boxNames(drill.show(problem).asked)[0];
    for (const text of ["abc", "1,2,3.4x", "<img src=x onerror=alert(1)>", "1/0", "--1"]) {
      const { say, verdicts, done } = judge(drill, problem, [text, ...right.slice(1)]);
      assert.ok(say.includes(first) && say.includes("is not a"), say);
      assert.deepEqual(new Set(verdicts.slice(1)), new Set(right.slice(1).map(() => "right")));
      assert.equal(verdicts[0], "unread");
      assert.equal(done, false);
    }
    const long = judge(drill, problem, ["x".repeat(1e5), ...right.slice(1)]).say;
    assert.ok(long.length < 200, "a long text is cut");
    assert.equal(
      judge(
        drill,
        problem,
        right.map(() => " "),
      ).say,
      "Fill in the boxes first.",
    );
    const partly = judge(drill, problem, ["", ...right.slice(1)]);
    assert.equal(partly.say, `Right so far. Still empty: ${first}.`);
    assert.equal(partly.done, false);
  });
}
