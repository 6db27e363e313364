import assert from "node:assert/strict";
import test from "node:test";

import {
  longestRun,
  sentencesOf,
  writing,
} from "#lessons/language_models/ngram_writer/ngram_math.js";
import figure, { verdict } from "#lessons/language_models/ngram_writer/ngram_writer.js";
import { modelOf } from "../../kit/figures/compare.mjs";
import { rendered } from "../../kit/figures/fake_document.mjs";

const state = (changes) => ({ text: "prose", length: 1, seed: 0, choices: 24, ...changes });

/** Render the figure from a state. */
function drawnFigure(changes) {
  const { el, model, stop } = rendered(figure, state(changes));
  const [news] = el.marked("p", "tl-status");
  const [page] = el.marked("div", "ng-page");
  return { el, model, stop, news, page };
}

test("a sentence ends with ⟨end⟩, and a copied run never continues after it", () => {
  const made = ["go", "⟨end⟩", "⟨end⟩", "on"].map((word) => ({
    context: [],
    candidates: [],
    word,
  }));
  assert.deepEqual(sentencesOf(made), [["go"], [], ["on"]]);
  assert.deepEqual(longestRun("prose", [[]]), { sentence: 0, start: 0, length: 0 });
  assert.equal(longestRun("grammar", [["#"], ["cat", "#", "the", "cat"]]).start, 2);
});

test("verdict says how many words there were to choose from", () => {
  for (const text of ["prose", "grammar"])
    for (let length = 0; length <= 5; length += 1)
      for (let choices = 1; choices <= 60; choices += 1) {
        const traits = state({ text, length, choices, seed: 4 });
        const said = verdict(traits, writing(modelOf(traits)));
        assert.doesNotMatch(said, /undefined|NaN|\[object/);
        assert.match(
          said,
          length ? /contexts of \d words?; the text contains \d+, starts/ : /no difference/,
        );
      }
});

test("buttons step on, back and to another draw, but not beyond the ends", () => {
  const { el, model, stop } = drawnFigure({ choices: 59 });
  el.press("Next word");
  el.press("Next word");
  assert.equal(model.get("choices"), 60);
  assert.equal(el.button("Next word").attributes["aria-disabled"], "true");
  el.press("Back");
  assert.equal(model.get("choices"), 59);
  el.press("Another draw");
  assert.equal(model.get("seed"), 1);
  el.press("Reset");
  assert.deepEqual([model.get("choices"), model.get("seed")], [59, 0]);
  model.set("seed", 9999);
  el.press("Another draw");
  assert.equal(model.get("seed"), 0);
  model.set("choices", 1);
  el.press("Back");
  assert.equal(model.get("choices"), 1);
  stop();
});

test("Play writes to the end, Pause stops it, and nothing is read aloud meanwhile", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { el, model, news, stop } = drawnFigure({ choices: 10 });
  const before = news.textContent;
  el.press("Play");
  t.mock.timers.tick(2000);
  assert.equal(model.get("choices"), 15);
  assert.equal(news.textContent, before);
  el.press("Pause");
  assert.notEqual(news.textContent, before);
  t.mock.timers.tick(2000);
  assert.equal(model.get("choices"), 15);
  el.press("Play");
  t.mock.timers.tick(100_000);
  assert.equal(model.get("choices"), 60);
  assert.ok(el.button("Play"));
  el.press("Play"); // nothing is left to write
  assert.ok(el.button("Play"));
  el.press("Reset");
  el.press("Play");
  el.press("Reset");
  t.mock.timers.tick(2000);
  assert.equal(model.get("choices"), 10);
  el.press("Play");
  stop();
  t.mock.timers.tick(2000);
  assert.equal(model.get("choices"), 10, "the cleanup stops it");
});
