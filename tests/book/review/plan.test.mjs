// @ts-check
// When things come back: the plan against ts-fsrs itself, and what is asked in which order.

import assert from "node:assert/strict";
import { test } from "node:test";

// As the page gets them: plain scripts that leave what they offer on the window.
const all = /** @type {any} */ (globalThis);
const library = "../../../book/static/review/ts-fsrs/index.umd.js"; // its types are not ours to check
await import(library);
await import("../../../book/static/stored.js");
await import("../../../book/static/review/cards.js");
await import("../../../book/static/review/plan.js");
const plan = all.reviewPlan;

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 5, 8);
/** Days after the last answer, and what the answer was worth. @type {[number, string][][]} */
const HISTORIES = [
  [
    [0, "good"],
    [2, "good"],
    [9, "good"],
    [40, "again"],
    [1, "good"],
    [5, "hard"],
  ],
  [
    [0, "again"],
    [1, "again"],
    [1, "hard"],
    [3, "good"],
    [100, "good"],
  ],
  [
    [0, "hard"],
    [0.3, "good"],
    [30, "good"],
  ],
];

/** @param {string} id @param {"quiz" | "drill"} kind */
const item = (id, kind) => ({ id, kind });

test("a plan equals that of ts-fsrs for the same history", () => {
  for (const retention of [0.8, 0.9, 0.95])
    for (const history of HISTORIES) {
      const scheduler = all.FSRS.fsrs({
        request_retention: retention,
        maximum_interval: 3650,
        enable_fuzz: false,
        enable_short_term: false,
      });
      let theirs = all.FSRS.createEmptyCard(new Date(START));
      let ours;
      let at = START;
      for (const [days, grade] of history) {
        at += days * DAY;
        const rating = all.FSRS.Rating[grade[0].toUpperCase() + grade.slice(1)];
        theirs = scheduler.next(theirs, new Date(at), rating).card;
        ours = plan.planned(ours, { at, grade, wrong: [] }, retention);
        assert.equal(ours.due, theirs.due.getTime());
        assert.ok(Math.abs(ours.stability - theirs.stability) < 1e-9);
        assert.ok(Math.abs(ours.difficulty - theirs.difficulty) < 1e-9);
        assert.deepEqual([ours.reps, ours.lapses], [theirs.reps, theirs.lapses]);
        assert.ok(ours.due >= at + DAY / 2, "nothing comes back within the sitting");
      }
    }
});

test("intervals grow with right answers and shrink after a mistake", () => {
  const first = plan.planned(undefined, { at: START, grade: "good", wrong: [] }, 0.9);
  const second = plan.planned(first, { at: first.due, grade: "good", wrong: [] }, 0.9);
  const lapse = plan.planned(second, { at: second.due, grade: "again", wrong: ["b"] }, 0.9);
  assert.ok(second.due - first.due > first.due - START);
  assert.ok(lapse.due - second.due < second.due - first.due);
  assert.deepEqual(lapse.wrong, ["b"]);
});

test("a card is due when its recall probability falls to the wanted retention", () => {
  const library = all.FSRS.fsrs({ request_retention: 0.9 });
  for (const level of [0.8, 0.85, 0.9]) {
    const card = plan.planned(undefined, { at: START, grade: "good", wrong: [] }, level);
    const days = (card.due - START) / DAY;
    const chance = (/** @type {number} */ x) => library.forgetting_curve(x, card.stability);
    // It comes on a whole day.
    assert.ok(chance(days - 1) >= level && chance(days + 1) <= level, `${level}: ${days} days`);
  }
});

test("due cards are sorted by date, without excluded or missing ones", () => {
  const items = new Map(["a", "b", "c", "d"].map((id) => [id, item(id, "quiz")]));
  const due = (/** @type {number} */ at) => ({ ...plan.fresh(), due: at });
  const cards = { c: due(5), a: due(3), b: due(1), d: due(99), gone: due(2) };
  const found = plan.dueOf({ cards, out: ["b"], waiting: [] }, items, 10, Math.random);
  assert.deepEqual(
    found.map((/** @type {any} */ one) => one.id),
    ["a", "c"],
  );
});

test("a sitting has the items that fit its minutes, and at least one", () => {
  const due = [item("a", "drill"), item("b", "drill"), item("c", "quiz"), item("d", "quiz")];
  const ids = (/** @type {number} */ minutes) =>
    plan.sitting(due, minutes).map((/** @type {any} */ one) => one.id);
  assert.deepEqual(ids(1), ["a"]);
  assert.deepEqual(ids(3), ["a", "b"]);
  assert.deepEqual(ids(20), ["a", "b", "c", "d"]);
});

test("choices are shuffled, with earlier wrong choices first", () => {
  const choices = ["a", "b", "c", "d"].map((text) => ({ text, feedback: "", right: text === "a" }));
  const random = [0.9, 0.1, 0.5, 0.3];
  let turn = 0;
  const order = plan.shuffled(choices, ["c"], () => random[turn++]);
  assert.deepEqual(
    order.map((/** @type {any} */ one) => one.text),
    ["c", "b", "d", "a"],
  );
});

test("a card dated in the future is due, and answering it changes only its own dates", () => {
  const right = { ...plan.fresh(), reps: 3, stability: 9, difficulty: 5, last: START, due: START };
  for (const now of [Date.UTC(2016, 2, 3), Date.UTC(2099, 2, 3)]) {
    const cards = { a: { ...right }, b: { ...right } };
    const kept = { retention: 0.9, cards, out: [], waiting: [] };
    const items = new Map(["a", "b"].map((id) => [id, item(id, "quiz")]));
    assert.equal(plan.dueOf(kept, items, now, Math.random).length, 2);
    /** @type {any[]} */ (kept.waiting).push({ id: "a", at: now, grade: "good", wrong: [] });
    plan.takeIn(kept);
    assert.deepEqual(cards.b, right, "what was not answered keeps its dates");
    assert.equal(cards.a.last, now);
    const later = Math.max(now, START) === now ? START + 40 * DAY : START; // the clock is right again
    assert.equal(plan.dueOf(kept, items, later, Math.random).length, 2, "both can be asked");
    const after = plan.planned(cards.a, { at: later, grade: "good", wrong: [] }, 0.9);
    assert.equal(after.last, later);
    assert.ok(after.due > later && after.due < later + 3651 * DAY);
  }
});

test("a clock set back by less than a day counts as no elapsed time", () => {
  const first = plan.planned(undefined, { at: START, grade: "good", wrong: [] }, 0.9);
  const second = plan.planned(first, { at: START - DAY / 2, grade: "good", wrong: [] }, 0.9);
  assert.equal(second.last, START);
});

test("waiting answers are applied in order of time, each once", () => {
  const kept = {
    ...{ format: 1, retention: 0.9, cards: {}, out: [] },
    waiting: [
      { id: "a", at: START + 3 * DAY, grade: "good", wrong: [] },
      { id: "a", at: START, grade: "again", wrong: ["no"] },
    ],
  };
  plan.takeIn(kept);
  const card = /** @type {any} */ (kept.cards).a;
  assert.deepEqual([card.reps, card.last, card.wrong], [2, START + 3 * DAY, ["no"]]);
  assert.deepEqual(kept.waiting, []);
});
