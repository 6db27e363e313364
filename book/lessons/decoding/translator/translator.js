// @ts-check
// The translator: what does a trained Transformer write, and what else could it have written?

import { asset } from "../../kit/figures/assets.js";
import {
  assign,
  connect,
  folded,
  format,
  h,
  panels,
  power,
  stateOf,
  status,
} from "../../kit/figures/kit.js";
import { matrix } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { finished } from "../../kit/figures/translator/search.js";
import { inSlices } from "../../kit/figures/translator/slices.js";
import { readModel, SPECIAL } from "../../kit/figures/translator/weights.js";
import { attentionDrawing } from "./attention_drawing.js";
import { beamDrawing } from "./beam_drawing.js";
import { english, verdict } from "./english.js";
import { ablationControls, viewControls, sentenceControls, TRAITS } from "./settings.js";
import shared from "./translator.json" with { type: "json" };
import {
  attentionOf,
  beamsOf,
  compute,
  finding,
  isAblated,
  nextOf,
  shownWord,
} from "./translator_math.js";
import { typing } from "./typing.js";

/** @typedef {import("../../kit/figures/translator/weights.js").Translator} Translator */
/** @typedef {import("./translator_math.js").State} State */
/** @typedef {import("./translator_math.js").Found} Found */
/** @typedef {import("../../kit/figures/kit.js").Model<State & {assets: Record<string, DataView>}>} Model */

const WRITERS = { attention: short, next: power, beams: short };
const SLICE = 20; // milliseconds between which the page does what else it has to

/** @param {number} x */
function short(x) {
  return format(x, 2);
}

/** What a translation depends on; the other traits only say what is looked at. */
const READ = /** @type {(keyof State & string)[]} */ ([
  "text",
  "method",
  "beams",
  "alpha",
  "temperature",
  "seed",
  "silenced",
  "positions",
  "mask",
]);

/**
 * A table with as many rows and columns as it is asked to show.
 * @param {"attention" | "next" | "beams"} name @param {string} [kind]
 */
function table(name, kind = "") {
  const element = h("div", { "data-result": name });
  element.dataset.result = name;
  let size = "";
  /** @type {ReturnType<typeof matrix> | undefined} */
  let view;
  return {
    element,
    /** @param {number[][]} values @param {string[]} rows @param {string[]} columns @param {number} [selected] */
    update(values, rows, columns, selected) {
      const now = `${rows.length} ${columns.length}`;
      if (now !== size || !view) {
        size = now;
        const shape = { rows: rows.length, columns: columns.length, kind };
        view = matrix(shared.captions[name], { ...shape, write: WRITERS[name] });
        element.replaceChildren(view.element);
      }
      view.update(values, rows, columns, selected);
    },
  };
}

/** Who looks at whom, as lines or as a table. @param {Model} model @param {Translator} translator */
function attentionView(model, translator) {
  const title = h("p", { class: "tr-title" });
  const hint = h("p", { class: "tr-hint" }, shared.hint);
  const numbers = table("attention");
  const drawing = attentionDrawing((i) => {
    if (model.get("part") === "encoder") return;
    assign(model, "place", i);
  });
  return {
    element: h("div", { class: "tr-attention" }, title, drawing.element, numbers.element, hint),
    /** @param {Found} found @param {State} state @param {number} place */
    update({ reading }, state, place) {
      const seen = attentionOf(translator, reading, state);
      const asTable = state.form === "table";
      const head = state.head < 0 ? "all heads averaged" : `head ${state.head + 1}`;
      title.textContent = `${shared.titles[state.part]}, layer ${state.layer + 1}, ${head}`;
      drawing.element.hidden = hint.hidden = asTable;
      numbers.element.hidden = !asTable;
      if (asTable) numbers.update(seen.weights, seen.rows, seen.columns);
      else drawing.update(seen, state.simple || state.part === "encoder" ? -1 : place);
    },
  };
}

/** The likeliest words at the chosen place. @param {Translator} translator */
function nextView(translator) {
  const bars = table("next", "tl-bars tr-bars");
  return {
    element: h("div", { class: "tr-next tl-answer" }, bars.element),
    /** @param {Found} found @param {State} state */
    update({ reading }, state) {
      const { words, shares, taken } = nextOf(translator, reading, state);
      bars.update(shares, words, shared.heads.next, taken);
    },
  };
}

