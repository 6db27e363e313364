// @ts-check
// What a reader reads: the text with the fate of each word, and what the last step did.

import { format, h, power } from "../../kit/figures/kit.js";
import { longer } from "../../kit/figures/translator/language_model.js";
import { likeliest } from "../../kit/figures/translator/search.js";
import shared from "./draft_and_verify.json" with { type: "json" };
import {
  bothAt,
  chosenAt,
  isDone,
  latest,
  residualPart,
  scaledResidual,
  shownAt,
  whyNumbers,
  writtenBy,
} from "./speculation.js";

/** @typedef {import("./speculation.js").Gpt} Gpt */
/** @typedef {import("./speculation.js").State} State */
/** @typedef {import("./speculation.js").Moment} Moment */
/** @typedef {import("./speculation.js").Round} Round */
/** @typedef {keyof typeof shared.verdicts} Verdict */
/** A word of the text with its fate. @typedef {{word: string, fate: string, sign?: string}} Fate */

/** A probability in a table: three decimals, "?" before it is known. @param {number} x @param {number} [digits] */
export function brief(x, digits = 3) {
  if (Number.isNaN(x)) return "?";
  const least = 10 ** -digits;
  return x >= 1e-9 && x < least / 2 ? `<${least}` : format(Math.max(0, x), digits);
}

/** The verdict on each drafted word so far. @param {Moment} moment @returns {Verdict[]} */
export function verdictsOf(moment) {
  const { drafted, accepted } = latest(moment);
  return drafted.map((_, i) => {
    if (i < Math.min(moment.judged, accepted)) return "accepted";
    if (moment.judged <= accepted) return "waits";
    return i === accepted ? "rejected" : "dropped";
  });
}

/** The words that a finished round has added. @param {Gpt} gpt @param {Round} round @returns {Fate[]} */
function fatesOf({ tokens }, round) {
  const last = round.accepted === round.drafted.length ? "bonus" : "replaced";
  return writtenBy(round).map((id, i) => {
    const isLast = i === round.accepted;
    const sign = isLast ? shared.signs[last] : undefined;
    return { word: tokens[id], fate: isLast ? last : "accepted", sign };
  });
}

/** The words of the draft that is not finished. @param {Gpt} gpt @param {Moment} moment @returns {Fate[]} */
function pendingOf({ tokens }, moment) {
  const names = verdictsOf(moment);
  return latest(moment).drafted.map((id, i) => {
    const sign = names[i] === "rejected" ? shared.signs.rejected : undefined;
    return { word: tokens[id], fate: names[i], sign };
  });
}

/** The prompt and what was written after it; a draft that is not finished is marked. */
export function textSheet() {
  const element = h("p", { class: "dv-text", lang: "en" });
  return {
    element,
    /** @param {Gpt} gpt @param {string} text @param {Moment} moment */
    update(gpt, text, moment) {
      const { rounds } = moment;
      const finished = isDone(moment) ? rounds : rounds.slice(0, -1);
      const fates = finished.flatMap((round) => fatesOf(gpt, round));
      const newest = fates.length - 1;
      if (!isDone(moment)) fates.push(...pendingOf(gpt, moment));
      let so = text.trimEnd();
      const spans = fates.flatMap(({ word, fate, sign }, i) => {
        const next = longer(so, word);
        const gap = next.length > so.length + word.length ? [" "] : [];
        so = next;
        const isNew = isDone(moment) && i === newest;
        const mark = sign ? [h("small", { "aria-hidden": "true" }, sign)] : [];
        const kind = `dv-word dv-${fate}${isNew ? " dv-newest" : ""}`;
        return [...gap, h("span", { class: kind }, word, ...mark)];
      });
      element.replaceChildren(h("span", { class: "dv-prompt" }, text.trimEnd()), ...spans);
    },
  };
}

