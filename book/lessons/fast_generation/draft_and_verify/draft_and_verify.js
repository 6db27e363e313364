// @ts-check
// Draft and verify: why does a text that a small model drafts follow the large model exactly?

import { button, form, menu, resetButton, showing, slider } from "../../kit/figures/controls.js";
import {
  assign,
  assignAll,
  connect,
  controlRow,
  h,
  setText,
  stateOf,
  status,
} from "../../kit/figures/kit.js";
import { player } from "../../kit/figures/player.js";
import { matrix, tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import shared from "./draft_and_verify.json" with { type: "json" };
import {
  bothAt,
  chosenAt,
  compute,
  isDone,
  latest,
  modelsOf,
  shownAt,
  speculator,
  tablesAt,
  TRAITS,
} from "./speculation.js";
import { brief, textSheet, verdict, verdictsOf, wordStatus } from "./status_text.js";

/** @typedef {import("./speculation.js").State} State */
/** @typedef {import("./speculation.js").Moment} Moment */
/** @typedef {import("./speculation.js").Models} Models */
/** @typedef {ReturnType<typeof tablesAt>} Numbers */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

const CHECKED = 2; // the step at which the first draft is checked

/** Begin another text: its first draft is checked. @param {Model} model @param {Partial<State>} change */
function beginWith(model, change) {
  assignAll(model, { ...change, step: CHECKED });
}

/** What is set: prompt, draft model, draft length, temperature. @param {Model} model */
function settingsOf(model) {
  const own = model.get("text");
  const texts = shared.examples.includes(own) ? shared.examples : [own, ...shared.examples];
  const drafts = /** @type {State["draft"][]} */ (shared.drafts);
  const names = drafts.map((draft) => shared.names[draft]);
  const set = (/** @type {keyof State} */ name) => (/** @type {number} */ x) =>
    beginWith(model, { [name]: x });
  const prompts = menu({
    label: "prompt",
    options: texts,
    onchange: (i) => beginWith(model, { text: texts[i] }),
  });
  const models = menu({
    label: "draft model",
    options: names,
    onchange: (i) => beginWith(model, { draft: drafts[i] }),
  });
  const length = { label: "draft length k", ...shared.length, oninput: set("length") };
  const heat = { label: "temperature", ...shared.temperature, oninput: set("temperature") };
  return form(
    [
      showing(prompts, () => texts.indexOf(model.get("text"))),
      showing(models, () => drafts.indexOf(model.get("draft"))),
    ],
    [
      showing(slider(length), () => model.get("length")),
      showing(slider(heat), () => model.get("temperature")),
    ],
  );
}

/**
 * The buttons that go through the steps.
 * @param {Model} model @param {() => Moment} now @param {(step: number) => Moment} at
 * @param {() => void} changed
 */
function stepKeys(model, now, at, changed) {
  const go = (/** @type {number} */ step) => assign(model, "step", Math.max(1, step));
  const more = () => !now().full;
  const on = () => more() && go(now().step + 1);
  const play = player(more, on, changed, shared.pace);
  const toRoundEnd = () => {
    if (!more()) return;
    let step = now().step + 1;
    while (!isDone(at(step))) step += 1;
    go(step);
  };
  const back = button("Back", () => go(now().step - 1));
  const next = button("Step", on);
  const round = button("Finish round", toRoundEnd);
  const run = button("Run", play.toggle);
  const fresh = () => beginWith(model, { seed: (model.get("seed") + 1) % (shared.seed.max + 1) });
  const reset = resetButton(model, TRAITS);
  reset.addEventListener("click", play.stop);
  const row = controlRow(back, next, round, run, button("Another draw", fresh), reset);
  row.classList.add("tl-acts");
  return {
    ...play,
    element: row,
    update() {
      setText(run, play.isPlaying() ? "Pause" : "Run");
      back.setAttribute("aria-disabled", String(now().step === 1));
      for (const one of [next, round, run]) one.setAttribute("aria-disabled", String(now().full));
    },
  };
}

/** The table of the draft: q and p of each word as bars, and its verdict. */
function draftTable() {
  const shape = { rows: shared.length.max, columns: 3, kind: "tl-bars dv-draft", write: brief };
  const view = matrix(shared.captions.draft, shape);
  view.element.dataset.result = "draft";
  return {
    element: h("div", { class: "dv-drafted" }, view.element),
    /** @param {Models} models @param {Moment} moment @param {Numbers} numbers */
    update({ gpt }, moment, { draft }) {
      const { drafted } = latest(moment);
      const chosen = moment.focus < drafted.length ? moment.focus : -1;
      const verdicts = verdictsOf(moment);
      const words = drafted.map((id, i) => `${gpt.tokens[id]} ${shared.verdicts[verdicts[i]]}`);
      view.update(draft, words, shared.heads.draft, chosen);
      const most = Math.max(...draft.flatMap(([q, p]) => (Number.isNaN(p) ? [q] : [q, p])));
      verdicts.forEach((name, i) => {
        draft[i].forEach((x, j) => {
          const share = Number.isNaN(x) ? 0 : j < 2 ? x / most : x;
          view.cells[i][j].style.setProperty("--share", share.toFixed(3));
        });
        view.rowNames[i].className = `dv-${name}`;
      });
    },
  };
}

/**
 * How a word's bar is divided: what both models give, then what one of them gives more.
 * @param {number} p @param {number} q @param {number} most the length of the whole bar
 */
function barOf(p, q, most) {
  const large = Number.isNaN(p) ? 0 : p;
  const both = Math.min(large, q);
  const isUnknown = Number.isNaN(p);
  return { both: both / most, rest: Math.abs(large - q) / most, isOver: q > large, isUnknown };
}

/** Show a divided bar. @param {HTMLElement} cell @param {ReturnType<typeof barOf>} bar */
function showBar(cell, { both, rest, isOver, isUnknown }) {
  cell.style.setProperty("--both", both.toFixed(3));
  cell.style.setProperty("--end", (both + rest).toFixed(3));
  cell.classList.toggle("dv-over", isOver);
  cell.classList.toggle("dv-unknown", isUnknown);
}

/**
 * The table of the proof: for each word, accepted part + residual part = p.
 * @param {(row: number) => void} pick hears of the row whose name was pressed
 */
function whyTable(pick) {
  const shape = { rows: shared.rows + 2, columns: 3, kind: "dv-why", write: brief };
  const view = matrix(shared.captions.why, shape);
  view.element.dataset.result = "why";
  view.element.classList.add("tl-answer");
  for (const row of view.cells) row[2].className = "dv-bar";
  const names = /** @type {HTMLElement[]} */ (view.rowNames);
  names.forEach((name, i) => {
    names[i] = h("button", { type: "button", onclick: () => pick(i) }); // the name is in the button
    name.append(names[i]);
  });
  const keys = Object.entries(shared.keys).map(([name, text]) =>
    h("span", { class: `dv-key dv-key-${name}` }, text),
  );
  const fates = shared.fates.map((text) => h("span", {}, text));
  const legendOf = (/** @type {Node[]} */ parts) => h("p", { class: "dv-keys" }, ...parts);
  return {
    element: h("div", { class: "dv-proof" }, view.element, legendOf(keys), legendOf(fates)),
    /** @param {Models} models @param {Moment} moment @param {Numbers} numbers @param {number[]} ids */
    update({ gpt }, moment, { why }, ids) {
      const names = [...ids.map((id) => gpt.tokens[id]), shared.others, shared.total];
      view.update(why, names, shared.heads.why, ids.indexOf(chosenAt(moment)));
      const { p, q } = bothAt(moment);
      const most = Math.max(...ids.map((id) => Math.max(q[id], Number.isNaN(p[id]) ? 0 : p[id])));
      ids.forEach((id, i) => showBar(view.cells[i][2], barOf(p[id], q[id], most)));
      const [both, , all] = why[why.length - 1];
      showBar(view.cells[ids.length][2], barOf(0, 0, 1));
      const rest = Number.isNaN(all) ? 0 : 1 - both;
      showBar(view.cells[ids.length + 1][2], {
        both: both || 0,
        rest,
        isOver: false,
        isUnknown: false,
      });
      view.lines[ids.length + 1].classList.add("dv-total");
    },
  };
}

/** What it costs so far. */
function costTable() {
  const shape = { rows: shared.passes.length, columns: 1, kind: "tl-bars dv-passes" };
  const { passes } = tables(
    { passes: shared.captions.passes },
    { passes: { ...shape, write: (/** @type {number} */ x) => brief(x, 1) } },
  );
  return {
    element: h("div", { class: "dv-cost" }, passes.element),
    /** @param {Numbers} numbers */
    update: (numbers) => passes.update(numbers.passes, shared.passes, ["passes"]),
  };
}

/** @param {{model: any, el: HTMLElement}} context */
function render({ model: full, el }) {
  const model = /** @type {Model} */ (full);
  const models = modelsOf(full);
  const speculate = speculator(models);
  const now = () => stateOf(model, TRAITS);
  let moment = speculate(now());
  const at = (/** @type {number} */ step) => speculate({ ...now(), step });
  const keys = stepKeys(
    model,
    () => moment,
    at,
    () => draw(),
  );
  const explain = (/** @type {number} */ row) => news.say(wordStatus(models.gpt, moment, row));
  const [knobs, sheet, news] = [settingsOf(model), textSheet(), status()];
  const [draft, why, cost] = [draftTable(), whyTable(explain), costTable()];
  el.classList.add("tl-figure", "tl-draft-and-verify");
  el.append(h("p", { class: "tl-aside" }, shared.legend), ...knobs.rows, keys.element);
  el.append(sheet.element, news.element);
  el.append(h("div", { class: "dv-stage" }, draft.element, why.element, cost.element));

  const draw = () => {
    moment = speculate(now());
    const ids = shownAt(moment);
    const numbers = tablesAt(models.gpt, now(), moment, ids);
    knobs.update();
    keys.update();
    sheet.update(models.gpt, model.get("text"), moment);
    draft.update(models, moment, numbers);
    why.update(models, moment, numbers, ids);
    cost.update(numbers);
    // Read aloud is what a reader stops at, not every step of a run.
    if (!keys.isPlaying()) news.say(verdict(models.gpt, now(), moment));
  };
  const stop = connect(model, TRAITS, draw);
  return () => {
    stop();
    keys.stop();
  };
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
