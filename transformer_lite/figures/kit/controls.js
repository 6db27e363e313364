// @ts-check
// Native controls with their labels. Each has `element`, and `update`, which shows a value.

import { format, freshId, h, readNumber, setText } from "./kit.js";

/** @typedef {{min: number, max: number, step: number}} Range */

/**
 * A slider with its value beside it, which `text` writes for the eye.
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
 * A menu of which one line is picked.
 * @param {{label: string, options: string[], onchange: (index: number) => void}} spec
 */
export function menu({ label, options, onchange }) {
  const id = freshId();
  const lines = options.map((text) => h("option", {}, text));
  const input = h("select", { id, onchange: () => onchange(input.selectedIndex) }, ...lines);
  return {
    element: h("div", { class: "tl-control" }, h("label", { for: id }, label), input),
    input,
    /** @param {number} index */
    update(index) {
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
 * A box for one number. What is no number in range is refused in words and changes nothing.
 * @param {Range & {label: string, oninput: (x: number) => void,
 *   onerror: (message: string) => void}} spec
 */
export function numberBox({ label, min, max, step, oninput, onerror }) {
  const attributes = { type: "text", inputmode: "decimal", class: "tl-number" };
  const silent = { autocomplete: "off", spellcheck: "false" };
  const input = h("input", { ...attributes, "aria-label": label, ...silent });
  const rule = `${label} must be a number from ${format(min)} to ${format(max)}`;
  input.addEventListener("input", () => {
    const value = readNumber(input.value) ?? NaN;
    const good = value >= min && value <= max;
    input.setAttribute("aria-invalid", String(!good));
    if (good) oninput(value);
    else onerror(`${rule}, got “${input.value}”.`);
  });
  input.addEventListener("keydown", (event) => {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const typed = input.value.trim() === "" ? 0 : readNumber(input.value);
    const value = (typed ?? NaN) + way * step;
    if (Number.isFinite(value)) oninput(Math.min(max, Math.max(min, Number(value.toFixed(6)))));
  });
  return {
    element: input,
    input,
    /** @param {number} value */
    update(value) {
      if (readNumber(input.value) === value) return;
      input.value = format(value, 6);
      input.setAttribute("aria-invalid", "false");
    },
  };
}

/**
 * A button that puts the named traits back to what they are now.
 * @template State @param {import("./kit.js").Model<State>} model @param {(keyof State)[]} names
 */
export function resetButton(model, names) {
  const start = names.map((name) => model.get(name));
  const onclick = () => {
    names.forEach((name, i) => model.set(name, start[i]));
    model.save_changes(); // one message: a kernel checks the traits together
  };
  return h("button", { type: "button", onclick }, "Reset");
}
