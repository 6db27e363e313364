// @ts-check
// Where a reader types French: the box, words that go on with it, and the words as they are read.

import { textBox } from "../../kit/figures/text_box.js";
import { group, menu } from "../../kit/figures/controls.js";
import { assign, controlRow, h, setText } from "../../kit/figures/kit.js";
import { piecesOf } from "../../kit/figures/translator/words.js";
import { confidenceText } from "./english.js";
import words from "./french_words.json" with { type: "json" };
import shared from "./translator.json" with { type: "json" };
import { readable } from "./translator_math.js";

/** @typedef {import("../../kit/figures/translator/weights.js").Translator} Translator */
/** @typedef {import("./translator_math.js").State} State */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {{pieces: string[], unknown: boolean[], cut: boolean}} Read */

const OFFERED = 6;
const LAST_WORD = /[\p{L}\p{N}_-]+['’]?$/u;

/** A word without its accents: who types "etu" means "étu". @param {string} word */
function bare(word) {
  return word.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("œ", "oe");
}

/**
 * Known words that begin as the last word of a text does, the frequent ones first.
 * @param {string} text @param {string[]} known
 */
export function completions(text, known) {
  const last = LAST_WORD.exec(text)?.[0] ?? "";
  const piece = piecesOf(last).at(-1) ?? "";
  const fitting = known.filter((word) => word !== piece && bare(word).startsWith(bare(piece)));
  return fitting.slice(0, OFFERED);
}

/** The text with its last word completed. @param {string} text @param {string} word */
export function completed(text, word) {
  const behind = word.startsWith("-"); // a pronoun with its hyphen: dort-il
  const start = behind ? text.trimEnd() : text.replace(LAST_WORD, "");
  const glued = behind || start === "" || /[\s'’]$/.test(start);
  return `${start}${glued ? "" : " "}${word}${word.endsWith("'") ? "" : " "}`;
}

/** The French words that a translator knows, the frequent ones first. @param {Translator} translator */
export function knownFrench(translator) {
  return translator.tokens.filter((_, id) => (words.of[id] ?? "-") !== "-");
}

/** The French words of one kind, by the alphabet. @param {Translator} translator @param {number} kind */
export function ofKind({ tokens }, kind) {
  const { compare } = new Intl.Collator("fr");
  return tokens.filter((_, id) => words.of[id] === String(kind)).sort(compare);
}

/** How far a key goes among buttons. @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/** Buttons that the Tab key passes in one stop: arrows go from each to the next. @param {HTMLElement[]} buttons */
function oneStop(buttons) {
  const choose = (/** @type {number} */ chosen) =>
    buttons.forEach((button, i) => {
      button.tabIndex = i === chosen ? 0 : -1;
    });
  choose(0);
  /** @param {KeyboardEvent} event */
  return (event) => {
    if (!(event.key in STEPS) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const to = buttons.indexOf(/** @type {HTMLElement} */ (event.target)) + STEPS[event.key];
    const chosen = Math.min(Math.max(to, 0), buttons.length - 1);
    choose(chosen);
    buttons[chosen].focus();
  };
}

/** The words of one kind; a click writes one. @param {string} name @param {string[]} list @param {(word: string) => void} write */
function wordGroup(name, list, write) {
  const buttons = list.map((word) =>
    h("button", { type: "button", lang: "fr", onclick: () => write(word) }, word),
  );
  return h(
    "div",
    { class: "tr-group" },
    h("p", { class: "tr-title" }, name),
    h("div", { role: "toolbar", "aria-label": name, onkeydown: oneStop(buttons) }, ...buttons),
  );
}

/**
 * All words that it knows, in groups; a click writes one. Before them, how far to trust it.
 * The buttons are made when the list is opened: there are some two thousand.
 * @param {(word: string) => void} write @param {Translator} translator
 */
function wordList(write, translator) {
  const count = knownFrench(translator).length;
  const also = translator.doubt ? ", and how far to trust it" : "";
  const summary = h("summary", {}, `All ${count} French words that it knows${also}`);
  const trust = h("p", {}, confidenceText(translator));
  const keys = h("p", {}, "Arrow keys go from word to word.");
  const groups = h("div");
  const ontoggle = () => {
    if (groups.children.length) return;
    groups.append(
      ...words.kinds.map((name, kind) => wordGroup(name, ofKind(translator, kind), write)),
    );
  };
  return h("details", { class: "tr-known", ontoggle }, summary, trust, keys, groups);
}

/** The words as the machine reads them; those that it does not know are marked. */
function readWords() {
  const element = h("p", { class: "tr-read" });
  return {
    element,
    /** @param {Read} read */
    update({ pieces, unknown, cut }) {
      const spans = pieces.slice(0, -1).map((piece, i) => {
        const mark = unknown[i] ? [" ", h("small", {}, "unknown")] : [];
        return h("span", { class: unknown[i] ? "tr-unknown" : "tr-piece" }, piece, ...mark);
      });
      const more = cut ? [h("small", {}, "and reads no further")] : [];
      element.replaceChildren("It reads ", ...spans, ...more);
      element.hidden = spans.length === 0;
    },
  };
}

/** The sentences to begin with. @param {Model} model */
function exampleMenu(model) {
  return menu({
    label: "or try",
    options: ["a sentence …", ...shared.examples],
    onchange: (i) => i && assign(model, "text", shared.examples[i - 1]),
  });
}

/** Words that complete the last one. @param {Model} model @param {string[]} known @param {(text: string) => void} write */
function completing(model, known, write) {
  const offered = (/** @type {number} */ i) =>
    completed(model.get("text"), completions(model.get("text"), known)[i]);
  const offers = Array.from({ length: OFFERED }, (_, i) =>
    h("button", { type: "button", lang: "fr", onclick: () => write(offered(i)) }),
  );
  const hint = h("span", { class: "tr-hint" }, "words that complete your last one");
  return {
    element: controlRow(group("Go on with", ...offers, hint)),
    /** @param {string} text */
    update(text) {
      const found = completions(text, known);
      offers.forEach((button, i) => {
        button.hidden = i >= found.length;
        setText(button, found[i] ?? "");
      });
      hint.hidden = found.length > 0;
    },
  };
}

/**
 * Everything that a reader types with.
 * @param {Model} model @param {Translator} translator
 */
export function typing(model, translator) {
  const most = shared.letters.max;
  const oninput = (/** @type {string} */ text) => assign(model, "text", text.slice(0, most));
  const own = { class: "tr-text", lang: "fr", line: "tr-line" };
  const box = textBox({ label: "French", most, oninput, ...own });
  const write = (/** @type {string} */ text) => {
    oninput(text);
    box.input.focus?.();
  };
  const examples = exampleMenu(model);
  const [read, offers] = [readWords(), completing(model, knownFrench(translator), write)];
  const typed = h("div", { class: "tr-typed" }, read.element, offers.element);
  /** @type {string | undefined} */
  let shown;
  return {
    element: h("div", {}, controlRow(box.element, examples.element), typed),
    list: wordList(
      (word) => write(completed(`${model.get("text").trimEnd()} `.trimStart(), word)),
      translator,
    ),
    update() {
      const text = model.get("text");
      box.update(text);
      examples.update(shared.examples.indexOf(text) + 1);
      if (shown === text) return; // to look for completions takes longer than all the rest
      shown = text;
      offers.update(text);
      read.update(readable(translator, text));
    },
  };
}
