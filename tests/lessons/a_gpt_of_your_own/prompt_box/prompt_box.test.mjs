import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { longer, promptOf } from "#lessons/kit/figures/translator/language_model.js";
import { begin, rewind, step } from "#lessons/kit/figures/translator/machine.js";
import { readModel } from "#lessons/kit/figures/translator/weights.js";
import figure from "#lessons/a_gpt_of_your_own/prompt_box/prompt_box.js";
import shared from "#lessons/a_gpt_of_your_own/prompt_box/prompt_box.json" with { type: "json" };
import { completeText, writerOf } from "#lessons/a_gpt_of_your_own/prompt_box/prompt_box_math.js";
import { verdict } from "#lessons/a_gpt_of_your_own/prompt_box/writing.js";
import { assetsOf, fixtures } from "../../kit/figures/compare.mjs";
import { rendered } from "../../kit/figures/fake_document.mjs";

const { path, prompts } = fixtures.book_gpt;
const gpt = readModel(new Uint8Array(readFileSync(path)).buffer);
const state = (changes) => ({
  text: "attention is",
  temperature: 1,
  top_k: 0,
  seed: 0,
  written: 0,
  ...changes,
});
const found = (changes) => writerOf(gpt)(state(changes));

test("the page's logits equal the package's after every word", () => {
  assert.ok(prompts.length >= 5);
  for (const { text, ids, expected } of prompts) {
    assert.deepEqual(promptOf(gpt, text, shared.words).ids, ids, text);
    const place = begin(gpt);
    ids.forEach((id, i) => {
      const { logits } = step(gpt, place, id);
      // The package computes with 32 bits, the page with 64.
      logits.forEach((x, k) => assert.ok(Math.abs(x - expected[i][k]) < 1e-4, `${text} ${i} ${k}`));
    });
  }
});

test("finishing a sentence writes to its end mark, and again to the next one", () => {
  const write = writerOf(gpt);
  for (let seed = 0; seed < 6; seed += 1) {
    const first = completeText(gpt, write, state({ seed }));
    const { words } = found({ seed, written: first });
    const isEnd = (word) => shared.ends.includes(word);
    assert.ok(isEnd(words.at(-1)) || first === shared.written.max);
    assert.ok(!words.slice(0, -1).some(isEnd));
    const second = completeText(gpt, write, state({ seed, written: first }));
    assert.ok(second > first || first === shared.written.max);
  }
});

test("the verdict names the chosen word, unknown words and the end", () => {
  const said = (changes) => verdict(gpt, state(changes), found(changes));
  assert.match(said({}), /^Of \d+ words “.+” is the likeliest: p = [\d.]+ of all words\.$/);
  assert.match(said({ text: "a zebra" }), /^It does not know “zebra” and reads ⟨unknown⟩\. Of /);
  assert.match(said({ text: "q1 q2 q2 q3 q4 q5" }), /“q1”, “q2”, “q3”, and 2 more, and reads/);
  assert.match(said({ written: 3 }), /^Chance took “.+”: p = /);
  assert.match(said({ written: 3, temperature: 0.5 }), /of all words, .+ as drawn\./);
  assert.match(said({ written: 3, top_k: 1 }), /^The likeliest word was “.+”.* 1 as drawn/);
  assert.match(said({ written: 32 }), /It writes no further; take a word to go on\.$/);
  const written = completeText(gpt, writerOf(gpt), state({ seed: 1 }));
  assert.match(said({ seed: 1, written }), /The sentence is at its end\.|no further/);
});

test("a seed repeats its words, and one more word changes none before it", () => {
  const words = (changes) => found({ written: 12, ...changes }).words;
  assert.deepEqual(words(), words());
  assert.deepEqual(words({ written: 13 }).slice(0, 12), words());
  assert.notDeepEqual(words({ seed: 1 }), words());
  assert.deepEqual(words({ top_k: 1 }), words({ top_k: 1, seed: 5 }));
  assert.deepEqual(words({ top_k: 1 }), words({ top_k: 1, temperature: 3 }));
});

test("words removed by rewinding do not affect later logits", () => {
  const [straight, crooked] = [begin(gpt), begin(gpt)];
  for (const id of [1, 50, 60]) step(gpt, straight, id);
  for (const id of [1, 50, 70, 80]) step(gpt, crooked, id);
  rewind(crooked, 2);
  assert.deepEqual(crooked.ids, [1, 50]);
  step(gpt, crooked, 60);
  assert.deepEqual(step(gpt, crooked, 9).logits, step(gpt, straight, 9).logits);
});

test("typed text is escaped; buttons write, choose, redraw and go back", () => {
  const { el, model, stop } = rendered(figure, {
    ...state({ written: 2 }),
    assets: assetsOf("prompt_box"),
  });
  el.press("Next word");
  assert.equal(model.get("written"), 3);
  el.press("Back");
  el.press("Another draw");
  assert.deepEqual([model.get("written"), model.get("seed")], [2, 1]);
  el.press("Finish sentence");
  assert.ok(model.get("written") > 2);
  const [table] = el.all("table");
  const [name] = table.all("button");
  const whole = el.marked("p", "pb-page")[0].textContent;
  const word = name.textContent;
  name.dispatch("click");
  assert.equal(model.get("text"), longer(whole, word));
  assert.equal(model.get("written"), 0);
  const [box] = el.all("input");
  box.value = `<b>${"zebra ".repeat(60)}`;
  box.dispatch("input");
  assert.equal(model.get("text").length, shared.letters.max);
  assert.equal(el.all("b").length, 0);
  assert.match(el.textContent, /zebra unknown/);
  el.press("Reset");
  assert.deepEqual([model.get("text"), model.get("written")], ["attention is", 2]);
  return stop();
});
