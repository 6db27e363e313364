import assert from "node:assert/strict";
import test from "node:test";

import figure, { verdict } from "#lessons/training_a_translator/training_film/training_film.js";
import { looks } from "#lessons/training_a_translator/training_film/looks_drawing.js";
import {
  curves,
  lastStep,
} from "#lessons/training_a_translator/training_film/training_film_math.js";
import run from "#lessons/training_a_translator/training_film/run.json" with { type: "json" };
import { makeDocument, rendered } from "../../kit/figures/kit/fake_document.mjs";

const last = (points) => points[points.length - 1];

test("the curves cover the run", () => {
  const { train, heldOut } = curves();
  assert.ok(train[0][1] > 6 && last(train)[1] < 1.3);
  assert.equal(last(heldOut)[0], lastStep());
});

test("verdict quotes the translation and says whether it is right", () => {
  assert.equal(
    verdict(1, 0),
    "After 10 steps it says nothing; right is “the black birds eat the cherries”. BLEU 0, and 0 % of other sentences right.",
  );
  const bleu = run.moments[15].bleu;
  const right = `it says “the black birds eat the cherries”, which is right. BLEU ${bleu},`;
  assert.ok(bleu > 90 && verdict(15, 0).includes(right));
});

test("a field of cells shades each weight, marks the largest ones, and draws the bars", () => {
  makeDocument();
  const { element, update } = looks(["a", "b"], ["x", "y"]);
  const drawing = /** @type {any} */ (element);
  update(
    [
      [0.9, 0.1],
      [0.5, 0.5],
    ],
    [[0.25], [1]],
  );
  const of = (kind) => drawing.marked("rect", kind);
  assert.deepEqual(
    of("tf-cell").map((cell) => [cell.attributes["fill-opacity"], cell.classList.has("tf-most")]),
    [
      ["0.9", true],
      ["0.1", false],
      ["0.5", true],
      ["0.5", true],
    ],
  );
  const [short, long] = of("tf-share").map((bar) => Number(bar.attributes.width));
  assert.equal(4 * short, long);
  assert.ok(drawing.textContent.includes("b looks at y: 0.5"));
});

test("scrubbing moves the subtitles; another sentence brings its own words; Reset goes back", () => {
  const { el, model, stop } = rendered(figure, { moment: 1, sentence: 0, head: 0 });
  assert.ok(el.texts("td").includes("(nothing)"));
  model.set("moment", 15);
  model.save_changes();
  assert.ok(el.texts("td").includes("the black birds eat the cherries"));
  assert.ok(el.texts("th").includes("oiseaux"));
  model.set("sentence", 1);
  model.save_changes();
  assert.ok(el.texts("th").includes("souris") && !el.texts("th").includes("oiseaux"));
  el.press("Reset");
  assert.equal(model.get("moment"), 1);
  assert.equal(model.get("sentence"), 0);
  stop();
});
