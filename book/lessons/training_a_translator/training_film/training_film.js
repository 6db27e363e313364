// @ts-check
// Training film: when does a translator begin to translate, and does it look at the right word first?

import { chart } from "../../kit/figures/chart.js";
import { choice, form, resetButton, steps, tied } from "../../kit/figures/controls.js";
import {
  connect,
  counted,
  folded,
  format,
  h,
  inView,
  panels,
  setText,
  status,
} from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { looks } from "./looks_drawing.js";
import run from "./run.json" with { type: "json" };
import shared from "./training_film.json" with { type: "json" };
import { compute, curves, lastStep } from "./training_film_math.js";

/** @typedef {import("./training_film_math.js").State} State */
/** @typedef {import("./training_film_math.js").Results} Results */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["moment", "sentence", "head"];
const HIGHEST_LOSS = 7;

/** What the model says at a moment, in words. @param {number} moment @param {number} sentence */
export function verdict(moment, sentence) {
  const [now, shown] = [run.moments[moment], run.sentences[sentence]];
  const said = now.translations[sentence];
  const quoted = said ? `“${said}”` : "nothing";
  const judged =
    said === shown.target ? ", which is right" : `; the right one is “${shown.target}”`;
  const best = `BLEU ${format(now.bleu)}, and ${format(now.exact)} % of other sentences right`;
  return `After ${now.step} steps it writes ${quoted}${judged}. ${best}.`;
}

/** The controls. @param {Model} model */
function knobs(model) {
  const moments = run.moments.map(({ step }) => `step ${step}`);
  const heads = counted(Array(shared.count_of_heads).fill(0));
  return form(
    [
      tied(model, "moment", steps, { label: "moment", options: moments }),
      resetButton(model, TRAITS),
    ],
    [
      tied(model, "sentence", choice, { legend: "Sentence", options: shared.names }),
      tied(model, "head", choice, { legend: "Head", options: heads }),
    ],
  );
}

/** All three sentences with what is made of them now. */
function subtitles() {
  const said = run.sentences.map(() => h("div", { class: "tf-said", lang: "en" }));
  const lines = run.sentences.map(({ text }, i) =>
    h("tr", {}, h("th", { scope: "row", lang: "fr" }, text), h("td", {}, said[i])),
  );
  const caption = h("caption", {}, shared.subtitles);
  return {
    element: h("table", { class: "tf-film" }, caption, h("tbody", {}, ...lines)),
    /** @param {number} moment @param {number} sentence */
    update(moment, sentence) {
      run.moments[moment].translations.forEach((text, i) => {
        setText(said[i], text || "(nothing)");
        said[i].classList.toggle("tf-right", text === run.sentences[i].target);
        lines[i].classList.toggle("tf-chosen", i === sentence);
      });
    },
  };
}

/** The losses over the steps, with a line at the present one. */
function losses() {
  const { train, heldOut } = curves();
  const view = chart({ width: 360, height: 200, lines: 3 });
  const x = { label: "step", min: 0, max: 1.06 * lastStep() };
  const y = { label: "loss", min: 0, max: HIGHEST_LOSS };
  return {
    element: view.element,
    /** @param {number} step */
    update(step) {
      /** @type {import("../../kit/figures/chart.js").Point[]} */
      const points = [
        [step, 0],
        [step, HIGHEST_LOSS],
      ];
      const lines = [
        { name: "training batches, smoothed labels", points: train },
        { name: "held-out sentences", points: heldOut, marks: true },
        { name: `now: step ${step}`, points },
      ];
      view.update({ x, y, lines });
    },
  };
}

/** All that is shown of one sentence: its field of cells, and the tables of numbers. @param {number} index */
function partsOf(index) {
  const { words, source } = run.sentences[index];
  const views = tables(shared.captions, {
    measures: { rows: shared.measures.length, columns: 1, kind: "tl-plain" },
    right: { rows: words.length, columns: 1 },
    weights: { rows: words.length, columns: source.length },
  });
  const drawing = looks(words, source);
  return {
    element: drawing.element,
    numbers: panels(views.measures, views.right, views.weights),
    /** @param {Results} results */
    update({ right, weights }) {
      drawing.update(weights, right);
    },
    /** Fill the tables. @param {Results} results @param {number} head */
    draw({ measures, right, weights }, head) {
      views.measures.update(measures, shared.measures, shared.heads.measures);
      views.right.update(right, words, shared.heads.right);
      views.weights.name({ head: head + 1 });
      views.weights.update(weights, words, source);
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, film, plot, news] = [knobs(model), subtitles(), losses(), status()];
  const [field, numbers] = [h("div", { class: "tf-field" }), h("div")];
  let index = -1;
  /** @type {ReturnType<typeof partsOf>} */
  let parts;
  /** @type {Results} */
  let results;
  const fold = folded(shared.fold, () => parts.draw(results, model.get("head")), numbers);
  el.classList.add("tl-figure", "tl-training-film");
  el.append(h("p", { class: "tl-aside" }, shared.aside), inView(...panel.rows));
  el.append(film.element, panels({ element: field }, plot), news.element);
  el.append(fold.element);

  return connect(model, TRAITS, () => {
    const [moment, sentence] = [model.get("moment"), model.get("sentence")];
    if (sentence !== index) {
      index = sentence;
      parts = partsOf(sentence);
      field.replaceChildren(parts.element);
      numbers.replaceChildren(parts.numbers);
    }
    panel.update();
    film.update(moment, sentence);
    plot.update(run.moments[moment].step);
    results = compute(model);
    parts.update(results);
    fold.update();
    news.say(verdict(moment, sentence));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
