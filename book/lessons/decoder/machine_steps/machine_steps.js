// @ts-check
// The machine, step by step: what happens to a sentence in each box of the trained translator?

import { textBox } from "../../kit/figures/text_box.js";
import { asset } from "../../kit/figures/assets.js";
import { button, choice, menu, resetButton, slider, tied } from "../../kit/figures/controls.js";
import {
  assign,
  assignAll,
  connect,
  controlRow,
  counted,
  fill,
  format,
  h,
  power,
  status,
} from "../../kit/figures/kit.js";
import { largestOf, showNumber } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { readModel } from "../../kit/figures/translator/weights.js";
import { machine } from "./machine_drawing.js";
import shared from "./machine_steps.json" with { type: "json" };
import { compute, placesOf, tablesOf, traceOf, wordsOf } from "./machine_trace.js";

/** @typedef {{text: string, examples: string[], step: number, head: number, assets: Record<string, DataView>}} State */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {import("./machine_trace.js").Trace} Trace */
/** @typedef {import("./machine_trace.js").Place} Place */
/** @typedef {ReturnType<typeof tablesOf>} Tables */

/** @type {(keyof State & string)[]} */
const TRAITS = ["text", "examples", "step", "head"];
const write = (/** @type {number} */ x) => format(x, shared.digits);
const texts = /** @type {Record<string, string>} */ (shared.texts);

/** What happens in a step, in words. @param {Trace} trace @param {Place} place @param {number} head */
export function stepText(trace, place, head) {
  const words = wordsOf(trace, place, head);
  const named = trace.unknown.map((word) => `“${word}”`).join(", ");
  const strange = named ? fill(texts.unknown, { words: named }) : "";
  const start = strange + (trace.isCut ? fill(texts.read, { words: shared.words }) : "");
  const said = fill(texts[`${place.part} ${place.kind}`], { ...words, share: write(words.share) });
  if (place.kind !== "output") return start + said;
  const isLast = place.token === trace.steps.length - 1;
  const { sentence } = trace;
  const end = !isLast ? "go on" : trace.ended ? "ended" : "cut";
  return start + said + fill(texts[end], { sentence: `“${sentence}”` });
}

/** A new table of a step. @param {string} name @param {string} caption @param {Tables[string]} table */
function tableOf(name, caption, { names, heads, values }) {
  const head = h("tr", {}, h("td"), ...heads.map((text) => h("th", { scope: "col" }, text)));
  const largest = name === "stream" ? largestOf(values.flat()) : 1;
  const lines = names.map((text, i) => {
    const cells = values[i].map((value) => {
      const cell = h("td");
      showNumber(cell, value, largest, name === "stream" ? write : power);
      return cell;
    });
    return h("tr", {}, h("th", { scope: "row" }, text), ...cells);
  });
  const parts = [h("caption", {}, caption), h("thead", {}, head), h("tbody", {}, ...lines)];
  const kind = heads.length === 1 ? "tl-matrix tl-bars ms-bars" : "tl-matrix";
  const box = h("div", { class: "tl-matrix-box" }, h("table", { class: kind }, ...parts));
  box.dataset.result = name;
  return box;
}

/** The caption of a table. @param {string} name @param {Place} place @param {ReturnType<typeof wordsOf>} words */
function captionOf(name, { part }, words) {
  const captions = /** @type {Record<string, string>} */ (shared.captions);
  if (name === "stream") return fill(captions[part], words);
  return fill(captions[name === "weights" && part === "decoder" ? "row" : name], words);
}

/** A line of words with the active one marked. @param {string} name @param {string} kind */
function wordLine(name, kind) {
  const list = h("span", { class: "ms-words" });
  const element = h("p", { class: `ms-line-of ${kind}` }, h("b", {}, name), " ", list);
  return {
    element,
    /** @param {string[]} words @param {number} lit */
    update(words, lit) {
      list.replaceChildren(
        ...words.flatMap((word, i) => [i === lit ? h("mark", {}, word) : h("span", {}, word), " "]),
      );
    },
  };
}

/** The box for a sentence, and the menu of those to begin with. @param {Model} model */
function sentenceBox(model) {
  const begin = (/** @type {string} */ text) => assignAll(model, { text, step: 0 });
  const box = textBox({
    label: "or your own",
    most: shared.letters.max,
    class: "ms-sentence",
    lang: "fr",
    line: "",
    oninput: begin,
  });
  const examples = model.get("examples");
  const pick = menu({
    label: "sentence",
    options: examples,
    onchange: (i) => begin(examples[i]),
  });
  return {
    parts: [pick.element, box.element],
    update() {
      const text = model.get("text");
      box.update(text);
      pick.update(examples.indexOf(text));
    },
  };
}

