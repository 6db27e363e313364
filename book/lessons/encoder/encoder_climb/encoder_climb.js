// @ts-check
// The encoder climb: where in the encoder does one word of two French sentences become two?
// A curve shows where it does, a drawing what the word looks at.

import { textBox } from "../../kit/figures/text_box.js";
import { chart } from "../../kit/figures/chart.js";
import { form, menu, resetButton, slider, tied } from "../../kit/figures/controls.js";
import {
  assign,
  assignAll,
  connect,
  controlRow,
  fill,
  folded,
  format,
  h,
  inView,
  panels,
  status,
} from "../../kit/figures/kit.js";
import { touring } from "../../kit/figures/tour.js";
import { climb, compute, translatorOf } from "./climb_math.js";
import shared from "./encoder_climb.json" with { type: "json" };
import { looksDrawing } from "./looks_drawing.js";

/** @typedef {import("./climb_math.js").State} State */
/** @typedef {import("./climb_math.js").Climb} Climb */
/** @typedef {import("./climb_math.js").Results} Results */
/** @typedef {import("../../kit/figures/chart.js").Point} Point */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["sentence", "other", "word", "layer", "head"];

/** @param {number} x */
const short = (x) => format(x, 2);

/** The tokens that are looked at most, ties and all, and the weight. @param {string[]} tokens @param {number[]} weights @param {number} self */
function mostSeen(tokens, weights, self) {
  const most = short(Math.max(...weights));
  const seen = tokens.map((token, i) => (i === self ? "itself" : `“${token}”`));
  return `${seen.filter((_, i) => short(weights[i]) === most).join(" and ")} (${most})`;
}

/** What both boxes hold that is not a word of the model, or too much. @param {Climb} found */
function warning({ first, second }) {
  const odd = [...new Set([...first.unknown, ...second.unknown])].map((word) => `“${word}”`);
  const unknown = odd.length ? `Not among the words of this model: ${odd.join(", ")}. ` : "";
  const cut = first.cut || second.cut;
  return `${unknown}${cut ? `Only the first ${shared.most_words} words climb. ` : ""}`;
}

/** What is seen in this layer, in words. @param {Climb} found @param {Results} results @param {{layer: number, head: number}} where */
export function announcementText(found, results, { layer, head }) {
  const { first, second, pair, curves } = found;
  if (!pair) return warning(found) + shared.nothing;
  const { word, places } = pair;
  const [alike, ...others] = results.similarity[layer].map(short);
  const beside = others.map((x, i) => `${curves[i + 1].name}: ${x}`).join("; ");
  const [one, two] = [first, second].map(({ tokens }, i) =>
    mostSeen(
      tokens,
      results[["first", "second"][i]].map((row) => row[head]),
      places[i],
    ),
  );
  const [i, j] = places.map((place) => place + 1);
  const moved = i === j ? "" : ` (positions ${i} and ${j})`;
  const compared = `After layer ${layer} the two vectors of “${word}”${moved} have a cosine of ${alike}${beside && `; ${beside}`}.`;
  const by = fill(shared.heads[Math.min(head, 1)], { head });
  return `${warning(found)}${compared} In layer ${layer}, ${by}, it looks most at ${one} in the first sentence, at ${two} in the second.`;
}

/** A box for a sentence. @param {Model} model @param {"sentence" | "other"} trait @param {string} name */
function sentenceBox(model, trait, name) {
  const oninput = (/** @type {string} */ text) => assign(model, trait, text);
  const box = textBox({ label: name, most: shared.letters.max, lang: "fr", oninput });
  return { element: box.element, update: () => box.update(model.get(trait)) };
}

/** Two sentences from the menu, and the word that it begins with. @param {Model} model @param {string[]} pair */
function takeExample(model, [sentence, other]) {
  assignAll(model, { sentence, other, word: "" });
}

/** The sentences, and the word that both share. @param {Model} model */
function choices(model) {
  const boxes = [
    sentenceBox(model, "sentence", shared.boxes[0]),
    sentenceBox(model, "other", shared.boxes[1]),
  ];
  const examples = menu({
    label: "example",
    options: ["your own", ...shared.examples.map((pair) => pair.join(" / "))],
    onchange: (index) => index && takeExample(model, shared.examples[index - 1]),
  });
  /** @type {string[]} */
  let labels = [];
  const word = menu({
    label: "word in both",
    options: [],
    onchange: (index) => assign(model, "word", labels[index]),
  });
  const rows = [
    controlRow(...boxes.map((box) => box.element)),
    controlRow(word.element, resetButton(model, TRAITS), examples.element),
  ];
  return {
    element: h("div", { class: "ec-choices" }, ...rows),
    /** @param {Climb} found */
    update({ pairs, pair }) {
      for (const box of boxes) box.update();
      const now = pairs.map(({ label }) => label);
      if (now.join() !== labels.join())
        word.input.replaceChildren(...now.map((label) => h("option", {}, label)));
      labels = now;
      word.update(pair ? labels.indexOf(pair.label) : -1);
      const typed = [model.get("sentence"), model.get("other")].join("/");
      examples.update(shared.examples.findIndex((one) => one.join("/") === typed) + 1);
    },
  };
}

