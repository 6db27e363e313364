// @ts-check
// The training job: does it fit, and what takes the time? Bars of what a worker holds, and of a step.

import {
  choice,
  form,
  menu,
  resetButton,
  slider,
  steps,
  tied,
  toggle,
} from "../../kit/figures/controls.js";
import { connect, h, inView, panels, setText, stateOf, status } from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { lanes } from "./job_bars.js";
import { compute, count, formulas, GIGABYTE, percent, size, time, verdict } from "./job_math.js";
import job from "./training_job.json" with { type: "json" };

/** @typedef {import("./job_math.js").State} State */
/** @typedef {import("./job_math.js").Results} Results */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

const NAMES = /** @type {const} */ (["memory", "sent", "times", "efficiency"]);
const STEP_PARTS = /** @type {const} */ (["sent", "times", "efficiency"]);
/** @type {(keyof State & string)[]} */
const TRAITS = [
  "model",
  "workers",
  "batch_tokens",
  "sharding",
  "precision",
  "checkpointing",
  "memory",
  "link",
  "speed",
];

/** A slider that steps through a list. @param {Model} model @param {string} label @param {"batch_tokens" | "memory" | "link" | "speed"} trait @param {(x: number) => string} text */
function listSlider(model, label, trait, text) {
  return tied(model, trait, steps, { label, options: job[trait].map(text), values: job[trait] });
}

/** The controls: model, workers, batch and device, what is cut and kept. @param {Model} model */
function controls(model) {
  const names = /** @type {State["model"][]} */ (Object.keys(job.models));
  const sizes = names.map((name) => `${name}, ${count(job.models[name].weights)}`);
  const shardings = /** @type {State["sharding"][]} */ (Object.keys(job.shardings));
  const cuts = { options: Object.values(job.shardings), values: shardings };
  const precisions = /** @type {State["precision"][]} */ (Object.keys(job.precisions));
  const labels = Object.values(job.precisions).map(({ label }) => label);
  const formats = { options: labels, values: precisions };
  return form([
    tied(model, "model", menu, { label: "model", options: sizes, values: names }),
    tied(model, "workers", slider, { label: "workers", ...job.workers }),
    listSlider(model, "tokens in a batch", "batch_tokens", String),
    listSlider(model, "device memory", "memory", (x) => `${x} GB`),
    listSlider(model, "link", "link", (x) => `${x} Gbit/s`),
    listSlider(model, "speed", "speed", (x) => `${count(x * 1e12)}/s`),
    tied(model, "sharding", choice, { legend: "Cut among the workers", ...cuts }),
    tied(model, "precision", menu, { label: "numbers", ...formats }),
    tied(model, "checkpointing", toggle, { label: "compute activations again" }),
    resetButton(model, TRAITS),
  ]);
}

/** Formulas under their names. @param {readonly string[]} names */
function formulaList(names) {
  const texts = names.map(() => h("span"));
  const items = names.map((name, i) => h("li", {}, h("b", {}, name), " ", texts[i]));
  return {
    element: h("ul", { class: "tj-formulas" }, ...items),
    /** @param {string[]} written */
    update: (written) => written.forEach((text, i) => setText(texts[i], text)),
  };
}

/** The bars: what a worker holds of its device, and how a step passes. */
function bars() {
  const held = lanes(job.lanes.memory, job.parts.memory, job.keys.memory);
  const passed = lanes(job.lanes.times, job.parts.times, job.keys.times);
  return {
    held: held.element,
    passed: passed.element,
    /** @param {Results} results @param {number} gigabytes */
    update({ memory, times }, gigabytes) {
      const parts = memory.slice(0, 4).map(([bytes]) => bytes);
      const [device, total] = [gigabytes * GIGABYTE, memory[4][0]];
      held.update(parts, Math.max(device, total), device, `device: ${gigabytes} GB`);
      const [computing, sending, plain, longer] = times.map(([seconds]) => seconds);
      passed.update([computing, sending], plain, longer, `the least: ${time(longer)}`);
    },
  };
}

/** The shape of a table. @param {typeof NAMES[number]} name @param {(x: number) => string} write */
function shapeOf(name, write) {
  return { rows: job[`${name}_rows`].length, columns: 1, kind: "tl-plain tj-numbers", write };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [panel, news, drawn] = [controls(model), status(), bars()];
  const views = tables(job.captions, {
    memory: shapeOf("memory", size),
    sent: shapeOf("sent", size),
    times: shapeOf("times", time),
    efficiency: shapeOf("efficiency", percent),
  });
  const lists = {
    memory: formulaList(job.memory_rows),
    steps: formulaList(STEP_PARTS.flatMap((name) => job[`${name}_rows`])),
  };
  const stack = h("div", { class: "tj-tables" }, ...STEP_PARTS.map((name) => views[name].element));
  el.classList.add("tl-figure", "tl-training-job");
  const notes = job.notes.map((note) => h("p", { class: "tj-note" }, note));
  const numbers = h("details", {}, h("summary", {}, job.fold), panels(views.memory, lists.memory));
  numbers.append(panels({ element: stack }, lists.steps), ...notes);
  const answer = h("div", { class: "tl-answer" }, drawn.held, drawn.passed);
  el.append(h("p", { class: "tl-aside" }, job.question), inView(...panel.rows), news.element);
  el.append(answer, numbers);

  return connect(model, TRAITS, () => {
    const [results, state] = [compute(model), stateOf(model, TRAITS)];
    const written = formulas(model, results);
    panel.update();
    for (const name of NAMES)
      views[name].update(results[name], job[`${name}_rows`], [job.heads[name]]);
    lists.memory.update(written.memory);
    lists.steps.update(written.steps);
    drawn.update(results, state.memory);
    news.say(verdict(results, state));
  });
}

export default { render: touring(render, TRAITS, job.tour, compute) };
