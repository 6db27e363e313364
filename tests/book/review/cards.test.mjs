// @ts-check
// What Review keeps, read entry by entry: what is damaged costs only itself.

import assert from "node:assert/strict";
import { test } from "node:test";

const all = /** @type {any} */ (globalThis);
await import("../../../book/static/stored.js");
await import("../../../book/static/review/cards.js");
const library = "../../../book/static/review/ts-fsrs/index.umd.js"; // its types are not ours to check
await import(library);
await import("../../../book/static/review/plan.js");
const { reviewCards, reviewPlan: plan } = all;

const CARD = {
  ...{ due: 2e12, last: 1.7e12, stability: 9, difficulty: 5, reps: 3, lapses: 1 },
  wrong: ["no"],
};
const ANSWER = { id: "05_attention#q2", at: 1.7e12, grade: "good", wrong: [] };
const WHOLE = {
  ...{ format: 1, retention: 0.85, cards: { "05_attention#q1": CARD } },
  ...{ out: ["05_attention#q3"], waiting: [ANSWER] },
};
// Wrong values of each field; undefined means a field that is missing.
const WRONG = [undefined, null, true, "", "5", "2026-11-28", -1, NaN, 1e300, [], [1], {}];
const json = (/** @type {unknown} */ x) => JSON.parse(JSON.stringify(x));

/** @param {any} data */
function examined(data) {
  const { data: kept, damaged } = reviewCards.examine(json(data));
  plan.takeIn(kept); // what was let through can be planned with
  const { cards } = json(kept);
  for (const card of Object.values(cards)) assert.ok(Number.isFinite(card.due) && card.last >= 0);
  return { kept, damaged, cards };
}

test("undamaged data is read unchanged", () => {
  assert.deepEqual(reviewCards.examine(json(WHOLE)), { data: WHOLE, damaged: [] });
  assert.deepEqual(reviewCards.examine(undefined).damaged, []);
});

test("a damaged card or answer is dropped and all others are kept", () => {
  /** @type {Record<string, any>} */
  const isFine = {
    ...{ due: [], last: [], reps: [], lapses: [], difficulty: [], stability: [] },
    ...{ id: ["5", "", "2026-11-28"], at: [], grade: [], wrong: [[]] },
  };
  for (const [where, one] of /** @type {[string, any][]} */ ([
    ["cards", CARD],
    ["waiting", ANSWER],
  ]))
    for (const name of [...Object.keys(one), ""])
      for (const wrong of WRONG) {
        const accepted = isFine[name] ?? [];
        if (accepted.some((/** @type {any} */ x) => JSON.stringify(x) === JSON.stringify(wrong)))
          continue;
        const bad = name === "" ? wrong : { ...one, [name]: wrong };
        if (bad === undefined) continue;
        const data =
          where === "cards"
            ? { ...WHOLE, cards: { bad, ...WHOLE.cards } }
            : { ...WHOLE, waiting: [bad, ANSWER] };
        const { damaged, cards } = examined(data);
        assert.deepEqual(Object.keys(cards).sort(), ["05_attention#q1", "05_attention#q2"]);
        assert.deepEqual(damaged, [[where === "cards" ? "card bad" : where, json(bad)]], name);
      }
});

test("a damaged field is reset and all others are kept", () => {
  for (const name of ["retention", "cards", "out", "waiting", "format"])
    for (const wrong of [null, "5", true, name === "cards" ? [1] : { a: 1 }]) {
      const { data, damaged } = reviewCards.examine(json({ ...WHOLE, [name]: wrong }));
      const first = reviewCards.nothing()[name];
      assert.deepEqual(data, { ...WHOLE, [name]: first });
      assert.deepEqual(damaged, [[name, wrong]]);
    }
});

test("names that every object has are not taken for cards", () => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    const text = JSON.stringify(WHOLE)
      .replace('"05_attention#q1"', `"${name}"`)
      .replace('"05_attention#q2"', `"${name}"`);
    const { damaged, cards } = examined(JSON.parse(text));
    assert.deepEqual([cards, damaged.length], [{}, 2], name);
  }
});

test("data of a later edition or another program is refused as a whole", () => {
  const { data, newer } = reviewCards.examine({ ...WHOLE, format: 2 });
  assert.match(newer, /format 2, and this edition reads formats up to 1/);
  assert.deepEqual(data, reviewCards.nothing());
  for (const foreign of [null, 3, "x", [], [1], {}, { name: "x" }, { cards: [] }]) {
    assert.match(reviewCards.fault(foreign), /not written by this book/);
    assert.deepEqual(reviewCards.examine(foreign).damaged, [["", foreign]]);
  }
});

test("a large number of cards is not taken for damage", () => {
  const cards = Object.fromEntries([...Array(20_000).keys()].map((i) => [`c${i}`, CARD]));
  assert.equal(Object.keys(examined({ ...WHOLE, cards }).cards).length, 20_001);
});

test("a due date beyond the longest interval is capped to it", () => {
  const now = CARD.last;
  assert.equal(reviewCards.dueAt({ ...CARD, due: 9e13 }, now), now + 3651 * reviewCards.DAY);
  assert.equal(reviewCards.dueAt(CARD, now), CARD.due);
  assert.equal(reviewCards.dueAt({ ...CARD, last: 4e12, due: 5e12 }, now), now);
});

test("of two cards the later is kept unless only it lies in the future", () => {
  const [old, fresh, ahead] = [1e12, 1.7e12, 4e12].map((last) => ({ ...CARD, last }));
  const now = 1.75e12;
  /** @type {[any, any, boolean][]} */
  const pairs = [
    [old, fresh, true],
    [fresh, old, false],
    [fresh, ahead, false],
    [ahead, fresh, true],
    [ahead, { ...ahead, last: 5e12 }, true],
  ];
  for (const [own, other, later] of pairs)
    assert.equal(reviewCards.isLater(own, other, now), later);
});
