import assert from "node:assert/strict";
import test from "node:test";

import { answerText } from "../../transformer_lite/figures/question.js";

const choice = { text: "zeros", feedback: "Here is why.", right: true };

test("a quiz answer says whether it is right, then why", () => {
  assert.equal(answerText(choice, false), "Right. Here is why.");
  assert.equal(answerText({ ...choice, right: false }, false), "Not this one. Here is why.");
});

test("a prediction is noted and not judged", () => {
  assert.equal(answerText(choice, true), "Noted: “zeros”. Here is why.");
});
