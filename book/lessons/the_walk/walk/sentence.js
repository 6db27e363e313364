// @ts-check
// The sentence that walks, and its translation so far: each word of it is a button that makes it
// the one that is to come.

import { textBox } from "../../kit/figures/text_box.js";
import { button, menu } from "../../kit/figures/controls.js";
import { assign, assignAll, h, setText } from "../../kit/figures/kit.js";
import shared from "./walk.json" with { type: "json" };
import { wordsIn } from "./walk_math.js";

/** @typedef {import("./walk_math.js").State} State */
/** @typedef {import("./walk_math.js").Passed} Passed */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** The box for a sentence, and the menu of those to begin with. @param {Model} model */
export function sentenceLine(model) {
  const begin = (/** @type {string} */ text) => assignAll(model, { text, word: 1 });
  const most = shared.letters.max;
  const box = textBox({
    label: "French",
    most,
    class: "wk-sentence",
    lang: "fr",
    line: "wk-typed",
    oninput: (text) => begin(text.slice(0, most)),
  });
  const examples = model.get("examples");
  const pick = menu({
    label: "or try",
    options: ["a sentence …", ...examples],
    onchange: (i) => i && begin(examples[i - 1]),
  });
  return {
    parts: [box.element, pick.element],
    update() {
      const text = model.get("text");
      box.update(text);
      pick.update(examples.indexOf(text) + 1);
    },
  };
}

/** The words of the translation. @param {Model} model */
export function translationLine(model) {
  const list = h("span", {
    class: "wk-english",
    role: "group",
    "aria-label": "English",
    lang: "en",
  });
  const element = h("div", { class: "wk-translation" }, h("span", {}, "English"), list);
  /** @type {HTMLButtonElement[]} */
  const buttons = [];
  /** @param {number} i */
  const wordButton = (i) => {
    buttons[i] ??= button("", () => assign(model, "word", i + 1));
    return buttons[i];
  };
  return {
    element,
    /** @param {Passed} passed @param {number} newest the word that is to come */
    update(passed, newest) {
      const words = wordsIn(passed, passed.ids.length).target.slice(1);
      words.forEach((word, i) => {
        const one = wordButton(i);
        setText(one, word);
        one.setAttribute("aria-label", `Word ${i + 1}: ${word}`);
        one.setAttribute("aria-pressed", String(i + 1 === newest));
        one.setAttribute("class", i + 1 > newest ? "wk-later" : "");
      });
      if (list.children.length !== words.length)
        list.replaceChildren(...buttons.slice(0, words.length));
    },
  };
}
