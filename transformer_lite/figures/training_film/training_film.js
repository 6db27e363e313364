// @ts-check
// Training film: scrub through a recorded run and see loss, rate, attention and translation move.

import { chart } from "../kit/chart.js";
import { choice, form, resetButton, steps, tied } from "../kit/controls.js";
import { connect, counted, format, h, inView, panels, setText, status } from "../kit/kit.js";
import { tables } from "../kit/table.js";
import run from "./run.json" with { type: "json" };
import shared from "./training_film.json" with { type: "json" };
import { compute, curves, lastStep, rateAt } from "./training_film_math.js";

/** @typedef {import("./training_film_math.js").State} State */
/** @typedef {import("./training_film_math.js").Results} Results */
/** @typedef {import("../kit/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["moment", "sentence", "head"];
const HIGHEST_LOSS = 7;

/** What the model says at a moment, in words. @param {number} moment @param {number} sentence */
export function verdict(moment, sentence) {
  const [now, shown] = [run.moments[moment], run.sentences[sentence]];
  const said = now.translations[sentence];
  const quoted = said ? `“${said}”` : "nothing";
  const judged = said === shown.target ? ", which is right" : `; right is “${shown.target}”`;
  const best = `BLEU ${format(now.bleu)}, and ${format(now.exact)} % of other sentences right`;
  return `After ${now.step} steps it says ${quoted}${judged}. ${best}.`;
}

/** The controls. @param {Model} model */
function knobs(model) {
  const moments = run.moments.map(({ step }) => `step ${step}`);
  const heads = counted(Array(shared.count_of_heads).fill(0));
  return form(
    [tied(model, "moment", steps, { label: "moment of the film", options: moments })],
    [
      tied(model, "sentence", choice, { legend: "Sentence", options: shared.names }),
      tied(model, "head", choice, { legend: "Head", options: heads }),
      resetButton(model, TRAITS),
    ],
  );
}

/** All three sentences with what is made of them now. */
function subtitles() {
  const cells = run.sentences.map(() => h("td", { lang: "en" }));
  const lines = run.sentences.map(({ text }, i) =>
    h("tr", {}, h("th", { scope: "row", lang: "fr" }, text), cells[i]),
  );
  const caption = h("caption", {}, shared.subtitles);
  return {
    element: h("table", { class: "tf-film" }, caption, h("tbody", {}, ...lines)),
    /** @param {State} state */
    update({ moment, sentence }) {
      run.moments[moment].translations.forEach((text, i) => {
        setText(cells[i], text || "(nothing)");
        cells[i].classList.toggle("tf-right", text === run.sentences[i].target);
        lines[i].classList.toggle("tf-chosen", i === sentence);
      });
    },
  };
}

/** Loss and rate over the steps, with a line at the present one. */
function charts() {
  const { train, heldOut, rate } = curves();
  const [losses, rates] = [chart({ height: 220, lines: 3 }), chart({ height: 220, lines: 2 })];
  const x = { label: "step", min: 0, max: lastStep() };
  const y = { label: "loss", min: 0, max: HIGHEST_LOSS };
  const speed = {
    label: "rate, thousandths",
    min: 0,
    max: run.peak,
    ticks: [0, 0.001, 0.002, 0.003],
    text: (/** @type {number} */ rate) => format(1000 * rate),
  };
  return {
    element: panels(losses, rates),
    /** @param {number} step */
    update(step) {
      /** @type {(top: number) => {name: string, points: [number, number][]}} */
      const now = (top) => ({
        name: `step ${step}`,
        points: [
          [step, 0],
          [step, top],
        ],
      });
      const lines = [
        { name: "training batches, smoothed labels", points: train },
        { name: "held-out sentences", points: heldOut, marks: true },
        now(HIGHEST_LOSS),
      ];
      losses.update({ x, y, lines });
      const path = { name: `rate ${format(rateAt(step), 5)}`, points: rate };
      rates.update({ x, y: speed, lines: [path, now(run.peak)] });
    },
  };
}

/** The tables of numbers of one sentence. @param {number} index @param {Results} results */
function numbers(index, results) {
  const { words, source } = run.sentences[index];
  const views = tables(shared.captions, {
    measures: { rows: shared.measures.length, columns: 1, kind: "tf-measures" },
    right: { rows: words.length, columns: 1, kind: "tf-right-words" },
    weights: { rows: words.length, columns: source.length, kind: "tf-weights" },
  });
  views.weights.name({ head: 1 });
  views.weights.update(results.weights, words, source);
  return views;
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, film, plots, news] = [knobs(model), subtitles(), charts(), status()];
  const place = h("div");
  let index = -1;
  /** @type {ReturnType<typeof numbers>} */
  let views;
  el.classList.add("tl-figure", "tl-training-film");
  el.append(inView(...panel.rows), news.element, film.element, plots.element, place);

  return connect(model, TRAITS, () => {
    const results = compute(model);
    const [moment, sentence, head] = TRAITS.map((name) => model.get(name));
    if (sentence !== index) {
      index = sentence;
      views = numbers(sentence, results);
      place.replaceChildren(panels(views.measures, views.right, views.weights));
    }
    const { words, source } = run.sentences[sentence];
    panel.update();
    film.update({ moment, sentence, head });
    plots.update(run.moments[moment].step);
    views.measures.update(results.measures, shared.measures, shared.heads.measures);
    views.right.update(results.right, words, shared.heads.right);
    views.weights.name({ head: head + 1 });
    views.weights.update(results.weights, words, source);
    news.say(verdict(moment, sentence));
  });
}

export default { render };
