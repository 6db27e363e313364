// The tour of a figure: what it says, how a reader goes through it, takes over and comes back.

import assert from "node:assert/strict";
import test from "node:test";

import { spoken, touring } from "#lessons/kit/figures/tour.js";
import { makeDocument, makeModel } from "./fake_document.mjs";

const MOMENTS = [
  { state: {}, say: "As it began: {sum}." },
  { state: { x: 5 }, say: "Five: {sum:0}, {rows.0.1:3}, {share:%}." },
  { state: { y: 7 }, say: "Nothing to count." },
];
const compute = (model) => ({
  sum: model.get("x") + model.get("y"),
  rows: [[0, 0.12345]],
  share: 0.256,
});

/** A figure with a tour, in a state. */
function begin(state, reduced = false) {
  /** @type {any} */
  const el = makeDocument();
  el.prepend = (child) => el.append(child);
  Object.assign(globalThis, { window: globalThis, matchMedia: () => ({ matches: reduced }) });
  const model = makeModel({ x: 1, y: 2, tour: true, ...state });
  let stopped = false;
  const render = () => () => {
    stopped = true;
  };
  const stop = touring(render, ["x", "y"], MOMENTS, compute)({ model, el });
  for (const button of el.all("button")) button.focus = () => {};
  const find = (text) => el.all("button").find((b) => b.textContent.startsWith(text));
  const press = (text) => find(text).dispatch("click");
  const says = () => el.all("p").at(-1).textContent;
  const at = () => el.all("span").at(-1).textContent;
  const now = () => [model.get("x"), model.get("y")];
  return { el, model, stop, find, press, says, at, now, stopped: () => stopped };
}

test("numbers are filled in by their path, with two decimals, as many as asked, or in percent", () => {
  const results = { rows: [[0, 0.12345]], share: 0.256, whole: 3, on: true };
  assert.equal(
    spoken("{rows.0.1} {rows.0.1:3} {share:%} {whole} {on}", results),
    "0.12 0.123 26 % 3 1",
  );
  assert.equal(spoken("no number", {}), "no number");
});

test("a reader steps on and back, and not past the ends", () => {
  const { press, says, at, now } = begin();
  press("Tour");
  assert.deepEqual([at(), says(), now()], ["1 of 3", "As it began: 3.", [1, 2]]);
  press("Back");
  assert.equal(at(), "1 of 3");
  press("Next");
  assert.deepEqual([at(), says(), now()], ["2 of 3", "Five: 7, 0.123, 26 %.", [5, 2]]);
  press("Next");
  assert.deepEqual([at(), says(), now()], ["3 of 3", "Nothing to count.", [1, 7]]);
  press("Next");
  assert.equal(at(), "3 of 3");
});

test("a reader can leave and resume a tour, and its end restores the figure", () => {
  const { model, press, find, now } = begin();
  model.set("y", 9);
  press("Tour");
  press("Next");
  assert.equal(find("Back to the tour").hidden, true);
  model.set("x", 8);
  assert.equal(find("Back to the tour").hidden, false);
  press("Back to the tour");
  assert.deepEqual(now(), [5, 2]);
  assert.equal(find("Back to the tour").hidden, true);
  press("End");
  assert.deepEqual(now(), [1, 9]);
  assert.equal(find("Tour").hidden, false);
});

test("it plays by itself when asked, stops at its end, and when the reader touches the figure", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { model, press, find, at } = begin();
  press("Tour");
  t.mock.timers.tick(60_000);
  assert.equal(at(), "1 of 3"); // never by itself
  press("Play");
  t.mock.timers.tick(60 * MOMENTS[0].say.length);
  assert.equal(at(), "2 of 3");
  model.set("x", 0);
  t.mock.timers.tick(60_000);
  assert.equal(at(), "2 of 3");
  press("Play");
  t.mock.timers.tick(60_000);
  assert.deepEqual([at(), find("Play").textContent], ["3 of 3", "Play"]);
});

test("Play is hidden if motion is to be reduced", () => {
  assert.equal(begin({}, true).find("Play").hidden, true);
  assert.equal(begin().find("Play").hidden, false);
});

test("its cleanup stops the figure and itself", () => {
  const { model, stop, stopped, press, find } = begin();
  press("Tour");
  stop();
  model.set("x", 3);
  assert.equal(find("Back to the tour").hidden, true);
  assert.ok(stopped());
});

test("the page can open and close a moment, and a missing moment changes nothing", () => {
  const { el, model, at, now, find } = begin();
  model.set("y", 9);
  el.dispatch("tl:moment", { detail: -1 });
  assert.deepEqual(now(), [1, 9]);
  el.dispatch("tl:moment", { detail: 1 });
  assert.deepEqual([at(), now()], ["2 of 3", [5, 2]]);
  el.dispatch("tl:moment", { detail: 7 });
  assert.equal(at(), "2 of 3");
  el.dispatch("tl:moment", { detail: -1 });
  assert.deepEqual([find("Tour").hidden, now()], [false, [1, 9]]);
});
