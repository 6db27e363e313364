// @ts-check
// A group of answers: what an update by their rewards does to the probability of every answer.

import {
  choice,
  form,
  resetButton,
  slider,
  steps,
  tied,
  toggle,
} from "../../kit/figures/controls.js";
import { connect, format, h, inView, panels, setText, status } from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import shared from "./answer_group.json" with { type: "json" };
import { compute, timesDrawn } from "./group_math.js";

/** @typedef {import("./group_math.js").State} State */
/** @typedef {import("./group_math.js").Results} Results */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["group", "checker", "baseline", "scaled", "clip", "kl", "steps"];
const STEP_COUNTS = Array.from({ length: shared.steps.max + 1 }, (_, i) => String(i));

/** What the update has done, in words. @param {Results} results @param {State} state */
export function verdict({ answers, group, measures }, state) {
  const rewards = group.map(([reward]) => format(reward)).join(", ");
  const start = `Rewards ${rewards}.`;
  const equal = group.every(([reward]) => reward === group[0][0]);
  if (equal && state.baseline)
    return `${start} They are equal, so every advantage is 0 and the rewards move nothing.`;
  if (state.steps === 0) return `${start} No step has been taken yet.`;
  const moves = answers.map(([before, after]) => after - before);
  const [up, down] = [moves.indexOf(Math.max(...moves)), moves.indexOf(Math.min(...moves))];
  const say = (/** @type {number} */ n) =>
    `“${shared.answers[n]}” from ${format(answers[n][0], 2)} to ${format(answers[n][1], 2)}`;
  const [before, after] = measures[0].map((x) => format(x, 2));
  return `${start} Most raised: ${say(up)}. Most lowered: ${say(down)}. Expected reward ${before} → ${after}.`;
}

/** A row for each possible answer: its name, how often it was drawn, its bar and its probability. */
function answerRows() {
  const hidden = { "aria-hidden": "true" };
  const heads = shared.rows.map((text) => h("span", { class: "tl-aside" }, text));
  const names = shared.answers.map((text) => h("span", { class: "ag-name" }, text));
  const counts = shared.answers.map(() => h("span", { class: "ag-count" }));
  const bars = shared.answers.map(() => h("span", { class: "ag-bar", ...hidden }));
  const numbers = shared.answers.map(() => h("span", { class: "ag-number" }));
  const rows = names.flatMap((name, n) => [name, counts[n], bars[n], numbers[n]]);
  const element = h("div", { class: "ag-rows tl-answer tl-drawn" }, ...heads, ...rows);
  return {
    element,
    /** @param {Results} results @param {State} state */
    draw({ answers }, state) {
      const right = shared.right[state.checker];
      const times = timesDrawn(shared.groups[state.group], answers.length);
      answers.forEach(([before, after], n) => {
        const sign = right[n] ? "✓" : "✗";
        setText(counts[n], times[n] ? `${times[n]} × ${sign}` : "not drawn");
        counts[n].classList.toggle("ag-drawn", times[n] > 0);
        setText(numbers[n], `${format(before, 2)} → ${format(after, 2)}`);
        bars[n].style.setProperty("--before", before.toFixed(4));
        bars[n].style.setProperty("--after", after.toFixed(4));
        bars[n].classList.toggle("ag-wrong", !right[n]);
      });
    },
  };
}

/** The controls. @param {Model} model */
function controls(model) {
  const groups = shared.groups.map((_, i) => String(i + 1));
  const checkers = { options: shared.checker_names, values: shared.checkers };
  const scaled = tied(model, "scaled", toggle, { label: "divide by the deviation" });
  const { rows, update } = form(
    [
      tied(model, "steps", steps, { label: "steps on this group", options: STEP_COUNTS }),
      tied(model, "clip", toggle, { label: "clip the ratio" }),
      tied(model, "kl", slider, { label: "KL term", ...shared.kl }),
    ],
    [
      tied(model, "group", choice, { legend: "Group", options: groups }),
      tied(model, "baseline", toggle, { label: "subtract the mean" }),
      scaled,
      resetButton(model, TRAITS),
    ],
    [
      tied(
        model,
        "checker",
        choice,
        /** @type {any} */ ({ legend: "The checker asks", ...checkers }),
      ),
    ],
  );
  return {
    rows,
    update() {
      update();
      scaled.input.disabled = !model.get("baseline");
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, news, rows] = [controls(model), status(), answerRows()];
  const views = tables(shared.captions, {
    answers: { rows: shared.answers.length, columns: 2 },
    group: { rows: shared.groups[0].length, columns: 4 },
    measures: { rows: 2, columns: 2, kind: "tl-plain" },
  });
  el.classList.add("tl-figure", "tl-answer-group");
  el.append(
    h("p", { class: "tl-aside" }, shared.question),
    inView(panel.rows[0]),
    rows.element,
    news.element,
    ...panel.rows.slice(1),
    h(
      "details",
      {},
      h("summary", {}, shared.fold),
      panels(views.answers, views.group, views.measures),
    ),
  );
  return connect(model, TRAITS, () => {
    const results = compute(model);
    const state = /** @type {State} */ (
      Object.fromEntries(TRAITS.map((name) => [name, model.get(name)]))
    );
    const drawn = shared.groups[state.group].map((answer) => shared.answers[answer]);
    panel.update();
    rows.draw(results, state);
    views.answers.update(results.answers, shared.answers, shared.heads.answers);
    views.group.update(results.group, drawn, shared.heads.group);
    views.measures.update(results.measures, shared.measures, shared.heads.measures);
    news.say(verdict(results, state));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
