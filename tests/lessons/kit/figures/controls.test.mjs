import assert from "node:assert/strict";
import test from "node:test";

import {
  choice,
  form,
  resetButton,
  slider,
  steps,
  tied,
  toggle,
} from "#lessons/kit/figures/controls.js";
import { numberBox } from "#lessons/kit/figures/number_box.js";
import { makeDocument, makeModel } from "./fake_document.mjs";

makeDocument();

/** A number box with what it has set and said. */
function box() {
  const set = [];
  const said = [];
  const range = { min: -10, max: 10, step: 0.1 };
  const made = numberBox({
    label: "Entry",
    ...range,
    oninput: (x) => set.push(x),
    onerror: (text) => said.push(text),
  });
  /** @type {any} */
  const input = made.input;
  const type = (text) => {
    input.value = text;
    input.dispatch("input");
  };
  return { ...made, input, set, said, type, press: (key) => input.dispatch("keydown", { key }) };
}

test("a box reads numbers as a drill does: comma or point, any minus sign, spaces, fractions", () => {
  const { set, said, type } = box();
  for (const text of ["1,5", " 2 ", "−3", "–3", "- 3", "1/2", "0,5/0,1"]) type(text);
  assert.deepEqual(set, [1.5, 2, -3, -3, -3, 0.5, 5]);
  for (const text of ["", " ", "x", "1,5,0", "1/0", "∞", "1 000"]) type(text);
  assert.equal(said.length, 7);
  assert.equal(set.length, 7);
});

test("arrow keys step from what was typed, with a comma as with a point", () => {
  for (const [text, up, down] of [
    ["1,5", 1.6, 1.4],
    ["1.5", 1.6, 1.4],
    ["−1,5", -1.4, -1.6],
    ["", 0.1, -0.1],
    ["10", 10, 9.9],
    ["0.2", 0.3, 0.1], // as floats, 0.2 + 0.1 is more than 0.3
  ]) {
    const { input, set, press } = box();
    input.value = text;
    press("ArrowUp");
    press("ArrowDown");
    assert.deepEqual(set, [up, down], String(text));
  }
});

test("text that is not a number in range is refused with a message", () => {
  const { input, set, said, type } = box();
  type("11");
  assert.equal(input.attributes["aria-invalid"], "true");
  type("no");
  assert.deepEqual(set, []);
  assert.deepEqual(said, [
    "Entry must be a number from −10 to 10, got “11”.",
    "Entry must be a number from −10 to 10, got “no”.",
  ]);
  type("0,5");
  assert.deepEqual(set, [0.5]);
  assert.equal(input.attributes["aria-invalid"], "false");
});

test("a slider shows and announces its value as `text` formats it", () => {
  const set = [];
  const made = slider({
    label: "width",
    min: 2,
    max: 9,
    step: 1,
    oninput: (x) => set.push(x),
    text: (x) => String(2 ** x),
  });
  /** @type {any} */
  const input = made.input;
  made.update(3);
  assert.equal(made.element.textContent, "width8");
  assert.equal(input.attributes["aria-valuetext"], "8");
  input.value = "4";
  input.dispatch("input");
  assert.deepEqual(set, [4]);
});

test("Reset restores the first values and updates the kernel once", () => {
  const state = { depth: 3, seed: 1, other: 0 };
  const model = makeModel(state);
  const told = /** @type {any[]} */ ([]);
  model.save_changes = () => told.push({ ...state });
  const button = /** @type {any} */ (resetButton(model, ["depth", "seed"]));
  for (const name of Object.keys(state)) model.set(name, 9);
  button.dispatch("click");
  assert.deepEqual(told, [{ depth: 3, seed: 1, other: 9 }]);
});

test("other keys, and arrow keys in a box without a number, change nothing", () => {
  const { input, set, press } = box();
  input.value = "1";
  press("ArrowLeft");
  input.value = "one";
  press("ArrowUp");
  assert.deepEqual(set, []);
});

test("a tied control sets its trait to one of its values and follows the model", () => {
  const model = makeModel({ width: 64, causal: false });
  const saved = /** @type {any[]} */ ([]);
  model.save_changes = () => saved.push(model.get("width"));
  const widths = { options: ["16", "64", "256"], values: [16, 64, 256] };
  const names = tied(model, "width", choice, { legend: "width", ...widths });
  const places = tied(model, "width", steps, { label: "width", ...widths });
  const causal = tied(model, "causal", toggle, { label: "mask" });
  const { rows, update } = form([names, places], [causal, resetButton(model, ["width"])]);
  update();
  assert.deepEqual(
    names.inputs.map((input) => input.checked),
    [false, true, false],
  );
  assert.equal(places.element.textContent, "width64");
  assert.equal(causal.input.checked, false);
  /** @type {any} */ (names.inputs[2]).dispatch("change");
  /** @type {any} */ (places.input).value = "0";
  /** @type {any} */ (places.input).dispatch("input");
  assert.deepEqual(saved, [256, 16]);
  causal.input.checked = true;
  /** @type {any} */ (causal.input).dispatch("change");
  assert.equal(model.get("causal"), true);
  update();
  assert.equal(names.inputs[0].checked, true);
  assert.equal(places.element.textContent, "width16");
  assert.deepEqual(
    rows.map((row) => row.textContent),
    ["width1664256width16", "maskReset"],
  );
});
