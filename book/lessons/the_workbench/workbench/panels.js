// @ts-check
// What can be done with a trained machine: take a part out, train on, and read its weights.

import { button, menu } from "../../kit/figures/controls.js";
import { controlRow, fill, format, h, setText } from "../../kit/figures/kit.js";
import { largestOf, showNumber } from "../../kit/figures/table.js";
import { drawExample, seen, writtenText } from "../../kit/figures/race_lab/lanes.js";
import { TEXTS } from "../../kit/figures/race_lab/texts.js";
import shared from "./workbench.json" with { type: "json" };

/** @typedef {import("../../kit/figures/race_lab/runs.js").Run} Run */
/** @typedef {import("../../kit/figures/race_lab/machine_room.js").Report} Report */

const TOKEN_ROWS = ["embedding.table.weight", "output.weight"]; // a row for each token

/** How well a machine does, in words. @param {Report} report */
function doing({ accuracy, loss }) {
  const words = { loss: format(loss, 2), right: format(100 * (accuracy ?? 0), 1) };
  return fill(accuracy === null ? shared.operation.loss : shared.operation.right, words);
}

/**
 * Take parts out of the trained whole machine, and train it on without them.
 * @param {(order: object) => void} send orders to the room of the whole machine
 */
export function operation(send) {
  const { parts, says, training } = shared.operation;
  const news = h("p", { class: "wb-operation", "aria-live": "polite" });
  const tokens = h("p", { class: "race-tokens" });
  let [out, before, ready, steps] = [-1, "", false, 0];
  let onwards = false;
  const take = (/** @type {number} */ i) => {
    if (!ready) return setText(news, says.early);
    [out, steps, onwards] = [i, 0, false];
    buttons.forEach((one, k) => one.setAttribute("aria-pressed", String(k === i)));
    send({ do: "continue", changes: parts[i].changes, steps: 0, again: true });
  };
  const train = () => {
    if (!ready || out < 0) return setText(news, ready ? says.first : says.early);
    if (onwards) return;
    onwards = true;
    send({ do: "continue", changes: {}, steps: training.steps });
  };
  const buttons = parts.map(({ name }, i) => button(name, () => take(i)));
  const more = button(fill(training.button, { steps: training.steps }), train);
  return {
    element: h(
      "div",
      {},
      h("p", {}, says.open),
      controlRow(...buttons),
      controlRow(more),
      news,
      tokens,
    ),
    /** The race is over, or there is a new one. @param {Run | null} run */
    reset(run) {
      const now = run?.seeds.at(-1);
      ready = now !== undefined;
      [before, out, steps, onwards] = [now ? doing(now) : "", -1, 0, false];
      for (const one of buttons) one.setAttribute("aria-pressed", "false");
      setText(news, "");
      tokens.replaceChildren();
    },
    /** Whether a report is about this. */
    isOpen: () => out >= 0,
    /** @param {Report} report @param {string[]} alphabet @param {boolean} exact */
    hear(report, alphabet, exact) {
      if (report.kind === "example" && exact) drawExample(tokens, report, alphabet);
      if (report.kind === "text") setText(tokens, writtenText(report.tokens, alphabet));
      if (report.kind === "progress") {
        steps = report.step;
        const words = { part: parts[out].said, now: doing(report), before, steps };
        setText(news, fill(steps ? says.trained : says.out, words));
        onwards = onwards && steps < training.steps && Number.isFinite(report.loss);
      }
    },
  };
}

/** Every weight, a matrix at a time. @param {(kind: number) => void} ask for the weights of a machine */
export function weightsView(ask) {
  const box = h("div", { class: "tl-matrix-box wb-weights", tabindex: 0 });
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", shared.weights.label);
  const place = h("div", {});
  const note = h("p", {}, shared.weights.none);
  /** @type {[string, {shape: [number, number], data: number[]}][]} */
  let matrices = [];
  /** @type {string[]} */
  let alphabet = [];
  const draw = (/** @type {number} */ index) => {
    const [name, { shape, data }] = matrices[index];
    const [rows, columns] = shape;
    const largest = largestOf(data);
    const hasTokens = TOKEN_ROWS.includes(name) && rows === alphabet.length;
    const heads = Array.from({ length: columns }, (_, j) => h("th", { scope: "col" }, `${j + 1}`));
    const lines = Array.from({ length: rows }, (_, i) => {
      const cells = Array.from({ length: columns }, (__, j) => {
        const cell = h("td");
        showNumber(cell, data[i * columns + j], largest, (x) => format(x, 2));
        return cell;
      });
      return h("tr", {}, h("th", { scope: "row" }, hasTokens ? alphabet[i] : `${i + 1}`), ...cells);
    });
    const caption = h("caption", {}, fill(shared.weights.caption, { name, rows, columns }));
    const head = h("thead", {}, h("tr", {}, h("td"), ...heads));
    box.replaceChildren(
      h("table", { class: "tl-matrix" }, caption, head, h("tbody", {}, ...lines)),
    );
  };
  const which = menu({ label: shared.weights.of, options: TEXTS.names, onchange: ask });
  return {
    element: h("div", {}, controlRow(which.element), note, place, box),
    kind: () => which.input.selectedIndex,
    /** @param {Report | null} report @param {string[]} letters */
    update(report, letters) {
      alphabet = letters.map(seen);
      note.hidden = report !== null;
      matrices = report ? Object.entries(report.weights) : [];
      place.replaceChildren();
      box.replaceChildren();
      if (!report) return;
      const options = matrices.map(([name, { shape }]) => `${name}, ${shape[0]} × ${shape[1]}`);
      const choose = menu({ label: shared.weights.which, options, onchange: draw });
      place.append(controlRow(choose.element));
      draw(0);
    },
  };
}
