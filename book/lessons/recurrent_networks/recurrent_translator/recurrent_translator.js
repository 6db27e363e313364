// @ts-check
// The recurrent translator unrolled: how far is it from an output word back to a source word, and what arrives?

import { choice, form, menu, resetButton, slider, tied } from "../../kit/figures/controls.js";
import { place } from "../../kit/figures/drawing.js";
import {
  assign,
  connect,
  fill,
  h,
  inView,
  panels,
  power,
  setText,
  status,
} from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { reach, unrolled } from "./recurrent_drawing.js";
import { MACHINES, SENTENCES, TRAINED, compute, numbersOf, placeOf } from "./recurrent_math.js";
import shared from "./recurrent_translator.json" with { type: "json" };

/** @typedef {import("./recurrent_math.js").State} State */
/** @typedef {import("./recurrent_math.js").Place} Place */
/** @typedef {ReturnType<typeof numbersOf>} Numbers */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["sentence", "attention", "word", "source"];

/** The way and what was measured on it, in words. @param {Place} place */
export function verdict({ shown, word, source }) {
  const [small, large] = shown.gradients.map((sizes) => power(sizes[word][source]));
  const words = { word: shown.words[word], source: shown.source[source], small, large };
  return fill(shared.texts.way, words);
}

/** What the drawn machine makes of the sentence. @param {Place} place */
export function statusText({ shown, attention }) {
  const machine = Number(attention);
  const said = shown.said[machine];
  const verdict =
    said === shown.target ? ", which is right." : `; the right one is “${shown.target}”.`;
  return fill(shared.texts.here, { machine: MACHINES[machine], said, verdict });
}

/** How good both machines are. */
export function trained() {
  const { steps, exact, measured } = TRAINED;
  const words = { before: steps[0], after: steps[1], plain: exact[0], looking: exact[1] };
  return fill(shared.texts.both, { ...words, measured });
}

/** A slider over the words of one side. @param {Model} model @param {"word" | "source"} name @param {string} label @param {() => string[]} words */
function wordSlider(model, name, label, words) {
  const text = (/** @type {number} */ i) => words()[i];
  const oninput = (/** @type {number} */ i) => assign(model, name, i);
  const part = slider({ label, ...shared.most, oninput, text });
  return {
    element: part.element,
    update() {
      place(part.input, { max: words().length - 1 });
      part.update(placeOf(model)[name]);
    },
  };
}

/** The controls. @param {Model} model */
function knobs(model) {
  const options = SENTENCES.map(({ text }) => text);
  const machines = { options: MACHINES, values: [false, true] };
  return form(
    [
      tied(model, "sentence", menu, { label: "sentence", options }),
      resetButton(model, TRAITS),
      tied(model, "attention", choice, { legend: "Machine", ...machines }),
    ],
    [
      wordSlider(model, "word", "output word", () => placeOf(model).shown.words),
      wordSlider(model, "source", "source word", () => placeOf(model).shown.source),
    ],
  );
}

/** Drawing and tables of one sentence. @param {Model} model @param {Place["shown"]} shown */
function board(model, { source, words }) {
  const choose = (/** @type {"word" | "source"} */ name) => (/** @type {number} */ i) => {
    if (model.get(name) !== i) assign(model, name, i);
  };
  const drawing = unrolled(source, words, { word: choose("word"), source: choose("source") });
  const pairs = { rows: source.length, columns: 2 };
  const views = tables(shared.captions, {
    cells: { ...pairs, kind: "rt-cells" },
    gradients: { ...pairs, kind: "rt-gradients", write: power },
    weights: { rows: words.length, columns: source.length, kind: "rt-weights" },
  });
  const wide = { tabindex: 0, role: "region", "aria-label": shared.captions.weights };
  place(views.weights.element, wide); // a long sentence is wider than a phone: it scrolls
  const bars = reach(source, words, shared.texts.reach);
  const keys = MACHINES.map((name, i) =>
    h("span", { class: `rt-key rt-key-${i}` }, `${i ? "below" : "above"}: ${name}`),
  );
  const legend = h("p", { class: "tl-aside rt-legend", "aria-hidden": "true" }, ...keys);
  return {
    stage: h(
      "div",
      { class: "rt-stage" },
      h("div", {}, drawing.element),
      h("div", {}, bars.element, legend),
    ),
    numbers: h("div", {}, panels(views.cells, views.gradients), views.weights.element),
    /** @param {Place} place @param {Numbers} numbers */
    update(place, numbers) {
      drawing.update(place, numbers.weights[place.word]);
      bars.update(numbers.gradients, place.source);
      views.cells.update(numbers.cells, source, MACHINES, place.source);
      views.gradients.update(numbers.gradients, source, MACHINES, place.source);
      views.weights.update(numbers.weights, words, source, place.word);
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, news, said] = [knobs(model), status(), h("p", { class: "rt-said" })];
  const [room, folded] = [h("div"), h("div")];
  /** @type {Place["shown"] | undefined} */
  let drawn;
  /** @type {ReturnType<typeof board>} */
  let view;
  el.classList.add("tl-figure", "tl-recurrent-translator");
  el.append(h("p", { class: "tl-aside" }, shared.question));
  el.append(inView(...panel.rows), room, said, news.element);
  const how = h("p", { class: "tl-aside" }, trained());
  el.append(h("details", {}, h("summary", {}, shared.fold), folded, how));

  return connect(model, TRAITS, () => {
    const place = placeOf(model);
    if (place.shown !== drawn) {
      drawn = place.shown;
      view = board(model, drawn);
      room.replaceChildren(view.stage);
      folded.replaceChildren(view.numbers);
    }
    panel.update();
    view.update(place, numbersOf(place));
    news.say(verdict(place));
    setText(said, statusText(place));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
