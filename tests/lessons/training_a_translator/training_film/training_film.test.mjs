import assert from "node:assert/strict";
import test from "node:test";

import { verdict } from "#lessons/training_a_translator/training_film/training_film.js";
import { looks } from "#lessons/training_a_translator/training_film/looks_drawing.js";
import run from "#lessons/training_a_translator/training_film/run.json" with { type: "json" };
import { makeDocument } from "../../kit/figures/fake_document.mjs";

test("verdict quotes the translation and says whether it is right", () => {
  assert.equal(
    verdict(1, 0),
    "After 10 steps it writes nothing; the right one is “the black birds eat the cherries”. BLEU 0, and 0 % of other sentences right.",
  );
  const bleu = run.moments[15].bleu;
  const right = `it writes “the black birds eat the cherries”, which is right. BLEU ${bleu},`;
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
  assert.ok(drawing.textContent.includes("b attends to y: 0.5"));
});
