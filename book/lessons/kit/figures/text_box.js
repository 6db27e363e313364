// @ts-check
// A box for a text that a reader types, beside its label. Each figure that has some takes this file
// in, as number_box.js.

import { freshId, h } from "./kit.js";

/**
 * @param {{label: string, most: number, oninput: (text: string) => void, line?: string,
 *   [attribute: string]: unknown}} spec `most` letters; the classes of box and label; what else the
 *   input has
 */
export function textBox({ label, most, oninput, line = "tl-writing", ...more }) {
  const id = freshId();
  const quiet = { autocomplete: "off", spellcheck: "false", maxlength: most };
  const input = h("input", { type: "text", id, ...more, ...quiet });
  input.addEventListener("input", () => oninput(input.value));
  const name = h("label", { for: id }, label);
  return {
    element: h("div", { class: `tl-control ${line}`.trim() }, name, input),
    input,
    /** @param {string} text */
    update(text) {
      if (input.value !== text) input.value = text;
    },
  };
}