/** A count with its noun. @param {number} count @param {string} noun */
function many(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** What the draft model has done. @param {Gpt} gpt @param {State} state @param {Moment} moment */
function draftSaid({ tokens }, { draft, length }, moment) {
  const words = latest(moment).drafted.map((id) => `“${tokens[id]}”`);
  return `Draft model (${shared.names[draft]}): ${many(length, "word")}, one after the other: ${words.join(", ")}. The large model has not read them yet.`;
}

/** What the check has found. @param {State} state */
function checkSaid({ length }) {
  return `One pass of the large model reads the text with the draft and returns p at ${length + 1} positions: before each drafted word, and after the last.`;
}

/** How a word was judged. @param {Gpt} gpt @param {Moment} moment */
function judgedSaid({ tokens }, { rounds, focus, stage }) {
  const { drafted, q, p, chances } = rounds[rounds.length - 1];
  const word = drafted[focus];
  const [small, large] = [q[focus][word], p[focus][word]];
  const ratio = power(Math.min(1, large / small));
  const rule = `“${tokens[word]}”: min(1, p/q) = min(1, ${power(large)}/${power(small)}) = ${ratio}.`;
  const chance = `The random number ${format(chances[focus], 3)}`;
  if (stage === "accepted") return `${rule} ${chance} is below it: accepted.`;
  const rest = drafted.length - focus - 1;
  const lost = rest
    ? ` The ${many(rest, "word")} after it ${rest === 1 ? "is" : "are"} discarded.`
    : "";
  return `${rule} ${chance} is not below it: rejected.${lost}`;
}

/** How the word after the accepted ones was drawn. @param {Gpt} gpt @param {Moment} moment */
function lastSaid({ tokens }, moment) {
  const { p, q } = bothAt(moment);
  const id = chosenAt(moment);
  const word = `“${tokens[id]}”`;
  if (moment.stage === "bonus") {
    const count = latest(moment).drafted.length;
    const all =
      count === 1 ? "The drafted word was accepted" : `All ${count} drafted words were accepted`;
    return `${all}. The same pass also computed p for one more word: ${word} is drawn, with probability ${power(p[id])}.`;
  }
  const total = residualPart(p, q).reduce((all, x) => all + x, 0);
  const scaled = scaledResidual(p, q);
  const best = likeliest(scaled, 1)[0];
  const own = `${power(p[id] - q[id])}/${power(total)} = ${power(scaled[id])}`;
  const other =
    best === id ? "" : `. The most probable one, “${tokens[best]}”, had ${power(scaled[best])}`;
  return `The replacement is drawn from the residual divided by its sum: ${word} had probability ${own}${other}.`;
}

/**
 * How the numbers of a row of the proof were made.
 * @param {Gpt} gpt @param {Moment} moment @param {number} row
 */
export function wordStatus({ tokens }, moment, row) {
  if (moment.stage === "drafted")
    return "The large model has not checked the draft yet: p is unknown.";
  const ids = shownAt(moment);
  const rows = whyNumbers(moment, ids);
  const [kept, rest, all] = rows[row].map(power);
  const name =
    row < ids.length ? `“${tokens[ids[row]]}”` : shared[row === ids.length ? "others" : "total"];
  if (moment.stage === "bonus")
    return `Nothing was drafted at this position, so q = 0 and the residual is p: ${all} for ${name}.`;
  if (row === ids.length + 1)
    return `The draft is accepted here with probability Σ min(p, q) = ${kept}. It is rejected with probability ${rest}, and the residual sums to the same number: together 1.`;
  if (row === ids.length) return `All other words together: ${kept} + ${rest} = ${all}.`;
  const { p, q } = bothAt(moment);
  const [large, small] = [p[ids[row]], q[ids[row]]];
  const drafted = `${name} is drafted with probability q = ${power(small)}`;
  if (large < small)
    return `${drafted} and accepted with p/q = ${power(large / small)}: the product is p = ${all}. The residual adds 0.`;
  return `${drafted} and always accepted, because p is not below q. The residual adds p − q = ${rest}: together p = ${all}.`;
}

/** What the last step did, in words. @param {Gpt} gpt @param {State} state @param {Moment} moment */
export function verdict(gpt, state, moment) {
  const { stage, full } = moment;
  const end = full ? " The text ends here." : "";
  if (stage === "drafted") return draftSaid(gpt, state, moment);
  if (stage === "checked") return checkSaid(state);
  if (stage === "accepted" || stage === "rejected") return judgedSaid(gpt, moment);
  return lastSaid(gpt, moment) + end;
}
