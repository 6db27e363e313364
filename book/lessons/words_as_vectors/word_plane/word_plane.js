// @ts-check
// The word plane: where does the arrow from one word to another lead, when it starts at a third one?

import { choice, menu, resetButton, tied, toggle } from "../../kit/figures/controls.js";
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
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { plane } from "./plane_drawing.js";
import { answers, changedPair, compute, nearestOf, threeOf, WORDS } from "./word_math.js";
import shared from "./word_plane.json" with { type: "json" };

/** @typedef {import("./word_math.js").State} State */
/** @typedef {import("./word_math.js").Answers} Answers */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["pair", "start", "exclude", "plane"];
const PLANES = Object.keys(shared.planes);

/** "king − man + woman" @param {string[]} three from, to and start */
function question([a, b, c]) {
  return `${b} − ${a} + ${c}`;
}

/** "1st", "2nd", "3rd", "11th" @param {number} n */
export function ordinal(n) {
  const teen = n % 100 > 10 && n % 100 < 14;
  return `${n}${(!teen && ["th", "st", "nd", "rd"][n % 10]) || "th"}`;
}

/** @param {number} x */
function write(x) {
  return format(x, 3);
}

/** What comes nearest, what the rule did, and what the drawing makes of it. @param {Answers} results @param {boolean} exclude */
export function verdict({ three, found, first, cosines, drawn }, exclude) {
  const quoted = (/** @type {number} */ i) => `“${WORDS[i]}”`;
  const [best] = found;
  const start = `${question(three.map((i) => WORDS[i]))}: of ${WORDS.length} words ${quoted(best)} is nearest, with a cosine of ${write(cosines[best])}`;
  const own = three.includes(best) ? ". That is a word of the question" : "";
  const rule = !exclude
    ? own
    : three.includes(first)
      ? `. The rule leaves out ${quoted(first)}, a word of the question, with ${write(cosines[first])}`
      : ". The rule changes nothing here";
  const seen = drawn[0] === 1 ? "nearest, too" : `${ordinal(drawn[0])} nearest`;
  return `${start}${rule}. In the drawing ${quoted(best)} is the ${seen}.`;
}

/** The menus that choose the question. @param {Model} model */
function questionMenus(model) {
  const ends = ["from", "to"].map((label, end) =>
    menu({
      label,
      options: WORDS,
      onchange: (i) => assign(model, "pair", changedPair(model.get("pair"), end, WORDS[i])),
    }),
  );
  const start = menu({
    label: "start at",
    options: WORDS,
    onchange: (i) => assign(model, "start", WORDS[i]),
  });
  const examples = menu({
    label: "question",
    options: ["your own", ...shared.examples.map(question)],
    onchange: (i) => {
      if (i === 0) return examples.update(exampleOf(model));
      const [a, b, c] = shared.examples[i - 1];
      assignAll(model, { pair: [a, b], start: c });
    },
  });
  return {
    parts: [examples, ...ends, start].map((part) => part.element),
    update() {
      const three = threeOf(model);
      examples.update(exampleOf(model));
      [...ends, start].forEach((part, which) => part.update(three[which]));
    },
  };
}

/** The selected line of the menu of questions. @param {Model} model */
function exampleOf(model) {
  const now = [...model.get("pair"), model.get("start")].join();
  return 1 + shared.examples.findIndex((example) => example.join() === now);
}

/** All controls. @param {Model} model */
function settings(model) {
  const menus = questionMenus(model);
  const rule = { label: "leave out the three words of the question" };
  const planes = { options: Object.values(shared.planes), values: PLANES };
  const shown = tied(model, "plane", choice, { legend: "Drawn on", ...planes });
  const left = tied(model, "exclude", toggle, rule);
  return {
    rows: [
      controlRow(...menus.parts, left.element, resetButton(model, TRAITS)),
      controlRow(shown.element),
    ],
    update: () => [menus, left, shown].forEach((part) => part.update()),
  };
}

/** Put one of the three handles on a word. @param {Model} model @param {number} which @param {number} index */
function chooseWord(model, which, index) {
  if (threeOf(model)[which] === index) return;
  if (which === 2) assign(model, "start", WORDS[index]);
  else assign(model, "pair", changedPair(model.get("pair"), which, WORDS[index]));
}

/** What the shapes of the drawing mean. */
function legend() {
  const signs = [
    ["wp-is-step", "○→○", "the arrow, from one word to another"],
    ["wp-is-moved", "○→", "the same arrow from the start"],
    ["wp-is-found", "◎", "the word nearest to its tip"],
  ];
  const parts = signs.map(([kind, sign, name]) =>
    h("span", {}, h("span", { class: kind }, sign), ` ${name}`),
  );
  return h("p", { class: "tl-aside tl-signs", "aria-hidden": "true" }, ...parts);
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, news] = [settings(model), status()];
  const drawing = plane({
    choose: (which, index) => chooseWord(model, which, index),
    follows: () => model.get("plane") === "all",
  });
  const { kept, ...near } = tables(shared.captions, {
    nearest: { rows: shared.rows, columns: 1, kind: "tl-bars wp-bars", write },
    drawn: { rows: shared.rows, columns: 1, kind: "wp-plain", write },
    kept: { rows: shared.kept.length, columns: 1, kind: "wp-plain", write },
  });
  const bars = h("div", { class: "wp-side" }, near.nearest.element, legend());
  const stage = h("div", { class: "tl-stage" }, drawing.element, bars);
  /** @type {ReturnType<typeof answers>} */
  let found;
  const namesNow = () => found.found.map((i) => WORDS[i]);
  const draw = () => {
    const results = compute(model, found);
    const [a, b, c] = found.three.map((i) => WORDS[i]);
    const rows = shared.kept.map((text) => fill(text, { a, b, c, answer: WORDS[found.answer] }));
    near.drawn.update(results.drawn, namesNow(), shared.heads.drawn, 0);
    kept.update(results.kept, rows, shared.heads.kept);
  };
  const numbers = folded(shared.fold, draw, panels(near.drawn, kept));
  el.classList.add("tl-figure", "tl-word-plane");
  el.append(h("p", { class: "tl-aside" }, shared.question));
  el.append(inView(...panel.rows), stage, news.element, numbers.element);

  return connect(model, TRAITS, () => {
    found = answers(model);
    panel.update();
    drawing.update(found);
    near.nearest.update(nearestOf(found), namesNow(), shared.heads.nearest, 0);
    numbers.update();
    news.say(verdict(found, model.get("exclude")));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
