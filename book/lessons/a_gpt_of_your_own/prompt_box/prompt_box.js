// @ts-check
// The prompt box: which words may come next, for a small GPT that has read this book?

import { asset } from "../../kit/figures/assets.js";
import { button, form, resetButton, slider, steps, tied } from "../../kit/figures/controls.js";
import {
  assign,
  connect,
  controlRow,
  folded,
  h,
  panels,
  power,
  stateOf,
  status,
} from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { longer } from "../../kit/figures/translator/language_model.js";
import { readModel } from "../../kit/figures/translator/weights.js";
import shared from "./prompt_box.json" with { type: "json" };
import { compute, tablesOf, completeText, TRAITS, writerOf } from "./prompt_box_math.js";
import { begun, page, promptBox, promptWords, verdict, wholeText } from "./writing.js";

/** @typedef {import("./prompt_box_math.js").State} State */
/** @typedef {import("./prompt_box_math.js").Found} Found */
/** @typedef {import("../../kit/figures/kit.js").Model<State & {assets: Record<string, DataView>}>} FullModel */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** What the words are drawn with. @param {Model} model */
function settings(model) {
  const options = shared.top_k.map((k) => (k ? String(k) : "all"));
  const kept = { label: "top-k", options, values: shared.top_k };
  return form([
    tied(model, "temperature", slider, { label: "temperature", ...shared.temperature }),
    tied(model, "top_k", steps, kept),
  ]);
}

/** The buttons that write. @param {Model} model @param {() => number} end where the sentence ends */
function keys(model, end) {
  const { min, max } = shared.written;
  const go = (/** @type {number} */ n) => assign(model, "written", Math.max(min, Math.min(n, max)));
  const back = button("Back", () => go(model.get("written") - 1));
  const next = button("Next word", () => go(model.get("written") + 1));
  const on = button("Finish sentence", () => go(end()));
  const again = () => (model.get("seed") + 1) % (shared.seed.max + 1);
  const fresh = button("Another draw", () => assign(model, "seed", again()));
  return {
    element: controlRow(back, next, on, fresh, resetButton(model, TRAITS)),
    update() {
      back.setAttribute("aria-disabled", String(model.get("written") === min));
      for (const one of [next, on])
        one.setAttribute("aria-disabled", String(model.get("written") === max));
    },
  };
}

/** The two tables; the second one is made only on request. @param {(i: number) => void} pick */
function results(pick) {
  const kind = "tl-bars pb-bars";
  const next = { rows: shared.rows, columns: 2, kind, write: power };
  const written = { rows: shared.written.max, columns: 2, kind, write: power };
  const views = tables(shared.captions, { next, written });
  const rowNames = /** @type {HTMLElement[]} */ (views.next.rowNames);
  rowNames.forEach((name, i) => {
    rowNames[i] = h("button", { type: "button", onclick: () => pick(i) }); // the name is in the button
    name.append(rowNames[i]);
  });
  let draw = () => {};
  const summary = "The numbers of the words that were written";
  const fold = folded(summary, () => draw(), views.written.element);
  return {
    views,
    element: h("div", { class: "pb-results tl-answer" }, panels(views.next), fold.element),
    /** @param {Found} found */
    update(found) {
      const numbers = tablesOf(found);
      const words = found.next.map(({ word }) => word);
      views.next.update(numbers.next, words, shared.heads);
      draw = () => views.written.update(numbers.written, found.words, shared.heads);
      fold.element.hidden = !found.words.length;
      fold.update();
    },
  };
}

/** @param {{model: FullModel, el: HTMLElement}} context */
function render({ model: full, el }) {
  const model = /** @type {Model} */ (/** @type {unknown} */ (full));
  const gpt = readModel(asset(/** @type {any} */ (full), "model"));
  const write = writerOf(gpt);
  const now = () => stateOf(model, TRAITS);
  /** @type {Found} */
  let found;
  const pick = (/** @type {number} */ i) =>
    begun(model, longer(wholeText(model.get("text"), found), found.next[i].word));
  const [box, words, knobs, sheet, news] = [
    promptBox(model),
    promptWords(),
    settings(model),
    page(),
    status(),
  ];
  const [press, bars] = [keys(model, () => completeText(gpt, write, now())), results(pick)];
  const hint = h("p", { class: "tl-aside pb-legend" }, shared.legend);
  el.classList.add("tl-figure", "tl-prompt-box");
  el.append(hint, box.element, words.element, ...knobs.rows, press.element, sheet.element);
  el.append(news.element, bars.element);

  return connect(model, TRAITS, () => {
    found = write(now());
    for (const part of [box, knobs, press]) part.update();
    words.update(found);
    sheet.update(model.get("text"), found);
    bars.update(found);
    news.say(verdict(gpt, now(), found));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