/** The layer and the head whose weights are drawn. @param {Model} model */
function settings(model) {
  const { num_encoder_layers: layers, num_heads: heads } = translatorOf(model).config;
  const range = { min: 1, max: layers, step: 1 };
  const text = (/** @type {number} */ x) => `${x} of ${layers}`;
  const [mean, one] = shared.heads;
  const names = [mean, ...Array.from({ length: heads }, (_, i) => fill(one, { head: i + 1 }))];
  const { rows, update } = form([
    tied(model, "layer", slider, { label: "layer", ...range, text }),
    tied(model, "head", menu, { label: "looks of", options: names }),
  ]);
  return {
    element: rows[0],
    names,
    stages: [
      shared.embedding,
      ...Array.from({ length: layers }, (_, i) => fill(shared.layer, { layer: i + 1 })),
    ],
    update,
  };
}

/** The curves, stage by stage. @param {string[]} stages */
function curvesChart(stages) {
  const view = chart({ width: 380, height: 205, lines: 4 });
  const last = stages.length - 1;
  const text = (/** @type {number} */ x) => (x ? String(x) : stages[0]);
  const x = { label: "after layer", min: 0, max: last, ticks: stages.map((_, i) => i), text };
  return {
    element: view.element,
    /** @param {Climb} found @param {Results} results @param {number} layer */
    update({ curves }, { similarity = [] }, layer) {
      const lowest = Math.min(0.5, ...similarity.flat()); // cosines of one word lie near 1
      const y = { label: "cosine", min: Math.floor(2 * lowest) / 2, max: 1 };
      /** @type {import("../../kit/figures/chart.js").Line[]} */
      const lines = []; // a missing line leaves its color unused
      for (const [i, { kind, name }] of curves.entries()) {
        const points = similarity.map((row, stage) => /** @type {Point} */ ([stage, row[i]]));
        lines[kind] = { name, points, marks: true };
      }
      /** @type {Point[]} */
      const upright = [
        [layer, y.min],
        [layer, y.max],
      ];
      if (curves.length) lines[3] = { name: fill(shared.upright, { layer }), points: upright };
      view.update({ x, y, lines });
    },
  };
}

/** A table that is made again: its shape changes with the sentences. @param {"similarity" | "first" | "second"} name */
function numbers(name) {
  const table = h("table", { class: `tl-matrix ec-${name}` });
  const cell = (/** @type {number} */ x) => {
    const shade = `--heat:${Math.abs(x).toFixed(3)}`;
    return h("td", { "data-value": x, style: shade }, short(x));
  };
  return {
    element: h("div", { class: "tl-matrix-box", "data-result": name }, table),
    /** @param {number[][]} values @param {string[]} rows @param {string[]} heads @param {Record<string, string | number>} words */
    update(values, rows, heads, words) {
      const names = heads.map((head) => h("th", { scope: "col" }, head));
      const lines = values.map((row, i) =>
        h("tr", {}, h("th", { scope: "row" }, rows[i]), ...row.map(cell)),
      );
      table.replaceChildren(
        h("caption", {}, fill(shared.captions[name], words)),
        h("thead", {}, h("tr", {}, h("td"), ...names)),
        h("tbody", {}, ...lines),
      );
    },
  };
}

/** The tables, for those who ask for numbers. @param {string[]} stages @param {string[]} heads */
function numbersOnDemand(stages, heads) {
  const [similarity, first, second] = [numbers("similarity"), numbers("first"), numbers("second")];
  let draw = () => {};
  const fold = folded("Show the numbers", () => draw(), panels(similarity, first, second));
  return {
    element: fold.element,
    /** @param {Climb} found @param {Results} results @param {number} layer */
    update(found, results, layer) {
      fold.element.hidden = !found.pair;
      draw = () => {
        if (!found.pair) return;
        const words = { word: found.pair.label, layer };
        const names = found.curves.map(({ name }) => name);
        similarity.update(results.similarity, stages, names, words);
        first.update(results.first, found.first.tokens, heads, words);
        second.update(results.second, found.second.tokens, heads, words);
      };
      fold.update();
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [top, panel, news] = [choices(model), settings(model), status()];
  const [curves, looks] = [curvesChart(panel.stages), looksDrawing(shared.boxes)];
  const tables = numbersOnDemand(panel.stages, panel.names);
  const below = h("div", { class: "ec-below" }, looks.element);
  el.classList.add("tl-figure", "tl-encoder-climb");
  el.append(h("p", { class: "tl-aside" }, shared.aside), inView(top.element, panel.element));
  el.append(h("div", { class: "ec-stage" }, curves.element, below));
  el.append(news.element, tables.element);

  return connect(model, TRAITS, () => {
    const found = climb(model);
    const results = compute(model, found);
    const where = { layer: model.get("layer"), head: model.get("head") };
    const [first, second] = /** @type {const} */ (["first", "second"]).map((name, i) => ({
      words: found[name].tokens,
      chosen: found.pair?.places[i],
      weights: results[name]?.map((row) => row[where.head]) ?? [],
    }));
    top.update(found);
    panel.update();
    curves.update(found, results, where.layer);
    looks.update(first, second);
    tables.update(found, results, where.layer);
    news.say(announcementText(found, results, where));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
