import assert from "node:assert/strict";
import test from "node:test";

import { block } from "#lessons/descendants/family_tree/block_drawing.js";
import { compute, family, announcementText } from "#lessons/descendants/family_tree/tree_math.js";
import { fixtures, modelOf } from "../../kit/figures/compare.mjs";
import { makeDocument } from "../../kit/figures/fake_document.mjs";

const { models } = fixtures.family_tree[0].state;
const stored = (model) => models.find(({ name }) => name === model);
const BASE = { models, model: "Llama 3 8B", dtype: "bfloat16", context: 4096, texts: 1 };

/** The drawing of a model: the words in it, and those at the corners of boxes. */
function drawn(name) {
  makeDocument();
  const view = block();
  view.update(stored(name));
  const element = /** @type {any} */ (view.element);
  const words = element.texts("text");
  return { element, words };
}

test("kinds, origins and chapters are those that the package finds", () => {
  for (const { state, family: rows } of fixtures.family_tree)
    assert.deepEqual(family(stored(state.model)), rows);
});

test("the text names new parts, costs and the cut context", () => {
  const said = (changes) => {
    const state = { ...BASE, ...changes };
    return announcementText(stored(state.model), compute(modelOf(state)), state);
  };
  assert.equal(
    said({}),
    "Llama 3 8B, 2024. Changed since Llama 7B: keys and values (one for 4 heads). 8,030,261,248 " +
      "weights; in bfloat16 they take 16.1 GB. A token costs 8.58 billion multiply–adds.",
  );
  assert.match(said({ model: "Mixtral 8x7B" }), /of which a token meets 12,879,925,248;/);
  assert.match(
    said({ model: "Mistral 7B", context: 8192 }),
    /Its window ends after 4,096 tokens\.$/,
  );
  assert.match(said({ model: "BERT base" }), /Its table of positions ends at 512 tokens\.$/);
  assert.match(said({ model: "original base" }), /2017\. The first one/);
});

test("masks are drawn as they are: all, a staircase, a band; a drawing stays in its room", () => {
  const open = (name) => {
    const shapes = ["path", "rect"].flatMap((kind) => drawn(name).element.all(kind));
    const opened = shapes.filter((shape) => shape.classList.has("ft-open"));
    return opened.reduce((sum, { attributes: { d = "M" } }) => sum + d.split("M").length - 1, 0);
  };
  assert.deepEqual(
    ["BERT base", "GPT-2 small", "Mistral 7B", "T5 small", "Mixtral 8x7B"].map(open),
    [16, 10, 7, 26, 12], // Mixtral: a staircase and two of its eight experts
  );
  for (const { name } of models) {
    const { element } = drawn(name);
    const [, top, width, height] = element.attributes.viewBox.split(" ").map(Number);
    for (const { attributes } of element.all("rect").filter((rect) => rect.attributes.rx)) {
      const [x, y, wide, high] = ["x", "y", "width", "height"].map((at) => Number(attributes[at]));
      assert.ok(x >= 0 && x + wide <= width, name);
      assert.ok(y >= top && y + high <= top + height, name);
      assert.ok(high > 0 && wide > 0, name);
    }
  }
});
