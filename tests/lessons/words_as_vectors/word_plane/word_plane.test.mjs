import assert from "node:assert/strict";
import test from "node:test";

import { frameOf, namesThatFit } from "#lessons/words_as_vectors/word_plane/plane_drawing.js";
import {
  answers,
  changedPair,
  distance,
  nearestTo,
  places,
  stepFrom,
  tipOf,
  WORDS,
} from "#lessons/words_as_vectors/word_plane/word_math.js";
import figure, { ordinal, verdict } from "#lessons/words_as_vectors/word_plane/word_plane.js";
import { close, modelOf } from "../../kit/figures/compare.mjs";
import { rendered } from "../../kit/figures/fake_document.mjs";

const state = (changes) => ({
  pair: ["man", "king"],
  start: "woman",
  exclude: true,
  plane: "all",
  ...changes,
});
const found = (changes) => answers(modelOf(state(changes)));
const of = (name) => WORDS.indexOf(name);

test("the tip makes a parallelogram", () => {
  close(
    tipOf(
      [
        [0, 0],
        [2, 1],
        [5, 5],
      ],
      [0, 1, 2],
    ),
    [7, 6],
  );
});

test("a step goes to the nearest word within 45° of its direction, or nowhere", () => {
  const points = [
    [0, 0],
    [3, 0],
    [1, 2],
    [-1, -0.1],
  ];
  assert.equal(stepFrom(points, 0, [1, 0]), 1);
  assert.equal(stepFrom(points, 0, [0, 1]), 2);
  assert.equal(stepFrom(points, 0, [-1, 0]), 3);
  assert.equal(stepFrom(points, 0, [0, -1]), 0);
  assert.equal(nearestTo(points, [2, 0.2]), 1);
});

test("arrow keys reach every word from every other", () => {
  const points = places(modelOf(state({})));
  const ways = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ];
  const seen = new Set([0]);
  for (const i of seen) for (const way of ways) seen.add(stepFrom(points, i, way));
  assert.equal(seen.size, WORDS.length);
});

test("verdict says what is nearest, what the rule did and what the drawing shows", () => {
  const said = (changes) => verdict(found(changes), state(changes).exclude);
  assert.match(
    said({}),
    /^king − man \+ woman: of 66 words “queen” is nearest, with a cosine of 0\.502\. The rule leaves out “king”, a word of the question, with 0\.648\. In the drawing “queen” is the \d+(st|nd|rd|th) nearest\.$/,
  );
  assert.match(said({ exclude: false }), /0\.648\. That is a word of the question\. In the dr/);
  const made = {
    ...found({}),
    ...{ three: [0, 1, 2], found: [5], first: 5, cosines: Array(9).fill(0.5), drawn: [1] },
  };
  assert.match(verdict(made, true), /The rule changes nothing here\. .* is the nearest, too\.$/);
  assert.match(verdict(made, false), /cosine of 0\.5\. In the drawing/);
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 22, 33, 40].map(ordinal), [
    ..."1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 33rd 40th".split(" "),
  ]);
});

/** Draw the figure, and find its parts. */
function drawn(changes) {
  const { el, model, stop } = rendered(figure, state(changes));
  const [From, To, Start] = el.marked("button", "wp-handle");
  const [plane] = el.marked("div", "wp-plane");
  plane.getBoundingClientRect = () => ({ left: 0, top: 0, width: 100, height: 100 });
  return { el, model, stop, plane, handles: { From, To, Start } };
}

/** Where the dot of a word is drawn, as a pointer event. */
function over(model, name) {
  const { points, target } = answers(model);
  const [clientX, clientY] = frameOf([...points, target]).at(points[of(name)]);
  return { clientX, clientY, pointerId: 1 };
}

test("a handle follows the pointer from word to word, and arrow keys step", () => {
  const { model, stop, handles } = drawn({});
  const { Start } = handles;
  Object.assign(Start, { setPointerCapture() {}, hasPointerCapture: () => true });
  for (const name of ["girl", "rome", "water"]) {
    Start.dispatch("pointermove", over(model, name));
    assert.equal(model.get("start"), name);
  }
  Start.hasPointerCapture = () => false;
  Start.dispatch("pointermove", over(model, "cat"));
  assert.equal(model.get("start"), "water");
  Start.dispatch("keydown", { key: "x" });
  assert.equal(model.get("start"), "water");
  handles.From.dispatch("keydown", { key: "ArrowLeft" });
  assert.notEqual(model.get("pair")[0], "man");
  stop();
});

test("if dragging a word would move its plane, the word changes only on release", () => {
  const { model, stop, handles } = drawn({ plane: "three" });
  Object.assign(handles.To, { setPointerCapture() {}, hasPointerCapture: () => true });
  handles.To.dispatch("pointermove", over(model, "boy"));
  assert.deepEqual(model.get("pair"), ["man", "king"]);
  handles.To.dispatch("pointerup", over(model, "boy"));
  assert.deepEqual(model.get("pair"), ["man", "boy"]);
  stop();
});

test("shown names do not overlap, and the first ones are always shown", () => {
  const dots = [...Array(5).fill([50, 50]), [20, 20], [80, 80], [84, 80]];
  const names = ["middle", "second", "third", "fourth", "fifth", "far", "pair", "close"];
  const order = names.map((_, i) => i);
  const fit = (list, counts) => namesThatFit(dots, names, list, counts);
  const sides = fit(order, { sure: 1, liked: 7 });
  assert.equal(sides[0], "above");
  assert.equal(sides[5], "above");
  assert.ok(sides.includes(undefined), "five names have no room on one spot");
  assert.ok(!fit(order.toReversed(), { sure: 8, liked: 0 }).includes(undefined));
  const [pair, close] = fit(order, { sure: 0, liked: 0 }).slice(6);
  assert.notEqual(pair, "right", "there it would cover the other dot");
  assert.notEqual(close, "left");
});

test("a drawing has one scale for both axes and can be inverted", () => {
  const points = [
    [0, 0],
    [4, 1],
    [2, -1],
  ];
  const { at, back } = frameOf(points);
  const [p, q, r] = points.map(at);
  close(distance(p, q) / distance(points[0], points[1]), distance(q, r) / Math.hypot(2, 2));
  for (const point of points) close(back(at(point)), point);
  for (const x of points.flatMap(at)) assert.ok(x >= 8.9 && x <= 91.1);
});

test("choosing the other word of the pair swaps the two", () => {
  assert.deepEqual(changedPair(["man", "king"], 0, "king"), ["king", "man"]);
  assert.deepEqual(changedPair(["man", "king"], 1, "man"), ["king", "man"]);
  assert.deepEqual(changedPair(["man", "king"], 1, "boy"), ["man", "boy"]);
});

test("the menu of questions sets all three words and recognizes its own questions", () => {
  const { el, model, stop } = drawn({});
  const [question, from] = el.all("select");
  assert.equal(question.selectedIndex, 1);
  question.selectedIndex = 2;
  question.dispatch("change");
  assert.deepEqual([model.get("pair"), model.get("start")], [["france", "paris"], "italy"]);
  from.selectedIndex = of("water");
  from.dispatch("change");
  assert.equal(question.selectedIndex, 0);
  question.selectedIndex = 0;
  question.dispatch("change");
  assert.deepEqual(model.get("pair"), ["water", "paris"]);
  stop();
});