/** The beams: a tree and the sentences that were kept. @param {Translator} translator */
function beamView(translator) {
  const kept = table("beams", "tr-sentences");
  const tree = beamDrawing(kept.element);
  const name = (/** @type {number} */ id) => shownWord(translator.tokens[id]);
  return {
    element: tree.element,
    /** @param {Found} found */
    update({ reading: { search } }) {
      if (!search) return;
      const { rows, numbers } = beamsOf(search);
      const scores = numbers.map(([, score]) => score);
      const fill = () => kept.update(numbers, rows, shared.heads.beams);
      tree.update(search.tree, scores, name, SPECIAL.pad, fill);
    },
  };
}

/** What one step looked at and could have written; next to a tree it is folded. @param {...Node} parts */
function stepView(...parts) {
  const all = h("div", { class: "tr-step" }, ...parts);
  let tell = () => {};
  const more = folded(shared.more, () => tell());
  more.element.hidden = true;
  const element = h("div", { class: "tr-step" }, more.element, all);
  return {
    element,
    /** @param {boolean} besideATree @param {() => void} draw */
    update(besideATree, draw) {
      tell = draw;
      if (more.element.hidden === besideATree) (besideATree ? more.element : element).append(all);
      more.element.hidden = !besideATree;
      if (besideATree) more.update();
      else draw();
    },
  };
}

/** Everything that is seen, in its place. @param {Model} model @param {Translator} translator */
function views(model, translator) {
  const own = /** @type {import("./settings.js").Model} */ (/** @type {unknown} */ (model));
  const controls = [sentenceControls, ablationControls, viewControls].map((make) =>
    make(own, translator),
  );
  const [box, result, news] = [typing(own, translator), english(own, translator), status()];
  const [attention, next, beams] = [
    attentionView(model, translator),
    nextView(translator),
    beamView(translator),
  ];
  const [picking, ablation, looking] = controls.map((control) => control.element);
  const step = stepView(panels(next, attention), looking);
  const full = [picking, beams.element, step.element, ablation, box.list];
  const shown = model.get("simple") ? [attention.element] : full;
  const aside = model.get("simple") ? [] : [h("p", { class: "tl-aside" }, shared.aside)];
  return {
    elements: [...aside, box.element, result.element, news.element, ...shown],
    /** What follows from the traits alone. */
    update() {
      box.update();
      for (const control of controls) control.update();
    },
    /** @param {Found} found @param {State} state */
    show(found, state) {
      const place = Math.min(state.place, found.reading.steps.length - 1);
      result.update(found, place, isAblated(state));
      step.update(state.method === "beam", () => {
        attention.update(found, state, place);
        next.update(found, state);
      });
      beams.element.hidden = state.method !== "beam";
      beams.update(found);
      news.say(verdict(translator, state, found));
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const translator = readModel(asset(model, "translator"));
  const seen = views(model, translator);
  el.classList.add("tl-figure", "tl-translator");
  el.append(...seen.elements);
  let read = "";
  /** @type {Found | undefined} */
  let found;
  let stopWork = () => {};

  const stateNow = () => /** @type {State} */ (stateOf(model, [...TRAITS, "simple"]));
  const stop = connect(model, TRAITS, () => {
    const state = stateNow();
    const wanted = JSON.stringify(READ.map((name) => state[name]));
    seen.update();
    if (wanted === read) {
      if (found) seen.show(found, state);
      return;
    }
    stopWork();
    const budget = read ? SLICE : Infinity; // what is seen first comes in one piece: nothing jumps
    [read, found] = [wanted, undefined];
    el.setAttribute("aria-busy", "true");
    stopWork = inSlices(
      finding(translator, state),
      (result) => {
        found = result;
        el.setAttribute("aria-busy", "false");
        seen.show(result, stateNow());
      },
      budget,
    );
  });
  return () => {
    stopWork();
    stop();
  };
}

/** The numbers of a moment of the tour. @param {Model} model */
function numbersOf(model) {
  const translator = readModel(asset(model, "translator"));
  const state = /** @type {State} */ (stateOf(model, [...TRAITS, "simple"]));
  return compute(translator, state, finished(finding(translator, state)).reading);
}

export default { render: touring(render, TRAITS, shared.tour, numbersOf) };
