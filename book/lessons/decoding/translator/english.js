// @ts-check
// The translation: its words with the chosen one marked, and what differs from the whole machine.

import { assign, fill, format, h, power, setText } from "../../kit/figures/kit.js";
import { SPECIAL } from "../../kit/figures/translator/weights.js";
import shared from "./translator.json" with { type: "json" };
import { differing, isAblated, nextOf, sentenceOf, shownWord } from "./translator_math.js";

/** @typedef {import("../../kit/figures/translator/weights.js").Translator} Translator */
/** @typedef {import("./translator_math.js").State} State */
/** @typedef {import("./translator_math.js").Found} Found */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/**
 * The translation of the machine as it is, and below it that of the machine unharmed.
 * @param {Model} model @param {Translator} translator
 */
export function english(model, translator) {
  const line = h("div", {
    class: "tr-english",
    role: "group",
    "aria-label": "English",
    lang: "en",
  });
  const before = h("p", { class: "tr-whole" });
  const unsure = h("p", { class: "tr-doubt", role: "status" });
  const names = (/** @type {number[]} */ ids) => ids.map((id) => shownWord(translator.tokens[id]));
  const element = h("div", { class: "tr-result" }, line, unsure, before);
  return {
    element,
    /** @param {Found} found @param {number} place the word that is chosen @param {boolean} ablated */
    update({ reading, whole, doubt }, place, ablated) {
      setText(unsure, reading.source.pieces.length > 1 ? uncertaintyText(doubt) : "");
      element.classList.toggle("tr-unsure", unsure.textContent !== "");
      const [now, then] = [names(reading.ids), names(whole.ids)];
      const changed = differing(now, then);
      const words = now.map((word, i) => {
        const kind = `${changed[i] ? "tr-changed" : ""} ${reading.ids[i] === SPECIAL.eos ? "tr-end" : ""}`;
        if (model.get("simple")) return h("span", { class: `tr-plain ${kind}` }, word);
        const choose = { onclick: () => assign(model, "place", i) };
        const state = { "aria-pressed": String(i === place), class: kind };
        const label = changed[i] ? { "aria-label": `${word}, changed` } : {};
        return h("button", { type: "button", ...choose, ...state, ...label }, word);
      });
      line.replaceChildren(...words);
      before.hidden = !ablated;
      const lost = differing(then, now);
      const kept = then
        .slice(0, then.length - 1)
        .flatMap((word, i) => [h(lost[i] ? "s" : "span", {}, word), " "]);
      before.replaceChildren("unharmed: ", ...kept);
    },
  };
}

/** What it says if it is not sure; nothing if it is. @param {Found["doubt"]} doubt */
export function uncertaintyText(doubt) {
  if (!doubt?.isDoubtful) return "";
  return fill(shared.doubt, { word: shownWord(doubt.word), share: format(doubt.share, 2) });
}

/** How far one may trust that it says so. @param {Translator} translator */
export function confidenceText({ doubt }) {
  if (!doubt) return "";
  const inHundred = (/** @type {number} */ share) => format(100 * share, 0);
  const [alarms, caught] = [doubt.false_alarms, 1 - doubt.misses].map(inHundred);
  return fill(shared.trust, { alarms, caught });
}

/**
 * What happened, in words.
 * @param {Translator} translator @param {State} state @param {Found} found
 */
export function verdict(translator, state, { reading, whole }) {
  const { source } = reading;
  const [now, then] = [sentenceOf(translator, reading), sentenceOf(translator, whole)];
  const { at, share } = nextOf(translator, reading, state);
  const word = shownWord(translator.tokens[reading.ids[at]]);
  const start =
    source.pieces.length === 1
      ? "Nothing is typed. It translates the end token alone as"
      : "English:";
  const effect =
    now === then ? "The unchanged model writes the same." : `Unchanged model: “${then}”.`;
  const strange = source.pieces.filter((_, i) => source.unknown[i]).map((piece) => `“${piece}”`);
  return [
    `${start} “${now}”.`,
    ...(isAblated(state) ? [effect] : []),
    ...(strange.length ? [`It does not know ${strange.join(", ")} and must guess.`] : []),
    ...(state.simple ? [] : [`Word ${at + 1}, “${word}”, has probability ${power(share)}.`]),
  ].join(" ");
}
