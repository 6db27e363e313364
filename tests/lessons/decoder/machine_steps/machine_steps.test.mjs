import assert from "node:assert/strict";
import test from "node:test";

import { readModel } from "#lessons/kit/figures/translator/weights.js";
import figure from "#lessons/decoder/machine_steps/machine_steps.js";
import { compute, placesOf, traceOf } from "#lessons/decoder/machine_steps/machine_trace.js";
import { assetsOf, fixtures, sameNumbers } from "../../kit/figures/compare.mjs";
import { makeDocument, makeModel, tablesOf } from "../../kit/figures/fake_document.mjs";

const assets = assetsOf("machine_steps");
const model = readModel(assets.translator.buffer);

/** Render the figure from a state. */
function drawn(changes) {
  const state = { text: "merci", examples: ["merci", "je dors"], step: 0, head: 0, ...changes };
  const el = /** @type {any} */ (makeDocument());
  const traits = makeModel({ ...state, assets });
  const stop = figure.render({ model: traits, el });
  return { el, traits, stop };
}

test("the figure's numbers equal MachineSteps.results()", () => {
  sameNumbers(fixtures.machine_steps, ({ state: { text, step, head } }) =>
    compute(traceOf(model, text), step, head),
  );
});

test("buttons walk: on, back, to the next word, and never beyond the ends", () => {
  const { el, traits, stop } = drawn({});
  el.press("Step back");
  assert.equal(traits.get("step"), 0);
  el.press("Next step");
  el.press("Next step");
  el.press("Step back");
  assert.equal(traits.get("step"), 1);
  el.press("Next word");
  const places = placesOf(traceOf(model, "merci"));
  assert.equal(places[traits.get("step")].part, "decoder");
  assert.equal(places[traits.get("step")].kind, "embed");
  for (let i = 0; i < 20; i += 1) el.press("Next word");
  assert.equal(traits.get("step"), places.length - 1);
  assert.equal(el.button("Next step").attributes["aria-disabled"], "true");
  el.press("Next step");
  assert.equal(traits.get("step"), places.length - 1);
  stop();
});

test("one box is highlighted at each step, and the text describes it", () => {
  const { el, traits, stop } = drawn({ text: "je dors" });
  const boxes = () => el.all("g").filter((one) => one.attributes.class.startsWith("ms-box"));
  const places = placesOf(traceOf(model, "je dors"));
  const said = new Set();
  places.forEach((place, step) => {
    traits.set("step", step);
    const lit = boxes().filter((one) => one.classList.has("ms-lit"));
    assert.equal(lit.length, 1, JSON.stringify(place));
    assert.match(lit[0].textContent, /^▸/);
    const [status] = el.marked("p", "tl-status");
    said.add(status.textContent);
    assert.doesNotMatch(status.textContent, /undefined|NaN|\{/);
    assert.ok(tablesOf(el).length >= 1);
  });
  assert.ok(said.size > 0.9 * places.length);
  stop();
});
