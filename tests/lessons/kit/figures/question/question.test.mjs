import assert from "node:assert/strict";
import test from "node:test";

import { answerText, practised } from "#lessons/kit/figures/question/question.js";

const choice = { text: "zeros", feedback: "Here is why.", right: true };

test("a quiz answer says whether it is right, then why", () => {
  assert.equal(answerText(choice, false), "Right. Here is why.");
  assert.equal(answerText({ ...choice, right: false }, false), "Not this one. Here is why.");
});

test("a prediction is recorded but not judged", () => {
  assert.equal(answerText(choice, true), "Noted: “zeros”. Here is why.");
});

test("an event tells the page the answer and whether it is right", () => {
  const event = practised("Which?", choice, false);
  assert.equal(event.type, "tl:practised");
  assert.equal(event.bubbles, true);
  assert.deepEqual(event.detail, { kind: "quiz", id: "Which?", right: true, choice: "zeros" });
  assert.equal(practised("Which?", { ...choice, right: false }, false).detail.right, false);
});

test("a prediction is neither right nor wrong", () => {
  const { detail } = practised("Which?", choice, true);
  assert.deepEqual(detail, { kind: "prediction", id: "Which?", right: null, choice: "zeros" });
});
