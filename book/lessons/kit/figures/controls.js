// @ts-check
// Native controls with their labels. Each has `element`, and `update`, which shows a value.

import { assign, assignAll, controlRow, format, freshId, h, setText } from "./kit.js";

/** @typedef {{min: number, max: number, step: number}} Range */
/** @typedef {{element: Node, update: (value: any) => void}} Control */

/**
 * A slider with its value next to it, which `text` writes for the eye.
 * @param {Range & {label: string, oninput: (x: number) => void, text?: (x: number) => string}} spec
 */
export function slider({ label, min, max, step, oninput, text = (x) => format(x, 5) }) {
  const id = freshId();
  const output = h("output", { for: id });
  const listen = () => oninput(Number(input.value));
  const input = h("input", { type: "range", id, min, max, step, oninput: listen });
  return {
    element: h("div", { class: "tl-control" }, h("label", { for: id }, label), input, output),
    input,
    /** @param {number} value */
    update(value) {
      if (Number(input.value) !== value) input.value = String(value);
      setText(output, text(value));
      input.setAttribute("aria-valuetext", text(value));
    },
  };
}

/**
 * A slider that steps through some texts.
 * @param {{label: string, options: string[], oninput: (index: number) => void}} spec
 */
export function steps({ label, options, oninput }) {
  const range = { min: 0, max: options.length - 1, step: 1 };
  return slider({ label, ...range, oninput, text: (i) => options[i] });
}

/**
 * A menu with one line picked.
 * @param {{label: string, options: string[], onchange: (index: number) => void}} spec
 */
export function menu({ label, options, onchange }) {
  const id = freshId();
  const lines = options.map((text) => h("option", {}, text));
  const input = h("select", { id, onchange: () => onchange(input.selectedIndex) }, ...lines);
  return {
    element: h("div", { class: "tl-control" }, h("label", { for: id }, label), input),
    input,
    /** @param {number} index @param {number} [count] of the first lines, which alone are there */
    update(index, count = lines.length) {
      lines.forEach((line, i) => {
        line.hidden = line.disabled = i >= count;
      });
      input.selectedIndex = index;
    },
  };
}

/** A checkbox. @param {{label: string, onchange: (on: boolean) => void}} spec */
export function toggle({ label, onchange }) {
  const id = freshId();
  const input = h("input", { type: "checkbox", id, onchange: () => onchange(input.checked) });
  return {
    element: h("div", { class: "tl-control" }, input, h("label", { for: id }, label)),
    input,
    /** @param {boolean} on */
    update(on) {
      input.checked = on;
    },
  };
}

/** A group of controls under one name. @param {string} legend @param {...Node} parts */
export function group(legend, ...parts) {
  return h("fieldset", { class: "tl-choice" }, h("legend", {}, legend), ...parts);
}

/**
 * A group of radio buttons; arrow keys move within it.
 * @param {{legend: string, options: string[], onchange: (index: number) => void}} spec
 */
export function choice({ legend, options, onchange }) {
  const name = freshId();
  const ids = options.map(freshId);
  const inputs = ids.map((id, i) =>
    h("input", { type: "radio", id, name, onchange: () => onchange(i) }),
  );
  const labels = ids.map((id, i) => h("label", { for: id }, options[i]));
  const pairs = inputs.map((input, i) => h("span", { class: "tl-option" }, input, labels[i]));
  return {
    element: group(legend, ...pairs),
    inputs,
    labels,
    /** @param {number} index */
    update(index) {
      inputs.forEach((input, i) => {
        input.checked = i === index;
      });
    },
  };
}

/**
 * A button.
 * @param {string} text @param {() => void} onclick @param {Record<string, unknown>} [more] attributes
 */
export function button(text, onclick, more = {}) {
  return h("button", { type: "button", onclick, ...more }, text);
}

/**
 * A button that puts the named traits back to what they are now.
 * @template State @param {import("./kit.js").Model<State>} model @param {(keyof State)[]} names
 */
export function resetButton(model, names) {
  const start = Object.fromEntries(names.map((name) => [name, model.get(name)]));
  const onclick = () => assignAll(model, /** @type {Partial<State>} */ (start));
  return button("Reset", onclick, { class: "tl-reset" });
}

/**
 * The same control, whose `update` shows what `value` says.
 * @template {Control} Part @param {Part} part @param {() => unknown} value
 */
export function showing(part, value) {
  return { ...part, update: () => part.update(value()) };
}

/**
 * A control that sets a trait, to one of `values` if it has some, and whose `update` shows it.
 * @template State @template {keyof State & string} Name @template Spec @template {Control} Part
 * @param {import("./kit.js").Model<State>} model @param {Name} name @param {(spec: Spec) => Part} make
 * @param {Omit<Spec, "oninput" | "onchange"> & {values?: readonly State[Name][]}} spec
 */
export function tied(model, name, make, { values, ...spec }) {
  const set = (/** @type {any} */ x) => assign(model, name, values ? values[x] : x);
  const part = make(/** @type {any} */ ({ ...spec, oninput: set, onchange: set }));
  return showing(part, () => (values ? values.indexOf(model.get(name)) : model.get(name)));
}

/**
 * Controls in their rows, and one `update` for all of them.
 * @param {...(HTMLElement | {element: Node, update: () => void})[]} rows
 */
export function form(...rows) {
  return {
    rows: rows.map((row) =>
      controlRow(...row.map((part) => ("element" in part ? part.element : part))),
    ),
    update() {
      for (const part of rows.flat()) if ("update" in part) part.update();
    },
  };
}
