// @ts-check
// Head reader: where does each of 72 heads look from one word, and what does it take from there?

import {
  choice,
  form,
  menu,
  resetButton,
  showing,
  slider,
  tied,
} from "../../kit/figures/controls.js";
import {
  assign,
  assignAll,
  connect,
  folded,
  h,
  inView,
  panels,
  status,
} from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import shared from "./head_reader.json" with { type: "json" };
import { headsGrid, write } from "./heads_grid.js";
import {
  allRows,
  compute,
  HEADS,
  LAYERS,
  piecesOf,
  places,
  sameWord,
  storedOf,
  twins,
  wordOf,
} from "./reader_math.js";
import sentences from "./sentences.json" with { type: "json" };
import { wordsStrip } from "./words_strip.js";

/** @typedef {import("./reader_math.js").State} State */
/** @typedef {import("./reader_math.js").Results} Results */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["sentence", "word", "layer", "head", "measure"];
const MEASURES = /** @type {import("./reader_math.js").Measure[]} */ (Object.keys(shared.measures));

/** What most rows of a head do, from its averages. @param {number[]} usual */
export function habit(usual) {
  const kinds = usual.slice(0, shared.kinds.length);
  const top = Math.max(...kinds);
  if (top < shared.habit)
    return "Averaged over all words, no kind of token gets most of its weight";
  return `Averaged over all words, most of its weight goes to ${shared.kinds[kinds.indexOf(top)]}`;
}

/** What is seen of the chosen head, in words. @param {string[]} pieces @param {Results} results @param {{word: number, layer: number, head: number}} chosen */
export function announcementText(pieces, results, { word, layer, head }) {
  const weights = results.row.map(([weight]) => weight);
  const most = weights.indexOf(Math.max(...weights));
  const [weight, size, , share] = results.row[most];
  const to = most === word ? "itself" : `“${pieces[most]}”`;
  const added = `its vector has the length ${write(size)}, so it makes up ${write(share)} of the sum`;
  const usual = results.head.map((row) => row[1]);
  return `Layer ${layer + 1}, head ${head + 1}: “${pieces[word]}” attends most to ${to}, with a weight of ${write(weight)}; ${added}. ${habit(usual)}.`;
}

/** Read another sentence, from the same word where it has it. @param {Model} model @param {number} sentence */
function chooseSentence(model, sentence) {
  const piece = piecesOf(model.get("sentence"))[wordOf(model)];
  assignAll(model, { sentence, word: sameWord(sentence, piece) });
}

/** A slider that counts from 1. @param {Model} model @param {"layer" | "head"} name @param {number} max */
function countSlider(model, name, max) {
  const oninput = (/** @type {number} */ x) => assign(model, name, x - 1);
  return showing(slider({ label: name, min: 1, max, step: 1, oninput }), () => model.get(name) + 1);
}

/** The sentence, the head and the measure. @param {Model} model */
function settings(model) {
  const options = sentences.map(({ text }, i) => `${i + 1} ${text}`);
  const onchange = (/** @type {number} */ i) => chooseSentence(model, i);
  const sentence = menu({ label: "Sentence", options, onchange });
  return form(
    [
      showing(sentence, () => model.get("sentence")),
      tied(model, "measure", choice, { legend: "Show", options: shared.options, values: MEASURES }),
    ],
    [
      countSlider(model, "layer", LAYERS),
      countSlider(model, "head", HEADS),
      resetButton(model, TRAITS),
    ],
  );
}

/** How often the commonest piece occurs elsewhere. */
function mostTwins() {
  const counts = /** @type {Map<string, number>} */ (new Map());
  for (const { piece } of places()) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return Math.max(...counts.values()) - 1;
}

/** The tables of numbers. */
function numbers() {
  const tokens = Math.max(...sentences.map(({ pieces }) => pieces.length));
  return tables(shared.captions, {
    row: { rows: tokens, columns: 4, kind: "hr-row", write },
    head: { rows: shared.head.length, columns: 2, kind: "hr-head", write },
    similarity: { rows: mostTwins() + 1, columns: LAYERS + 1, kind: "hr-similarity", write },
  });
}

/** What captions name. @param {Model} model */
function wordsOf(model) {
  const word = piecesOf(model.get("sentence"))[wordOf(model)];
  return { word, measure: shared.measures[model.get("measure")] };
}

/** The note under the table of similarities. */
function similarityNote() {
  return "Columns are layers, and 0 is the embedding. The last row is the mean over all pairs of different words from different sentences.";
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, news] = [settings(model), status()];
  const strip = wordsStrip((word) => assign(model, "word", word));
  const grid = headsGrid((layer, head) => assignAll(model, { layer, head }));
  const { row, head: facts, similarity } = numbers();
  similarity.element.append(h("p", { class: "hr-note" }, similarityNote()));
  el.classList.add("tl-figure", "tl-head-reader");
  /** @type {ReturnType<typeof compute>} */
  let results;
  const draw = () => {
    const [sentence, word] = [model.get("sentence"), wordOf(model)];
    const names = twins(storedOf(model), sentence, word).map(({ name }) => name);
    for (const view of [row, facts, similarity]) view.name(wordsOf(model));
    row.update(results.row, piecesOf(sentence), shared.heads.row, word);
    facts.update(results.head, shared.head, shared.heads.head);
    similarity.update(results.similarity, [...names, shared.others], shared.heads.similarity);
  };
  const fold = folded(shared.fold, draw, panels(row, facts, similarity));
  el.append(h("p", { class: "tl-aside" }, shared.aside), inView(...panel.rows, strip.element));
  el.append(grid.element, news.element, fold.element);

  return connect(model, TRAITS, () => {
    results = compute(model);
    const [sentence, word, measure] = [model.get("sentence"), wordOf(model), model.get("measure")];
    const chosen = { layer: model.get("layer"), head: model.get("head") };
    const pieces = piecesOf(sentence);
    const rows = allRows(storedOf(model), sentence, word, measure);
    el.classList.toggle("hr-added", measure === "added");
    panel.update();
    strip.update(pieces, rows[chosen.layer][chosen.head], word);
    grid.update(rows, results.grid, { ...chosen, words: wordsOf(model) });
    fold.update();
    news.say(announcementText(pieces, results, { word, ...chosen }));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