/** The buttons and the slider that lead through the steps. @param {Model} model @param {() => Place[]} places */
function walk(model, places) {
  const last = () => places().length - 1;
  const at = () => Math.min(model.get("step"), last());
  const go = (/** @type {number} */ step) =>
    assign(model, "step", Math.max(0, Math.min(step, last())));
  const nextWord = () => {
    const found = places().findIndex(
      ({ part, kind }, i) => i > at() && part === "decoder" && kind === "embed",
    );
    return found < 0 ? last() : found;
  };
  const back = button("Step back", () => go(at() - 1));
  const next = button("Next step", () => go(at() + 1), { class: "ms-next" });
  const word = button("Next word", () => go(nextWord()));
  const bar = slider({
    label: "step",
    ...shared.step,
    oninput: go,
    text: (step) => `${step + 1} of ${last() + 1}`,
  });
  return {
    at,
    parts: [back, next, word, bar.element],
    update() {
      bar.input.setAttribute("max", String(last()));
      bar.update(at());
      for (const [button, off] of /** @type {[HTMLButtonElement, boolean][]} */ ([
        [back, at() === 0],
        [next, at() === last()],
        [word, at() === last()],
      ]))
        button.setAttribute("aria-disabled", String(off));
    },
  };
}

/** The current sentence, translated once and kept until it changes. @param {Model} model */
function reading(model) {
  const translator = readModel(asset(model, "translator"));
  let read = model.get("text");
  let trace = traceOf(translator, read);
  let places = placesOf(trace);
  return () => {
    if (model.get("text") !== read) {
      read = model.get("text");
      trace = traceOf(translator, read);
      places = placesOf(trace);
    }
    return { trace, places };
  };
}

/** The drawing, and below it the words of the source and of the target so far. @param {Place[]} places */
function picture(places) {
  const one = (/** @type {Place["part"]} */ part) =>
    places.filter((place) => place.part === part && place.token === 0);
  const drawing = machine(one("encoder"), one("decoder"));
  const [source, target] = [wordLine("source", "ms-source"), wordLine("target", "ms-target")];
  const parts = [drawing.element, source.element, target.element];
  return {
    element: h("div", { class: "ms-picture" }, ...parts),
    /** @param {Trace} trace @param {Place} place */
    update(trace, place) {
      drawing.update(place);
      const known = place.token + (place.kind === "output" ? 2 : 1);
      const ids = place.part === "decoder" ? trace.ids.slice(0, known) : [];
      const written = ids.map((id) => trace.model.tokens[id]);
      source.update(trace.source, -1);
      target.update(written.length ? written : ["…"], written.length - 1);
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const now = reading(model);
  const [drawn, news] = [picture(now().places), status()];
  const [box, way] = [sentenceBox(model), walk(model, () => now().places)];
  const options = counted(Array(now().trace.model.config.num_heads).fill(0));
  const heads = tied(model, "head", choice, { legend: "head", options });
  const [board, fold] = [h("div", { class: "ms-board" }), h("div")];
  const numbers = h("details", {}, h("summary", {}, shared.fold), fold);
  const side = h("div", { class: "ms-side" }, news.element, board, numbers);
  const reset = resetButton(model, ["text", "step", "head"]);
  el.classList.add("tl-figure", "tl-machine-steps");
  el.append(h("p", { class: "tl-aside" }, shared.aside));
  el.append(controlRow(...box.parts), controlRow(...way.parts, heads.element, reset));
  el.append(h("div", { class: "ms-stage" }, drawn.element, side));

  return connect(model, TRAITS, () => {
    const { trace, places } = now();
    const [place, head] = [places[way.at()], model.get("head")];
    const words = wordsOf(trace, place, head);
    for (const part of [box, way, heads]) part.update();
    drawn.update(trace, place);
    const [stream, ...others] = Object.entries(tablesOf(trace, place, head)).map(([name, table]) =>
      tableOf(name, captionOf(name, place, words), table),
    );
    board.replaceChildren(...others);
    fold.replaceChildren(stream);
    news.say(stepText(trace, place, head));
  });
}

/** The numbers of a moment of the tour. @param {Model} model */
function numbersOf(model) {
  const trace = traceOf(readModel(asset(model, "translator")), model.get("text"));
  return compute(trace, model.get("step"), model.get("head"));
}

export default { render: touring(render, TRAITS, shared.tour, numbersOf) };
