// @ts-check
// Merge steps: which two pieces are joined next? Byte-pair encoding on any text, forward and back.

import { textBox } from "../../kit/figures/text_box.js";
import { button, resetButton, slider } from "../../kit/figures/controls.js";
import { assign, connect, controlRow, h, inView, panels, status } from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { compute, joins, rowNames, seen, written } from "./merge_math.js";
import shared from "./merge_steps.json" with { type: "json" };

/** @typedef {import("./merge_math.js").State} State */
/** @typedef {import("./merge_math.js").Seen} Seen */
/** @typedef {import("./merge_math.js").Candidate} Candidate */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["text", "other", "step"];

/** "p + e, p + i and 3 more" @param {Candidate[]} pairs */
function listed(pairs) {
  const named = pairs.slice(0, pairs.length > 4 ? 3 : 4).map(written);
  const more = pairs.length - named.length;
  const all = more ? [...named, `${more} more`] : named;
  return `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

/** "once", "twice", "7 times" @param {number} count */
function often(count) {
  return ["once", "twice"][count - 1] ?? `${count} times`;
}

/** Which pair is merged next, and why. @param {Seen} found */
export function verdict(found) {
  const { now, step, ours } = found;
  const { candidates } = step;
  if (!ours.length) return "Type a text to learn from.";
  if (!candidates.length)
    return now
      ? "Every word is one token. No two tokens are neighbors any more."
      : "Every word is one byte long. No two tokens are neighbors.";
  const [next] = candidates;
  const equal = candidates.filter(({ times }) => times === next.times);
  const joined = joins(found);
  const overlap =
    joined < next.times ? ` Where they overlap, each can be joined once: ${joined} are.` : "";
  const name = `Merge ${now + 1} joins ${written(next)}`;
  if (equal.length === 1)
    return `${name}: they are neighbors ${often(next.times)}, more often than any other pair.${overlap}`;
  return `${name}. ${listed(equal)} are neighbors ${often(next.times)} each; of these it has the lowest ids.${overlap}`;
}

/** A wide box for a text. @param {Model} model @param {"text" | "other"} name @param {string} label */
function wideBox(model, name, label) {
  const most = shared.letters.max;
  const oninput = (/** @type {string} */ text) =>
    assign(model, name, [...text].slice(0, most).join(""));
  return textBox({ label, most, autocapitalize: "off", line: "tl-writing mg-line", oninput });
}

/** The buttons and the slider that step. @param {Model} model */
function stepper(model) {
  const go = (/** @type {number} */ step) => assign(model, "step", step);
  const back = button("Take back", () => go(seen(model).now - 1));
  const next = button("Merge", () => go(seen(model).now + 1));
  const done = slider({ label: "merges done", ...shared.step, oninput: go });
  return {
    element: controlRow(next, back, done.element, resetButton(model, TRAITS)),
    /** @param {Seen} found */
    update({ now, most }) {
      done.input.max = String(most);
      done.update(now);
      back.disabled = now === 0;
      next.disabled = now === most;
    },
  };
}

/**
 * A text as its tokens: what the last merge made is framed, what the next one joins is underlined.
 * @param {string} caption
 */
function tokenLine(caption) {
  const line = h("div", { class: "mg-tokens" });
  return {
    element: h("div", { class: "mg-cut" }, h("span", { class: "tl-aside" }, caption), line),
    /** @param {string[][]} words @param {Candidate} [made] @param {Candidate} [next] */
    update(words, made, next) {
      const parts = words.map((tokens) => {
        const marks = tokens.map((token) =>
          h("span", { class: made && token === made.left + made.right ? "mg-made" : "" }, token),
        );
        for (let i = 0; next && i + 1 < tokens.length; i += 1) {
          if (tokens[i] !== next.left || tokens[i + 1] !== next.right) continue;
          marks[i].classList.add("mg-left");
          marks[i + 1].classList.add("mg-right");
          i += 1;
        }
        return h("span", { class: "mg-word" }, ...marks);
      });
      line.replaceChildren(...parts);
    },
  };
}

/** What the marks of tokens mean. */
function legend() {
  return h(
    "p",
    { class: "mg-legend" },
    h("span", {}, "Ġ is a space"),
    h("span", {}, h("span", { class: "mg-made" }, "framed"), " made by the last merge"),
    h("span", {}, h("span", { class: "mg-left mg-right" }, "underlined"), " joined by the next"),
  );
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const boxes = {
    text: wideBox(model, "text", "text"),
    other: wideBox(model, "other", "other text"),
  };
  const [steps, news] = [stepper(model), status()];
  const [ours, others] = [tokenLine("The text"), tokenLine("The other text, only cut")];
  const shape = { rows: shared.rows, columns: 1 };
  const views = tables(shared.captions, {
    sizes: { rows: shared.sizes.length, columns: 1, kind: "mg-plain" },
    times: { ...shape, kind: "tl-bars mg-bars" },
    ids: { ...shape, columns: 2, kind: "mg-plain" },
    past: { ...shape, kind: "mg-plain" },
  });
  el.classList.add("tl-figure", "tl-merge-steps");
  el.append(h("p", { class: "tl-aside" }, shared.question));
  el.append(boxes.text.element, inView(steps.element), ours.element, legend());
  const other = h("div", {}, boxes.other.element, others.element);
  views.times.element.classList.add("tl-answer");
  el.append(h("div", { class: "mg-stage" }, views.times.element, other), news.element);
  const numbers = panels(views.ids, views.past, views.sizes);
  el.append(h("details", {}, h("summary", {}, shared.fold), numbers));

  return connect(model, TRAITS, () => {
    const found = seen(model);
    const results = compute(model, found);
    const names = rowNames(found);
    const made = found.past.at(-1);
    boxes.text.update(model.get("text"));
    boxes.other.update(model.get("other"));
    steps.update(found);
    ours.update(found.ours, made, found.step.candidates[0]);
    others.update(found.others, made);
    views.times.update(results.times, names.pairs, shared.heads.times, 0);
    views.ids.update(results.ids, names.pairs, shared.heads.ids, 0);
    views.past.update(results.past, names.past, shared.heads.past);
    views.sizes.update(results.sizes, shared.sizes, shared.heads.sizes);
    news.say(verdict(found));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
