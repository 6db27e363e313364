// How a page is cut into screens, and what an address and a key mean while it is projected.
import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf } from "../../../book/projector/keys.js";
import { cut, inTurn, readPlace, screenOf, writePlace } from "../../../book/projector/screens.js";
import { randomNumbers } from "../../../book/lessons/kit/figures/kit.js";

/** Blocks below each other: heights, or [height, what is special]. */
function page(...heights) {
  let top = 50;
  return heights.map((one) => {
    const [height, more] = Array.isArray(one) ? one : [one, {}];
    const block = { top, bottom: top + height, starts: false, leads: "", ...more };
    top += height + 10;
    return block;
  });
}
const heading = (height) => [height, { starts: true, leads: "always" }];
const colon = (height) => [height, { leads: "if it fits" }];

test("a section begins a new screen, however much room is left", () => {
  assert.deepEqual(cut(page(heading(50), 20, heading(50), 20), 1000), [0, 2]);
});

test("a heading without text stays with the first section inside it", () => {
  assert.deepEqual(cut(page(heading(50), heading(40), 20), 1000), [0]);
});

test("a block that does not fit begins a screen, one that just fits does not", () => {
  assert.deepEqual(cut(page(100, 100, 100), 320), [0]);
  assert.deepEqual(cut(page(100, 100, 100), 319), [0, 2]);
});

test("a block taller than the screen gets its own screen", () => {
  assert.deepEqual(cut(page(100, 900, 100), 400), [0, 1, 2]);
});

test("a heading stays even with a block that is too high", () => {
  assert.deepEqual(cut(page(heading(50), 900, 100), 400), [0, 2]);
});

test("a line ending in a colon stays with the next block if both fit", () => {
  assert.deepEqual(cut(page(200, colon(50), 250), 400), [0, 1]);
  assert.deepEqual(cut(page(200, colon(50), 900), 400), [0, 2]);
  assert.deepEqual(cut(page(heading(50), colon(50), 390), 400), [0, 2]);
});

test("a prediction and its bar stay together", () => {
  const blocks = page(200, [180, { leads: "always" }], 40, 50);
  assert.deepEqual(cut(blocks, 420), [0, 1]);
});

test("on random pages every screen fits or cannot be split, and no block is lost", () => {
  const next = randomNumbers(7);
  for (let trial = 0; trial < 300; trial += 1) {
    const blocks = page(
      ...Array.from({ length: 30 }, () => {
        const height = Math.round(10 + 300 * next());
        return next() < 0.2 ? heading(40) : next() < 0.3 ? colon(height) : height;
      }),
    );
    const firsts = cut(blocks, 400);
    assert.equal(firsts[0], 0);
    firsts.forEach((first, i) => {
      const end = firsts[i + 1] ?? blocks.length;
      assert.ok(first < end);
      const fits = blocks[end - 1].bottom - blocks[first].top <= 400;
      const bound = blocks.slice(first, end - 1).every(({ leads }) => leads === "always");
      assert.ok(fits || bound, `${first} to ${end}`);
      if (end < blocks.length) assert.notEqual(blocks[end - 1].leads, "always");
    });
  }
});

test("each moment of a figure's tour is a screen after the figure's own", () => {
  assert.deepEqual(inTurn([0, 2], [0, 2, 0]), [
    { first: 0, end: 2, moment: -1 },
    { first: 1, end: 2, moment: 0 },
    { first: 1, end: 2, moment: 1 },
    { first: 2, end: 3, moment: -1 },
  ]);
  assert.deepEqual(inTurn([], []), []);
});

test("a block's screen is the last one starting at or before it, or its moment's", () => {
  const screens = inTurn([0, 3, 4], [0, 0, 3, 0, 0]);
  const found = (block, moment) => screenOf(screens, block, moment);
  assert.deepEqual(
    [0, 2, 3, 4, 99].map((block) => found(block)),
    [0, 0, 4, 5, 5],
  );
  assert.deepEqual([found(2, 0), found(2, 2), found(2, 3), found(3, 0)], [1, 3, 0, 4]);
  assert.equal(screenOf([], 3), 0);
});

test("addresses round-trip, and anything else is not read as an address", () => {
  const places = [
    { id: "scores", steps: 0 },
    { id: "scores", steps: 7 },
    { id: "a.b_c", steps: 1 },
    { id: "", steps: 2 },
    { id: "é&=", steps: 3 },
  ];
  for (const { id, steps } of places)
    assert.deepEqual(readPlace(writePlace(id, steps)), { id, steps });
  assert.equal(writePlace("scores"), "#scores&projector");
  for (const hash of ["", "#", "#scores", "#projector", "#x&projector=", "#x&projector=-1"])
    assert.equal(readPlace(hash), null, hash);
  assert.deepEqual(readPlace("#%E0%A4%A&projector"), { id: "%E0%A4%A", steps: 0 });
});

const nothing = { matches: () => false, slides: false, outside: true };
const inFigure = { ...nothing, outside: false };
const one = (name) => ({ ...inFigure, matches: (list) => list.split(", ").includes(name) });
const press = (key, holder = nothing, shiftKey = false) => commandOf({ key, shiftKey }, holder);

test("keys move the screens", () => {
  const moves = ["ArrowRight", "ArrowLeft", "PageDown", "PageUp", "Home", "End", "Escape", " "];
  const wishes = ["next", "previous", "on", "back", "first", "last", "leave", "on"];
  assert.deepEqual(
    moves.map((key) => press(key)),
    wishes,
  );
  assert.equal(press(" ", nothing, true), "back");
  assert.deepEqual(
    ["A", "a", "f", "?", "z", "Tab", "toString"].map((key) => press(key)),
    [...["answer", "answer", "full", "keys", "", "", ""]],
  );
});

test("buttons keep Space, scrolling boxes keep arrow keys, and letters need the stage", () => {
  assert.equal(press(" ", one("button")), "");
  assert.equal(press("ArrowRight", one("button")), "next");
  assert.equal(press("a", one("button")), "");
  const box = { ...inFigure, slides: true };
  assert.deepEqual([press("ArrowLeft", box), press("PageDown", box)], ["", "on"]);
});
