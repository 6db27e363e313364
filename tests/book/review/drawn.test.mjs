// @ts-check
// What a check-up asks: twelve different things, from each chapter in turn, the same each time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { randomNumbers } from "../../../book/lessons/kit/figures/kit.js";

await import("../../../book/static/review/drawn.js");
/** @type {(items: object[], random: () => number) => {id: string, seed: number, order: number[]}[]} */
const drawn = /** @type {any} */ (globalThis).drawnCheckup;

/** Things of some chapters, with a drill first in each. @param {number[]} sizes */
const part = (sizes) =>
  sizes.flatMap((size, chapter) =>
    Array.from({ length: size }, (_, i) => ({
      ...{ id: `${chapter}#${i}`, chapter: `${chapter}`, kind: i ? "quiz" : "drill" },
      choices: i ? 3 : 0,
    })),
  );
const ids = (/** @type {{id: string}[]} */ list) => list.map(({ id }) => id);

test("twelve different items are drawn from the chapters in turn, at most three drills", () => {
  for (let number = 1; number <= 200; number += 1) {
    const found = ids(drawn(part([5, 9, 3, 8, 4]), randomNumbers(number)));
    assert.equal(new Set(found).size, 12);
    assert.ok(found.filter((id) => id.endsWith("#0")).length <= 3);
    const counts = [0, 1, 2, 3, 4].map((c) => found.filter((id) => id.startsWith(`${c}#`)).length);
    assert.ok(Math.min(...counts) >= 2, `${counts}`);
  }
});

test("each order has every choice once, and every position comes first in some order", () => {
  const firsts = new Set();
  for (let number = 1; number <= 30; number += 1)
    for (const { id, order } of drawn(part([6, 6]), randomNumbers(number))) {
      assert.deepEqual(order.toSorted(), id.endsWith("#0") ? [] : [0, 1, 2]);
      if (order.length) firsts.add(order[0]);
    }
  assert.deepEqual([...firsts].sort(), [0, 1, 2]);
});
