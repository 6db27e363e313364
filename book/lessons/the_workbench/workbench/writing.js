// @ts-check
// What a machine writes now, and its attention maps.

import { fill, format, h, setText } from "../../kit/figures/kit.js";
import shared from "./workbench.json" with { type: "json" };

/** @typedef {import("./runs.js").Run} Run */
/** @typedef {import("./machine_room.js").Report} Report */
/** @typedef {{text: string, kind: "given" | "right" | "wrong", wanted: string}} Token */

const VISIBLE = /** @type {Record<string, string>} */ ({ "\n": "↵", " ": "␣", "\t": "⇥" });
const seen = (/** @type {string} */ letter) => VISIBLE[letter] ?? letter;

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

/** One token; a wrong one is struck out, with a cross. @param {Token} token */
function tokenSpan({ text, kind }) {
  const mark = kind === "wrong" ? [h("sup", {}, "✗")] : [];
  return h("span", { class: `wb-token wb-${kind}` }, h("span", {}, text), ...mark);
}

/** What is said of an example, for who cannot see it. @param {Token[]} tokens */
function inWordsOf(tokens) {
  const answer = tokens.filter(({ kind }) => kind !== "given");
  const wrong = answer.filter(({ kind }) => kind === "wrong").length;
  const words = { answer: answer.map(({ text }) => text).join(" "), wrong, count: answer.length };
  const given = tokens.filter(({ kind }) => kind === "given").map(({ text }) => text);
  return fill(shared.says.writes, { ...words, question: given.join(" ") });
}

/** Draw an example: for eyes with its marks, for ears in words. @param {HTMLElement} element @param {Report} example @param {string[]} alphabet */
export function drawExample(element, example, alphabet) {
  const list = tokensOf(/** @type {any} */ (example), alphabet);
  const eyes = h("span", { "aria-hidden": "true" }, ...list.map(tokenSpan));
  element.replaceChildren(h("span", { class: "wb-unseen" }, inWordsOf(list)), eyes);
}

/** A machine's lane: its name, how many answers are right, and what it writes. @param {number} kind */
export function lane(kind) {
  const [share, bar] = [h("b", { class: "wb-share" }), h("i", { class: "wb-bar" })];
  const name = h("span", { class: `wb-name tl-key tl-line-${kind}` }, shared.names[kind]);
  const tokens = h("p", { class: "wb-tokens" });
  let shown = "?";
  return {
    element: h(
      "div",
      { class: "wb-lane" },
      h("p", { class: "wb-head" }, name),
      h("p", { class: "wb-score" }, h("span", { class: "wb-room" }, bar), share),
      tokens,
    ),
    /** @param {Run} run */
    update(run) {
      const now = run.seeds.at(-1);
      const accuracy = now?.accuracy ?? null;
      bar.style.setProperty("--share", String(accuracy ?? 0));
      const missing = now ? fill(shared.says.loss, { loss: format(now.loss, 2) }) : "–";
      const right = fill(shared.says.right, { right: format(100 * (accuracy ?? 0), 0) });
      setText(share, accuracy === null ? missing : right);
      bar.parentElement?.toggleAttribute("hidden", !run.exact);
      const { example, text, alphabet } = run;
      const news = `${now?.seed} ${run.exact ? JSON.stringify(example?.written) : text.join()}`;
      if (news === shown) return;
      shown = news;
      if (run.exact && example) drawExample(tokens, example, alphabet);
      else setText(tokens, now ? text.map((id) => alphabet[id]).join("") : shared.says.untrained);
    },
  };
}

/** One head's weights as a small picture: a row for each reading token. @param {number[]} weights @param {number} length @param {string} name */
function headMap(weights, length, name) {
  const canvas = h("canvas", { width: length, height: length, role: "img", "aria-label": name });
  const paint = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = paint.createImageData(length, length);
  weights.forEach((w, i) => {
    image.data.set([0, 114, 178, Math.round(255 * Math.min(1, w))], 4 * i);
  });
  paint.putImageData(image, 0, 0);
  return canvas;
}

/** All heads of a machine, layer by layer. */
export function mapsView() {
  const element = h("div", { class: "wb-maps" });
  /** @type {unknown} */
  let shown = null;
  return {
    element,
    /** @param {Run} run */
    update({ example, alphabet }) {
      if (shown === example) return;
      shown = example;
      if (!example) return element.replaceChildren(shared.says.no_maps);
      const { ids, maps } = example;
      if (!maps.length) return element.replaceChildren(shared.says.no_attention);
      const tokens = ids.map((/** @type {number} */ id) => seen(alphabet[id]));
      const last = tokens.length - 1;
      const views = maps.flatMap((/** @type {number[][]} */ layer, /** @type {number} */ i) =>
        layer.map((weights, head) => {
          const row = weights.slice(last * tokens.length);
          const most = row.indexOf(Math.max(...row));
          const words = { layer: i + 1, head: head + 1, last: tokens[last] };
          const more = { token: tokens[most], place: most + 1, weight: format(row[most], 2) };
          const label = fill(shared.says.map, { ...words, ...more });
          const caption = fill(shared.says.map_name, words);
          const picture = headMap(weights, tokens.length, label);
          return h("figure", { title: label }, picture, h("figcaption", {}, caption));
        }),
      );
      const legend = fill(shared.says.map_legend, { tokens: tokens.join(" ") });
      element.replaceChildren(h("p", {}, legend), h("div", { class: "wb-heads" }, ...views));
    },
  };
}
