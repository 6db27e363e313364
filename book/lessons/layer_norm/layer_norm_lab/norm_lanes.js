// @ts-check
// The layer-norm lab's drawing with its controls: a lane a feature, before and after.

import { showing } from "../../kit/figures/controls.js";
import { numberBox } from "../../kit/figures/number_box.js";
import { assign, format, h, setText } from "../../kit/figures/kit.js";
import shared from "./layer_norm_lab.json" with { type: "json" };
import { numberLine, side } from "./norm_drawing.js";

/** @typedef {import("./norm_math.js").Model} Model */
/** @typedef {"values" | "gamma" | "beta"} Trait */

/** @param {Model} model @param {Trait} trait @param {number} i @param {number} x */
function change(model, trait, i, x) {
  assign(model, trait, model.get(trait).with(i, x));
}

/**
 * A box for each number of a trait.
 * @param {Model} model @param {Trait} trait @param {string} label
 * @param {import("../../kit/figures/controls.js").Range} range @param {(message: string) => void} onerror
 */
function boxes(model, trait, label, range, onerror) {
  return model.get(trait).map((_, i) => {
    const oninput = (/** @type {number} */ x) => change(model, trait, i, x);
    const box = numberBox({ label: `${label} ${i + 1}`, ...range, onerror, oninput });
    return showing(box, () => model.get(trait)[i]);
  });
}

/** A slider a value, along the number line. @param {Model} model */
function valueSliders(model) {
  return model.get("values").map((_, i) => {
    const oninput = () => change(model, "values", i, Number(input.value));
    const attributes = { type: "range", ...shared.value, "aria-label": `Value ${i + 1}` };
    const input = h("input", { ...attributes, oninput });
    return input;
  });
}

/** The left side: values to drag or to type. @param {Model} model @param {(message: string) => void} onerror */
function before(model, onerror) {
  const values = boxes(model, "values", "Typed value", shared.value, onerror);
  const sliders = valueSliders(model);
  const line = numberLine(values.length, 6);
  const rows = values.map((box, i) => [laneName(i), sliders[i], box.element]);
  return {
    element: side("Before: drag a value", ["", "", "x"], line.element, 2, rows),
    update() {
      const { min, max } = shared.value;
      model.get("values").forEach((x, i) => {
        if (Number(sliders[i].value) !== x) sliders[i].value = String(x);
      });
      for (const box of values) box.update();
      line.update(min, max, [-10, -5, 0, 5, 10, 15], model.get("values"));
    },
  };
}

/** The right side: gain, shift and output. @param {Model} model @param {(message: string) => void} onerror */
function after(model, onerror) {
  const gamma = boxes(model, "gamma", "Gain γ of feature", shared.factor, onerror);
  const beta = boxes(model, "beta", "Shift β of feature", shared.factor, onerror);
  const outputs = gamma.map(() => h("span", { class: "ln-output" }));
  const line = numberLine(gamma.length, 5);
  const rows = outputs.map((output, i) => {
    const factors = [gamma[i].element, beta[i].element];
    return [laneName(i), ...factors, h("span"), output];
  });
  const heads = ["", "γ", "β", "", "output"];
  return {
    element: side("After: normalized · γ + β", heads, line.element, 4, rows),
    /** @param {number[]} output */
    update(output) {
      output.forEach((y, i) => {
        setText(outputs[i], format(y));
        outputs[i].dataset.value = String(y);
      });
      for (const box of [...gamma, ...beta]) box.update();
      const top = [2, 5, 10, 20].find((reach) => !output.some((y) => Math.abs(y) > reach)) ?? 40;
      line.update(-top, top, [-top, -top / 2, 0, top / 2, top], output);
    },
  };
}

/** @param {number} i */
function laneName(i) {
  return h("span", { class: "ln-name" }, String(i + 1));
}

/** Both sides. @param {Model} model @param {(message: string) => void} onerror */
export function lanes(model, onerror) {
  const sides = { before: before(model, onerror), after: after(model, onerror) };
  return {
    element: h("div", { class: "tl-panels" }, sides.before.element, sides.after.element),
    /** @param {number[]} output */
    update(output) {
      sides.before.update();
      sides.after.update(output);
    },
  };
}
