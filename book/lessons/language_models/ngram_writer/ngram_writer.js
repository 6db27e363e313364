// @ts-check
// n-gram writer: how much of what a model of counts writes is its own, and how much is copied?

import { button, choice, form, resetButton, slider, tied } from "../../kit/figures/controls.js";
import { place, svg } from "../../kit/figures/drawing.js";
import {
  assign,
  connect,
  controlRow,
  folded,
  format,
  h,
  inView,
  panels,
  raised,
  stateOf,
  status,
} from "../../kit/figures/kit.js";
import { player } from "../../kit/figures/player.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import {
  LENGTHS,
  compute,
  followersOf,
  numbersOf,
  shownOf,
  vocabularySize,
  writing,
} from "./ngram_math.js";
import shared from "./ngram_writer.json" with { type: "json" };

/** @typedef {import("./ngram_math.js").State} State */
/** @typedef {import("./ngram_math.js").Text} Text */
/** @typedef {import("./ngram_math.js").Writing} Writing */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["text", "length", "seed", "choices"];
const NAMES = /** @type {Text[]} */ (shared.texts);

/** A large count: 3 digits and a power of ten. @param {number} count */
function large(count) {
  const power = Math.floor(Math.log10(count));
  if (power < 6) return String(count);
  return `${format(count / 10 ** power, 1)}·10${raised(power)}`;
}

/** What the last choice was like, in words. @param {Writing["last"]} last */
function describeDraw({ context, candidates, word }) {
  const before = context.length ? `After “${context.join(" ")}”` : "Counted everywhere,";
  const times = (/** @type {number} */ n) => (n === 1 ? "once" : `${n} times`);
  const total = candidates.reduce((sum, [, count]) => sum + count, 0);
  if (candidates.length === 1)
    return `${before} the text has only “${word}”, ${times(total)}: there was nothing to choose.`;
  const [, count] = candidates.find(([name]) => name === word) ?? ["", 0];
  return `${before} the text has ${candidates.length} different words, ${total} in all. Chance took “${word}”, which occurs there ${times(count)}.`;
}

/** The last choice, and how many contexts there could be. @param {State} state @param {Writing} found */
export function verdict({ text, length }, { last }) {
  const seen = followersOf(text, length).size;
  const words = vocabularySize(text);
  if (!length) return `${describeDraw(last)} The words before it make no difference.`;
  const width = length === 1 ? "1 word" : `${length} words`;
  const possible = `${words} different words could make ${large(words ** length)} contexts of ${width}`;
  return `${describeDraw(last)} ${possible}; the text contains ${seen}, starts of sentences included.`;
}

/** One sentence on the page, with the copied run and the newest word marked. @param {Writing} found @param {number} index */
function line({ made, written, run, last }, index) {
  const before = written.slice(0, index).reduce((sum, words) => sum + words.length + 1, 0);
  const forced = (/** @type {number} */ i) => made[before + i].candidates.length === 1;
  const words = written[index];
  const isLast = index === written.length - 1;
  const ends = !isLast;
  const newest = isLast ? words.length - 1 : -1;
  const span = (/** @type {number} */ from, /** @type {number} */ to) =>
    words.slice(from, to).flatMap((word, i) => {
      const place = from + i;
      const plain = forced(place) ? h("span", { class: "ng-forced" }, word) : word;
      const shown = place === newest ? h("b", { class: "ng-newest" }, plain) : plain;
      return place > from ? [" ", shown] : [shown];
    });
  const marked = run.sentence === index && run.length > 0;
  const [start, stop] = marked ? [run.start, run.start + run.length] : [0, 0];
  const parts = [
    ...span(0, start),
    ...(start ? [" "] : []),
    ...(marked ? [h("mark", {}, ...span(start, stop))] : []),
    ...(marked && stop < words.length ? [" "] : []),
    ...span(stop, words.length),
  ];
  const justEnded = ends && index === written.length - 2 && last.word === shared.end;
  const none = ends && forced(words.length) ? " ng-forced" : "";
  const kind = `tl-aside${none}${justEnded ? " ng-newest" : ""}`;
  const end = ends ? [" ", h("span", { class: kind }, shared.end)] : [];
  return h("p", {}, ...parts, ...end);
}

/** The page that is written on. */
function page() {
  const element = h("div", { class: "ng-page", lang: "en" });
  return {
    element,
    /** @param {Writing} found */
    update(found) {
      const full = found.written.filter((words, i) => words.length || i < found.written.length - 1);
      element.replaceChildren(...full.map((_, i) => line(found, i)));
    },
  };
}

