import assert from "node:assert/strict";
import test from "node:test";

import { seen } from "#lessons/tokens/merge_steps/merge_math.js";
import figure, { verdict } from "#lessons/tokens/merge_steps/merge_steps.js";
import { modelOf } from "../../kit/figures/compare.mjs";
import { makeDocument, makeModel, rendered } from "../../kit/figures/fake_document.mjs";

const PETER = "Peter Piper picked a peck of pickled peppers";
const state = (changes) => ({ text: PETER, other: "", step: 0, ...changes });
const found = (changes) => seen(modelOf(state(changes)));
const said = (changes) => verdict(found(changes));

test("verdict says which pair is merged and why", () => {
  assert.match(said({}), /^Merge 1 joins \S+ \+ \S+/);
  assert.equal(said({ text: "" }), "Type a text to learn from.");
  assert.match(said({ text: "a b", step: 9 }), /^Every word is one token\./);
  assert.equal(said({ text: "a" }), "Every word is one byte long. No two tokens are neighbors.");
  assert.equal(
    said({ text: "abab cab" }),
    "Merge 1 joins a + b: they are neighbors 3 times, more often than any other pair.",
  );
  assert.equal(
    said({ text: "ba ca" }),
    "Merge 1 joins b + a. b + a, c + a and Ġ + c are neighbors once each; of these it has the lowest ids.",
  );
  assert.equal(
    said({ text: "aaaaa" }),
    "Merge 1 joins a + a: they are neighbors 4 times, more often than any other pair. Where they overlap, each can be joined once: 2 are.",
  );
  assert.match(
    said({ text: "fedcba" }),
    /^Merge 1 joins b \+ a\. .*, .*, .* and 2 more are neighbors/,
  );
});

test("buttons merge and take back, and stop at both ends", () => {
  const { el, model, stop } = rendered(figure, state({ text: "abab", step: 0 }));
  const tokens = () =>
    el
      .all("div")
      .find((div) => div.classList.has("mg-tokens"))
      .children.map((word) => word.children.map((span) => span.textContent));
  assert.ok(el.button("Take back").disabled);
  assert.deepEqual(tokens(), [[..."abab"]]);
  el.press("Merge");
  assert.deepEqual(tokens(), [["ab", "ab"]]);
  el.press("Merge");
  assert.deepEqual(tokens(), [["abab"]]);
  assert.ok(el.button("Merge").disabled);
  el.press("Take back");
  assert.equal(model.get("step"), 1);
  model.set("step", 500);
  el.press("Take back");
  assert.equal(model.get("step"), 1, "from the last merge that there is");
  el.press("Reset");
  assert.equal(model.get("step"), 0);
  stop();
});

test("the pair of the next merge and the result of the last one are marked", () => {
  const { el, stop } = rendered(figure, state({ text: "aaa ab", step: 0 }));
  const marked = (kind) =>
    el
      .all("span")
      .filter((span) => span.classList.has(kind) && span.parent.classList.has("mg-word"))
      .map((span) => span.textContent);
  assert.deepEqual([marked("mg-left"), marked("mg-right")], [["a"], ["a"]]);
  assert.deepEqual(marked("mg-made"), []);
  stop();
  const other = /** @type {any} */ (makeDocument());
  figure.render({ model: makeModel(state({ text: "aaa ab", other: "aa", step: 1 })), el: other })();
  const made = other.marked("span", "mg-made");
  assert.deepEqual(
    made.map((span) => span.textContent),
    ["aa", "framed", "aa"],
  );
});
