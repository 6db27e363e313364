// @ts-check
// What a reader types and reads: the prompt and its words, the text that was written, what happened.

import { textBox } from "../../kit/figures/text_box.js";
import { menu } from "../../kit/figures/controls.js";
import { assign, controlRow, h, power } from "../../kit/figures/kit.js";
import { longer } from "../../kit/figures/translator/language_model.js";
import shared from "./prompt_box.json" with { type: "json" };

/** @typedef {import("./prompt_box_math.js").Gpt} Gpt */
/** @typedef {import("./prompt_box_math.js").State} State */
/** @typedef {import("./prompt_box_math.js").Found} Found */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** Begin again with another prompt. @param {Model} model @param {string} text */
export function begun(model, text) {
  if (model.get("written")) model.set("written", 0); // a new prompt is not gone on with by itself
  assign(model, "text", text.slice(0, shared.letters.max));
}

/** The prompt and all that was written after it. @param {string} text @param {Found} found */
export function wholeText(text, { words }) {
  return words.reduce(longer, text);
}

/** The box to type into, and prompts to begin with. @param {Model} model */
export function promptBox(model) {
  const box = textBox({
    label: "Your prompt",
    most: shared.letters.max,
    lang: "en",
    line: "tl-writing pb-line",
    oninput: (text) => begun(model, text),
  });
  const examples = menu({
    label: "or try",
    options: ["a prompt …", ...shared.examples],
    onchange: (i) => i && begun(model, shared.examples[i - 1]),
  });
  return {
    element: controlRow(box.element, examples.element),
    update() {
      const text = model.get("text");
      box.update(text);
      examples.update(shared.examples.indexOf(text) + 1);
    },
  };
}

/** The words of the prompt as they are read; those that it does not know are marked. */
export function promptWords() {
  const element = h("p", { class: "pb-read" });
  return {
    element,
    /** @param {Found} found */
    update({ prompt: { pieces, unknown, cut } }) {
      const spans = pieces.map((piece, i) => {
        const mark = unknown[i] ? [" ", h("small", {}, "unknown")] : [];
        return h("span", { class: unknown[i] ? "pb-unknown" : "pb-piece" }, piece, ...mark);
      });
      const start = cut ? `It reads the last ${shared.words} words: ` : "It reads ";
      const all = spans.length ? spans : ["nothing: a sentence begins"];
      element.replaceChildren(start, ...all);
    },
  };
}

/** The prompt and what was written after it, the newest word marked. */
export function page() {
  const element = h("p", { class: "pb-page", lang: "en" });
  return {
    element,
    /** @param {string} text @param {Found} found */
    update(text, { words, made }) {
      let so = text.trimEnd();
      const spans = words.flatMap((word, i) => {
        const next = longer(so, word);
        const gap = next.length > so.length + word.length ? [" "] : [];
        so = next;
        const kind = i === words.length - 1 ? "pb-word pb-newest" : "pb-word";
        const span = h("span", { class: kind }, word);
        span.style.setProperty("--share", made[i].numbers[0].toFixed(3));
        return [...gap, span];
      });
      element.replaceChildren(h("span", { class: "pb-prompt" }, text.trimEnd()), ...spans);
    },
  };
}

/** A probability among all words, and that of the draw where it is another one. @param {number[]} numbers */
function inNumbers([plain, drawn]) {
  const among = `p = ${power(plain)} of all words`;
  return power(plain) === power(drawn) ? among : `${among}, ${power(drawn)} as drawn`;
}

/** What happened last, in words. @param {Gpt} gpt @param {State} state @param {Found} found */
export function verdict(gpt, { top_k, written }, { prompt, words, made, next }) {
  const strange = new Set(prompt.pieces.filter((_, i) => prompt.unknown[i]));
  const named = [...strange].slice(0, shared.named).map((piece) => `“${piece}”`);
  const more = strange.size > named.length ? `, and ${strange.size - named.length} more,` : "";
  const told = strange.size
    ? [`It does not know ${named.join(", ")}${more} and reads ${shared.unknown}.`]
    : [];
  const last = words.at(-1);
  if (last === undefined) {
    const [{ word, numbers }] = next;
    const count = gpt.tokens.length - 4;
    told.push(`Of ${count} words “${word}” is the likeliest: ${inNumbers(numbers)}.`);
  } else {
    const how = top_k === 1 ? "The likeliest word was" : "Chance took";
    told.push(`${how} “${last}”: ${inNumbers(made[made.length - 1].numbers)}.`);
    if (shared.ends.includes(last)) told.push("The sentence is at its end.");
    if (written === shared.written.max) told.push("It writes no further; take a word to go on.");
  }
  return told.join(" ");
}