/** The buttons that write. @param {Model} model @param {() => void} changed */
function buttons(model, changed) {
  const { min, max } = shared.choices;
  const at = () => model.get("choices");
  const go = (/** @type {number} */ n) => assign(model, "choices", Math.max(min, Math.min(n, max)));
  const play = player(
    () => at() < max,
    () => go(at() + 1),
    changed,
    shared.pause,
  );
  const back = button("Back", () => go(at() - 1));
  const next = button("Next word", () => go(at() + 1));
  const run = button("Play", play.toggle);
  const fresh = button("Another draw", () =>
    assign(model, "seed", (model.get("seed") + 1) % (shared.seed.max + 1)),
  );
  const reset = resetButton(model, TRAITS);
  reset.addEventListener("click", play.stop);
  return {
    ...play,
    parts: [back, next, run, fresh, reset],
    update() {
      run.textContent = play.isPlaying() ? "Pause" : "Play";
      back.setAttribute("aria-disabled", String(at() === min));
      next.setAttribute("aria-disabled", String(at() === max));
      run.setAttribute("aria-disabled", String(at() === max));
    },
  };
}

/** What is set. @param {Model} model */
function settings(model) {
  const texts = { options: shared.names, values: NAMES };
  return form(
    [tied(model, "text", choice, { legend: "It has counted", ...texts })],
    [
      tied(model, "length", slider, { label: "words back, L", ...shared.length }),
      tied(model, "choices", slider, { label: "choices made", ...shared.choices }),
    ],
  );
}

/** The four tables. */
function results() {
  const bars = { rows: shared.rows, columns: 1, kind: "tl-bars ng-bars" };
  return tables(shared.captions, {
    times: bars,
    shares: bars,
    measures: { rows: shared.measures.length, columns: 1, kind: "ng-measures" },
    contexts: { rows: LENGTHS.length, columns: 2, kind: "ng-contexts" },
  });
}

/** How many contexts of each length the text has, as bars, and how many of them leave no choice. */
function seenBars() {
  const ROW = 19;
  const rows = LENGTHS.map((length) => {
    const y = ROW * length;
    const name = svg("text", { x: 36, y: y + 13, class: "ng-name" }, `L = ${length}`);
    const [all, sure] = ["ng-all", "ng-sure"].map((kind) =>
      svg("rect", { class: kind, x: 44, y: y + 2, height: ROW - 5 }),
    );
    const size = svg("text", { y: y + 13 });
    return { all, sure, size, element: svg("g", {}, name, all, sure, size) };
  });
  const box = { viewBox: `0 0 400 ${ROW * LENGTHS.length}`, class: "tl-drawing" };
  /** @type {number[][] | undefined} */
  let drawn;
  const drawing = svg("svg", { ...box, "aria-hidden": "true" }, ...rows.map((row) => row.element));
  return {
    element: h("div", { class: "ng-seen" }, h("p", { class: "tl-aside" }, shared.seen), drawing),
    /** @param {number[][]} contexts @param {number} chosen */
    update(contexts, chosen) {
      rows.forEach(({ element }, length) => {
        element.classList.toggle("ng-chosen", length === chosen);
      });
      if (contexts === drawn) return; // the same text
      drawn = contexts;
      const most = Math.max(...contexts.flat());
      rows.forEach(({ all, sure, size }, length) => {
        const [seen, one] = contexts[length].map((count) => (300 * count) / most);
        place(all, { width: seen.toFixed(1) });
        place(sure, { width: one.toFixed(1) });
        place(size, { x: (50 + seen).toFixed(1) });
        size.textContent = String(contexts[length][0]);
      });
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [knobs, views, sheet, news] = [settings(model), results(), page(), status()];
  const seen = seenBars();
  const keys = buttons(model, () => draw());
  el.classList.add("tl-figure", "tl-ngram-writer");
  el.append(h("p", { class: "tl-aside" }, shared.question));
  el.append(inView(...knobs.rows, controlRow(...keys.parts)));
  const written = h("div", {}, sheet.element, seen.element);
  el.append(h("div", { class: "ng-stage tl-answer" }, written, views.times.element), news.element);
  /** @type {ReturnType<typeof writing>} */
  let found;
  /** @type {ReturnType<typeof numbersOf>} */
  let numbers;
  const shown = () => shownOf(found.last).map(([word]) => word);
  const unfold = () => {
    const [words, names] = [shown(), LENGTHS.map((length) => `L = ${length}`)];
    const chosen = words.indexOf(found.last.word);
    views.shares.update(numbers.shares, words, shared.heads.shares, chosen);
    views.measures.update(numbers.measures, shared.measures, shared.heads.measures);
    views.contexts.update(numbers.contexts, names, shared.heads.contexts, model.get("length"));
  };
  const fold = folded(shared.fold, unfold, panels(views.shares, views.measures, views.contexts));
  el.append(fold.element);

  const draw = () => {
    found = writing(model);
    numbers = numbersOf(model.get("text"), found);
    const words = shown();
    knobs.update();
    keys.update();
    sheet.update(found);
    seen.update(numbers.contexts, model.get("length"));
    views.times.update(numbers.times, words, shared.heads.times, words.indexOf(found.last.word));
    fold.update();
    // Read aloud is what a reader stops at, not every word of a play.
    if (!keys.isPlaying()) news.say(verdict(stateOf(model, TRAITS), found));
  };
  const stop = connect(model, TRAITS, draw);
  return () => {
    stop();
    keys.stop();
  };
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
