import assert from "node:assert/strict";
import test from "node:test";

import figure, { verdict } from "#lessons/output_and_loss/logits_to_loss/logits_to_loss.js";
import { compute, lossAt } from "#lessons/output_and_loss/logits_to_loss/logits_to_loss_math.js";
import { modelOf } from "../../kit/figures/compare.mjs";
import { rendered } from "../../kit/figures/fake_document.mjs";

const words = ["a", "am", "i", "thanks", "student", "<eos>"];
const state = (changes) => ({
  words,
  logits: [1, 3, -2, -1, 1, 0],
  target: 1,
  label_smoothing: 0,
  ...changes,
});
const found = (changes) => compute(modelOf(state(changes)));

test("verdict says the loss and where a step leads", () => {
  const said = (changes) => verdict(found(changes), "am", 1);
  assert.equal(
    said({}),
    "“am” has probability 0.7432, and the loss is 0.2968. The gradient of its logit is −0.2568: a step raises this logit, and lowers the others together by as much.",
  );
  assert.match(
    said({ logits: [6, -6, 0, 0, 0, 0] }),
    /^“am” has probability less than 0\.0001, and/,
  );
  assert.match(
    said({ logits: [0, 6, 0, 0, 0, 0], label_smoothing: 0.2 }),
    /it cannot fall below 0\.\d+\. .*a step lowers this logit, because p = 0\.98\d+ exceeds the target 0\.8333\.$/,
  );
  assert.match(
    said({ logits: [-6, 6, -6, -6, -6, -6] }),
    /The gradient of its logit is almost 0\.$/,
  );
});

test("the curve goes through the loss, and its slope is p − target", () => {
  for (const changes of [
    {},
    { target: 3 },
    { label_smoothing: 0.3, logits: [1, 6, -2, -1, 1, 0] },
  ]) {
    const now = state(changes);
    const { measures, gradient } = compute(modelOf(now));
    const z = now.logits[now.target];
    assert.equal(lossAt(now, z), measures[0][0]);
    const slope = (lossAt(now, z + 1e-4) - lossAt(now, z - 1e-4)) / 2e-4;
    assert.ok(Math.abs(slope - gradient[now.target][0]) < 1e-7);
  }
  const { el, model, stop } = rendered(figure, state({}));
  const keys = () => el.marked("span", "tl-key");
  const texts = () => keys().map((key) => key.textContent);
  assert.deepEqual(texts(), ["loss", "its slope here: −0.26", "here: 0.3"]);
  model.set("logits", [1, -6, -2, -1, 1, 0]);
  model.save_changes();
  assert.deepEqual(texts(), ["loss", "its slope here: −1", "here: 7.94"]);
  const [mark] = el.all("circle");
  assert.equal(mark.attributes.cx, "58.0"); // at the left end
  stop();
});

test("buttons step, add and reset; logits at the top are raised no more", () => {
  const { el, model, stop } = rendered(figure, state({}));
  el.press("Step down the gradient");
  assert.deepEqual(model.get("logits"), [0.9, 3.26, -2.01, -1.01, 0.9, -0.04]);
  el.press("Add 1 to all logits");
  assert.deepEqual(model.get("logits"), [1.9, 4.26, -1.01, -0.01, 1.9, 0.96]);
  el.press("Add 1 to all logits");
  assert.ok(el.button("Add 1 to all logits").disabled);
  el.press("Reset");
  assert.deepEqual(model.get("logits"), state({}).logits);
  assert.ok(!el.button("Add 1 to all logits").disabled);
  stop();
});
