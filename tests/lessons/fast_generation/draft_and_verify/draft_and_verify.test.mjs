import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import figure from "#lessons/fast_generation/draft_and_verify/draft_and_verify.js";
import shared from "#lessons/fast_generation/draft_and_verify/draft_and_verify.json" with {
  type: "json",
};
import {
  costOf,
  isAccepted,
  keptPart,
  bigramProbabilities,
  readBigrams,
  residualPart,
  scaledResidual,
  speculator,
  stepsOf,
  writtenAt,
} from "#lessons/fast_generation/draft_and_verify/speculation.js";
import {
  brief,
  verdict,
  verdictsOf,
  wordStatus,
} from "#lessons/fast_generation/draft_and_verify/status_text.js";
import { drawIndex } from "#lessons/kit/figures/math.js";
import { readModel } from "#lessons/kit/figures/translator/weights.js";
import { assetsOf, fixtures } from "../../kit/figures/compare.mjs";
import { rendered } from "../../kit/figures/fake_document.mjs";

const files = fixtures.assets.draft_and_verify;
const bytesOf = (name) => new Uint8Array(readFileSync(files[name])).buffer;
const models = { gpt: readModel(bytesOf("model")), table: readBigrams(bytesOf("table")) };
const state = (changes) => ({
  text: "attention is",
  draft: "bigrams",
  length: 4,
  temperature: 1,
  seed: 5,
  step: 5,
  ...changes,
});
const figureIn = (changes) =>
  rendered(figure, { ...state(changes), assets: assetsOf("draft_and_verify") });
const said = (changes) => verdict(models.gpt, state(changes), speculator(models)(state(changes)));

test("accepted and replaced words together have the large model's probabilities", () => {
  const [p, q] = [Float64Array.of(0.2, 0.5, 0.3), Float64Array.of(0.4, 0.1, 0.5)];
  const total = residualPart(p, q).reduce((sum, x) => sum + x, 0);
  const scaled = scaledResidual(p, q);
  keptPart(p, q).forEach((kept, i) => {
    assert.ok(Math.abs(kept + total * scaled[i] - p[i]) < 1e-12);
  });
  assert.ok(scaledResidual(p, p).every(Number.isNaN));
  const chances = Array.from({ length: 1000 }, (_, i) => (i + 0.5) / 1000);
  const often = (test) => chances.filter(test).length;
  assert.equal(
    often((x) => drawIndex(p, x) === 1),
    500,
  );
  assert.equal(
    often((x) => isAccepted(p, q, 0, x)),
    500,
  );
  assert.equal(
    often((x) => isAccepted(p, q, 1, x)),
    1000,
  );
});

test("the probabilities of a table's row sum to 1, and a table costs nothing", () => {
  for (const v of [1, 3, 10, 1855]) {
    const sum = bigramProbabilities(models.table, v).reduce((all, x) => all + x, 0);
    assert.ok(Math.abs(sum - 1) < 1e-12);
  }
  const costs = shared.drafts.map((draft) => costOf(models.gpt, /** @type {any} */ (draft)));
  assert.deepEqual([costs[0], costs[1], costs[3]], [0, 0, 1]);
  assert.ok(costs[2] > 0.5 && costs[2] < 1);
});

test("steps forwards and backwards give the same moments", () => {
  const speculate = speculator(models);
  const kinds = [];
  for (let step = 1; step <= 24; step += 1) {
    const moment = speculate(state({ step }));
    kinds.push([moment.stage, ...writtenAt(moment)]);
  }
  for (let step = 24; step >= 1; step -= 1) {
    const moment = speculate(state({ step }));
    assert.deepEqual([moment.stage, ...writtenAt(moment)], kinds[step - 1]);
    assert.equal(moment.step, step);
  }
});

test("a full text stays as it is, and its steps are those of its rounds", () => {
  const speculate = speculator(models);
  const end = speculate(state({ step: 99 }));
  assert.ok(end.full && end.step < 99);
  assert.equal(
    end.step,
    end.rounds.reduce((sum, round) => sum + stepsOf(round), 0),
  );
  assert.ok(!speculate(state({ step: end.step - 1 })).full);
});

