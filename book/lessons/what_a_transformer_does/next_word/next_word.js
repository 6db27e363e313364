// @ts-check
// Next word: what comes next, and with which probability? A language model of counts, which continues what a reader types.

import { textBox } from "../../kit/figures/text_box.js";
import { button, form, group, resetButton, slider, tied } from "../../kit/figures/controls.js";
import {
  assign,
  connect,
  controlRow,
  format,
  h,
  inView,
  panels,
  setText,
  status,
} from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import shared from "./next_word.json" with { type: "json" };
import { compute, continuations, drawn, longer, shorter, wordsOf } from "./next_word_math.js";

/** @typedef {import("./next_word_math.js").State} State */
/** @typedef {import("./next_word_math.js").Found} Found */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["text", "beginning", "context", "temperature"];

/** Words as a list; of many, the first three. @param {string[]} items */
function listed(items) {
  const named = items.length > 4 ? [...items.slice(0, 3), `${items.length - 3} more`] : items;
  return `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
}

/** What the model knows about these words, in words. @param {Found} found @param {number} context */
export function verdict({ used, beginning, words, shares }, context) {
  const wanted = Math.min(context, beginning.length);
  const last = (/** @type {number} */ n) => `“${beginning.slice(beginning.length - n).join(" ")}”`;
  const lost = used < wanted ? `The text never continues ${last(wanted)}. ` : "";
  const seen = used === 0 ? "In the whole text" : `After ${last(used)}`;
  const best = words.filter((_, i) => shares[i] === shares[0]).map((word) => `“${word}”`);
  const share = `a probability of ${format(shares[0], 3)}`;
  if (words.length === 1) return `${lost}${seen}, ${best[0]} is the only next word, with ${share}.`;
  if (best.length === 1)
    return `${lost}${seen}, ${best[0]} is the likeliest of ${words.length} words, with ${share}.`;
  const all =
    best.length === words.length ? "equally likely" : `the likeliest of ${words.length} words`;
  return `${lost}${seen}, ${listed(best)} are ${all}, each with ${share}.`;
}

/** The box that holds the words so far. @param {Model} model */
function beginningBox(model) {
  const oninput = (/** @type {string} */ text) => assign(model, "beginning", text);
  const { element, input } = textBox({ label: "prefix", most: shared.letters.max, oninput });
  return {
    element,
    /** @param {string} text */
    update(text) {
      if (input.value === text) return;
      input.value = text;
      input.setSelectionRange?.(text.length, text.length); // who types goes on at the end
    },
  };
}

/** The buttons that make the sentence grow. @param {Model} model */
function growth(model) {
  const add = (/** @type {string} */ word) =>
    assign(model, "beginning", longer(model.get("beginning"), word));
  const picks = Array.from({ length: shared.rows }, (_, i) =>
    button("", () => add(continuations(model).words[i])),
  );
  const chance = () => {
    const { words, shares } = continuations(model);
    add(String(drawn(words, shares, Math.random())));
  };
  const draw = button("Draw by chance", chance, { class: "nw-draw" });
  const undo = () => assign(model, "beginning", shorter(model.get("beginning")));
  const back = button("Take back", undo);
  return {
    element: controlRow(group("Add a word", ...picks), draw, back, resetButton(model, TRAITS)),
    /** @param {string[]} words */
    update(words) {
      const full = model.get("beginning").length + 30 > shared.letters.max;
      picks.forEach((pick, i) => {
        pick.hidden = i >= words.length;
        pick.disabled = full;
        setText(pick, words[i] ?? "");
      });
      draw.disabled = full;
    },
  };
}

/** The sliders. @param {Model} model */
function settings(model) {
  return form([
    tied(model, "context", slider, { label: "words it uses", ...shared.context }),
    tied(model, "temperature", slider, { label: "temperature", ...shared.temperature }),
  ]);
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [box, knobs, grow, news] = [beginningBox(model), settings(model), growth(model), status()];
  const shape = { rows: shared.rows, columns: 1, kind: "tl-bars nw-bars" };
  const views = tables(shared.captions, { times: shape, shares: shape });
  const known = wordsOf(model.get("text"));
  const summary = h("summary", {}, `All that it has read: ${known.length} words`);
  const text = h("details", {}, summary, h("p", {}, model.get("text")));
  el.classList.add("tl-figure", "tl-next-word");
  el.append(h("p", { class: "tl-aside" }, shared.question));
  el.append(inView(box.element, grow.element, ...knobs.rows), news.element);
  const bars = panels(views.times, views.shares);
  bars.classList.add("tl-answer");
  el.append(bars, text);

  return connect(model, TRAITS, () => {
    const [found, { times, shares }] = [continuations(model), compute(model)];
    box.update(model.get("beginning"));
    grow.update(found.words);
    knobs.update();
    views.times.update(times, found.words, shared.heads.times);
    views.shares.update(shares, found.words, shared.heads.shares);
    news.say(verdict(found, model.get("context")));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
