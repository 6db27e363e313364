// @ts-check
// The sentence as a row of words to choose from; over each a bar, as high as what it is given.

import { choice } from "../../kit/figures/controls.js";
import { h } from "../../kit/figures/kit.js";

/** The words. @param {(word: number) => void} choose */
export function wordsStrip(choose) {
  const element = h("div", { class: "hr-strip" });
  /** @type {ReturnType<typeof choice>} */
  let words;
  let shown = "";
  return {
    element,
    /** @param {string[]} pieces @param {number[]} row @param {number} word */
    update(pieces, row, word) {
      if (shown !== pieces.join(" ")) {
        shown = pieces.join(" ");
        words = choice({ legend: "Read from", options: pieces, onchange: choose });
        element.replaceChildren(words.element);
      }
      words.update(word);
      words.inputs.forEach((input, j) => input.style.setProperty("--given", row[j].toFixed(3)));
    },
  };
}