test("the verdict explains each kind of step", () => {
  assert.match(said({ step: 1 }), /^Draft model \(bigram table\): 4 words, .*“trained”, “on”/);
  assert.match(said({ step: 2 }), /returns p at 5 positions/);
  assert.match(said({ step: 3 }), /^“trained”: min\(1, p\/q\) = .* is below it: accepted\.$/);
  assert.match(
    said({ step: 5 }),
    /is not below it: rejected\. The 1 word after it is discarded\.$/,
  );
  assert.match(
    said({ step: 6 }),
    /divided by its sum: “purpose” had probability .* = [\d.]+\. The most/,
  );
  assert.match(said({ draft: "gpt", step: 7 }), /^All 4 drafted words were accepted\./);
  assert.match(said({ length: 1, draft: "gpt", step: 4 }), /^The drafted word was accepted\./);
  assert.match(said({ step: 99 }), /The text ends here\.$/);
  const moment = speculator(models)(state({ step: 5 }));
  assert.deepEqual(verdictsOf(moment), ["accepted", "accepted", "rejected", "dropped"]);
  assert.deepEqual(
    [0.25, 0.0002, 0, NaN].map((x) => brief(x)),
    ["0.25", "<0.001", "0", "?"],
  );
});

test("a pressed word explains its row", () => {
  const row = (step, i) => wordStatus(models.gpt, speculator(models)(state({ step })), i);
  assert.match(row(1, 0), /p is unknown/);
  assert.match(row(5, 0), /^“the” is drafted with .* accepted with p\/q = 0\.677: .* adds 0\.$/);
  assert.match(row(5, 1), /^“one” is drafted with probability q = 0\.03 and always accepted/);
  assert.match(row(5, shared.rows), /^All other words together: [\d.]+ \+ [\d.]+ = [\d.]+\.$/);
  assert.match(row(5, shared.rows + 1), /Σ min\(p, q\) = 0\.559\. It is rejected .* 0\.441/);
  const bonus = speculator(models)(state({ draft: "gpt", step: 7 }));
  assert.match(wordStatus(models.gpt, bonus, 0), /^Nothing was drafted at this position, so q = 0/);
  const { el, stop } = figureIn({ step: 5 });
  const [, why] = el.all("table");
  why.all("button")[0].dispatch("click");
  assert.equal(el.marked("p", "tl-status")[0].textContent, row(5, 0));
  return stop();
});

test("buttons step, finish a round, go back and draw again", () => {
  const { el, model, stop } = figureIn({ step: 2 });
  el.press("Step");
  assert.equal(model.get("step"), 3);
  el.press("Finish round");
  assert.equal(model.get("step"), 6);
  el.press("Finish round");
  assert.ok(model.get("step") > 6);
  el.press("Back");
  el.press("Another draw");
  assert.deepEqual([model.get("seed"), model.get("step")], [6, 2]);
  el.press("Back");
  el.press("Back");
  assert.equal(model.get("step"), 1);
  for (let i = 0; i < 30; i += 1) el.press("Finish round");
  assert.equal(el.button("Step").attributes["aria-disabled"], "true");
  const last = model.get("step");
  el.press("Step");
  assert.equal(model.get("step"), last);
  el.press("Reset");
  assert.deepEqual([model.get("seed"), model.get("step")], [5, 2]);
  return stop();
});

test("Run goes through the steps to the end, Pause stops it, and nothing is read meanwhile", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { el, model, stop } = figureIn({ step: 2 });
  const [news] = el.marked("p", "tl-status");
  const before = news.textContent;
  el.press("Run");
  t.mock.timers.tick(3 * shared.pace);
  assert.equal(model.get("step"), 5);
  assert.equal(news.textContent, before);
  el.press("Pause");
  t.mock.timers.tick(3 * shared.pace);
  assert.equal(model.get("step"), 5);
  assert.match(news.textContent, /rejected/);
  el.press("Run");
  t.mock.timers.tick(90 * shared.pace);
  assert.equal(el.button("Run").attributes["aria-disabled"], "true");
  assert.match(news.textContent, /The text ends here/);
  return stop();
});

test("a change of the settings begins with the checked first draft", () => {
  const { el, model, stop } = figureIn({ step: 6, text: "<b>zebra</b> sleeps" });
  assert.equal(el.all("b").length, 0);
  assert.match(el.textContent, /<b>zebra<\/b> sleeps/);
  const [prompts, drafts] = el.all("select");
  assert.equal(prompts.all("option").length, shared.examples.length + 1);
  drafts.selectedIndex = 3;
  drafts.dispatch("change");
  assert.deepEqual([model.get("draft"), model.get("step")], ["gpt", 2]);
  prompts.selectedIndex = 1;
  prompts.dispatch("change");
  assert.equal(model.get("text"), shared.examples[0]);
  const [length, heat] = el.all("input");
  length.value = "2";
  length.dispatch("input");
  heat.value = "0.5";
  heat.dispatch("input");
  assert.deepEqual([model.get("length"), model.get("temperature")], [2, 0.5]);
  return stop();
});
