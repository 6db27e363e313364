// @ts-check
// What a machine writes now: its lane under the chart.

import { fill, format, h, setText } from "../kit.js";
import { TEXTS } from "./texts.js";

/** @typedef {import("./runs.js").Run} Run */
/** @typedef {import("./machine_room.js").Report} Report */
/** @typedef {{text: string, kind: "given" | "right" | "wrong", wanted: string}} Token */

const VISIBLE = /** @type {Record<string, string>} */ ({ "\n": "↵", " ": "␣", "\t": "⇥" });
export const seen = (/** @type {string} */ letter) => VISIBLE[letter] ?? letter;

/**
 * A held-out example as the machine has written it: the question's tokens and the answer's.
 * @param {Pick<Report, "ids" | "targets" | "counted" | "written">} example @param {string[]} alphabet
 * @returns {Token[]}
 */
export function tokensOf({ ids, targets, counted, written }, alphabet) {
  const given = (/** @type {number} */ id) =>
    /** @type {Token} */ ({ text: seen(alphabet[id]), kind: "given", wanted: "" });
  const rest = targets.map((/** @type {number} */ target, /** @type {number} */ i) => {
    if (!counted[i]) return given(target);
    const kind = written[i] === target ? "right" : "wrong";
    return { text: seen(alphabet[written[i]]), kind, wanted: seen(alphabet[target]) };
  });
  return [given(ids[0]), ...rest];
}

/** A text as it was written, the ends of its lines as arrows. @param {number[]} ids @param {string[]} alphabet */
export const writtenText = (ids, alphabet) =>
  ids.map((id) => alphabet[id].replace("\n", VISIBLE["\n"])).join("");

/** One token; a wrong one is struck out, with a cross. @param {Token} token */
function tokenSpan({ text, kind }) {
  const mark = kind === "wrong" ? [h("sup", {}, "✗")] : [];
  return h("span", { class: `race-token race-${kind}` }, h("span", {}, text), ...mark);
}

/** What is said of an example, for who cannot see it. @param {Token[]} tokens */
function inWordsOf(tokens) {
  const answer = tokens.filter(({ kind }) => kind !== "given");
  const wrong = answer.filter(({ kind }) => kind === "wrong").length;
  const words = { answer: answer.map(({ text }) => text).join(" "), wrong, count: answer.length };
  const given = tokens.filter(({ kind }) => kind === "given").map(({ text }) => text);
  return fill(TEXTS.says.writes, { ...words, question: given.join(" ") });
}

/** Draw an example: for eyes with its marks, for ears in words. @param {HTMLElement} element @param {Report} example @param {string[]} alphabet */
export function drawExample(element, example, alphabet) {
  const list = tokensOf(/** @type {any} */ (example), alphabet);
  const eyes = h("span", { "aria-hidden": "true" }, ...list.map(tokenSpan));
  element.replaceChildren(h("span", { class: "lf-quiet" }, inWordsOf(list)), eyes);
}

/** A machine's lane: its name, how many answers are right, and what it writes. @param {number} kind */
export function lane(kind) {
  const [share, bar] = [h("b", { class: "race-share" }), h("i", { class: "race-bar" })];
  const name = h("span", { class: `race-name tl-key tl-line-${kind}` }, TEXTS.names[kind]);
  const tokens = h("p", { class: "race-tokens" });
  let shown = "?";
  return {
    element: h(
      "div",
      { class: "race-lane" },
      h("p", { class: "race-head" }, name),
      h("p", { class: "race-score" }, h("span", { class: "race-room" }, bar), share),
      tokens,
    ),
    /** @param {Run} run */
    update(run) {
      const now = run.seeds.at(-1);
      const accuracy = now?.accuracy ?? null;
      bar.style.setProperty("--share", String(accuracy ?? 0));
      const missing = now?.points.length
        ? fill(TEXTS.says.loss, { loss: format(now.loss, 2) })
        : "–";
      const right = fill(TEXTS.says.right, { right: format(100 * (accuracy ?? 0), 0) });
      setText(share, accuracy === null ? missing : right);
      bar.parentElement?.toggleAttribute("hidden", !run.exact);
      const { example, text, alphabet } = run;
      const news = `${now?.seed} ${run.exact ? JSON.stringify(example?.written) : text.join()}`;
      if (news === shown) return;
      shown = news;
      if (run.exact && example) drawExample(tokens, example, alphabet);
      else setText(tokens, now ? writtenText(text, alphabet) : TEXTS.says.untrained);
    },
  };
}
