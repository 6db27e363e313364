import assert from "node:assert/strict";
import test from "node:test";

import figure, { verdict } from "#lessons/what_a_transformer_does/next_word/next_word.js";
import { continuations, drawn } from "#lessons/what_a_transformer_does/next_word/next_word_math.js";
import { modelOf } from "../../kit/figures/compare.mjs";
import { rendered } from "../../kit/figures/fake_document.mjs";

const TEXT = "The cat sat on the mat. The dog sat on the rug. The cat saw the dog.";
const state = (changes) => ({ text: TEXT, beginning: "", context: 2, temperature: 1, ...changes });
const found = (changes) => continuations(modelOf(state(changes)));

test("verdict names the next words, and the contexts that the text lacks", () => {
  const said = (changes) => verdict(found(changes), state(changes).context);
  assert.equal(
    said({ beginning: "sat on" }),
    "After “sat on”, “the” is the only next word, with a probability of 1.",
  );
  assert.equal(
    said({ beginning: "a cat" }),
    "The text never continues “a cat”. After “cat”, “sat” and “saw” are equally likely, each with a probability of 0.5.",
  );
  assert.match(said({ beginning: "zebra" }), /^The text never .* In the whole text, “the”/);
  assert.match(said({ beginning: "" }), /^In the whole text, “the” is the likeliest of/);
  assert.match(said({ beginning: "on the" }), /“mat” and “rug” are equally likely, each with a/);
  assert.equal(
    said({ beginning: "the", context: 1 }),
    "After “the”, “cat” and “dog” are the likeliest of 4 words, each with a probability of 0.333.",
  );
  assert.match(
    verdict(
      { used: 1, beginning: ["x"], words: [..."abcde"], shares: Array(5).fill(0.2), counts: [] },
      1,
    ),
    /“a”, “b”, “c” and 2 more are equally likely, each with a probability of 0\.2\.$/,
  );
});

test("a random number draws each word as often as its share says", () => {
  const words = ["a", "b", "c"];
  const shares = [0.5, 0.25, 0.25];
  const hits = Array.from({ length: 8 }, (_, i) => drawn(words, shares, i / 8));
  assert.deepEqual(hits, ["a", "a", "a", "a", "b", "b", "c", "c"]);
  assert.equal(drawn(words, [0.3, 0.3, 0.35], 0.99), "c");
});

test("buttons add a word, draw one and take it back; a full line takes no more", () => {
  const { el, model, stop } = rendered(figure, state({ beginning: "sat on", context: 1 }));
  el.press("the");
  assert.equal(model.get("beginning"), "sat on the");
  el.press("Draw by chance");
  const last = model.get("beginning").split(" ").at(-1);
  assert.ok(["cat", "dog", "mat", "rug"].includes(last), last);
  el.press("Take back");
  assert.equal(model.get("beginning"), "sat on the");
  model.set("beginning", "a".repeat(230));
  assert.ok(el.button("Draw by chance").disabled);
  el.press("Reset");
  assert.equal(model.get("beginning"), "sat on");
  stop();
});
