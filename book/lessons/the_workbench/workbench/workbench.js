// @ts-check
// The workbench: what is each part of a Transformer for? Two machines are trained in the page.

import { keeping } from "../../kit/figures/address.js";
import { asset } from "../../kit/figures/assets.js";
import { button, menu, resetButton, toggle } from "../../kit/figures/controls.js";
import {
  assign,
  assignAll,
  connect,
  controlRow,
  fill,
  folded,
  format,
  freshId,
  h,
  setText,
  status,
} from "../../kit/figures/kit.js";
import { endsTable, textTable } from "../../kit/figures/race_lab/ends_table.js";
import { lane } from "../../kit/figures/race_lab/lanes.js";
import { prediction, verdictOf } from "../../kit/figures/race_lab/prediction.js";
import { raceChart } from "../../kit/figures/race_lab/race_chart.js";
import {
  csvOf,
  outcomeOf,
  quarters,
  recordedRun,
  seedsText,
} from "../../kit/figures/race_lab/runs.js";
import {
  CHOSEN,
  differencesOf,
  machinesOf,
  raceOf,
  RACES,
} from "../../kit/figures/race_lab/settings.js";
import { RECORDS, TEXTS } from "../../kit/figures/race_lab/texts.js";
import { trainText, workshop } from "../../kit/figures/race_lab/workshop.js";
import { touring } from "../../kit/figures/tour.js";
import { readAddress, TASK_NAMES, writeAddress } from "./address_of.js";
import { followView } from "./follow.js";
import { mapsView } from "./maps.js";
import { operation, weightsView } from "./panels.js";
import { keepRecords, readRecords, withRun } from "./records.js";
import shared from "./workbench.json" with { type: "json" };

/** @typedef {import("../../kit/figures/race_lab/settings.js").State} State */
/** @typedef {import("../../kit/figures/race_lab/settings.js").Choice} Choice */
/** @typedef {import("../../kit/figures/race_lab/settings.js").Settings} Settings */
/** @typedef {import("../../kit/figures/race_lab/runs.js").Run} Run */
/** @typedef {import("../../kit/figures/race_lab/runs.js").Baselines} Baselines */
/** @typedef {import("../../kit/figures/race_lab/machine_room.js").Report} Report */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {{title: string, says: string, example: string, steps: number, baselines: Baselines | null}} TaskText */

/** @type {(keyof State & string)[]} */
const TRAITS = [...CHOSEN, "recorded"];
const TASK_TEXTS = /** @type {Record<string, TaskText>} */ (/** @type {unknown} */ (TEXTS.tasks));
const UNKNOWN = { guess: Math.log(30), bigram: Number.NaN, best: null }; // a text before it is read
const { says, buttons } = TEXTS;
const { labels, folds, more_buttons: more } = shared;

/** @param {Pick<Model, "get">} model @returns {Choice} */
const chosenOf = (model) =>
  /** @type {Choice} */ (
    /** @type {unknown} */ (Object.fromEntries(CHOSEN.map((name) => [name, model.get(name)])))
  );

/** How the recorded run of a guided race ended, as `results()` in Python. @param {Pick<Model, "get">} model */
export function compute(model) {
  const race = raceOf(chosenOf(model));
  if (!race) return {};
  const { baselines, ...machines } = RECORDS[race.id];
  const ends = [machines.whole, machines.changed].map(({ step, losses, accuracy }) => [
    step,
    losses[losses.length - 1],
    accuracy ?? Number.NaN,
  ]);
  return { ends, baselines: [baselines.guess, baselines.bigram, baselines.best] };
}

/** One control for each setting of a machine. @param {Model} model @param {"whole" | "changed"} machine */
function settingsOf(model, machine) {
  /** @param {string} name @param {boolean | number | string} value */
  const set = (name, value) => {
    const { whole, changed } = chosenOf(model);
    const next = { whole: { ...whole }, changed: { ...changed } };
    next[machine][name] = value;
    const usual = /** @type {Settings} */ (TEXTS.whole);
    if (next.whole[name] === usual[name]) delete next.whole[name];
    if (next.changed[name] === { ...usual, ...next.whole }[name]) delete next.changed[name];
    assignAll(model, { ...next, recorded: false });
  };
  const controls = TEXTS.settings.map(({ name, label, values, texts }) => {
    const simple = typeof values[0] === "boolean";
    const control = simple
      ? toggle({ label, onchange: (on) => set(name, on) })
      : menu({ label, options: texts, onchange: (i) => set(name, values[i]) });
    control.element.classList.add(simple ? "wb-toggle" : "wb-menu");
    return { name, values, simple, control };
  });
  const parts = controls.map(({ control }) => control.element);
  const legend = machine === "changed" ? labels.changed : TEXTS.names[0];
  return {
    element: h("fieldset", { class: "wb-settings" }, h("legend", {}, legend), ...parts),
    update() {
      const machines = machinesOf(chosenOf(model));
      for (const { name, values, simple, control } of controls) {
        const value = machines[machine][name];
        const shown = simple ? value : /** @type {unknown[]} */ (values).indexOf(value);
        control.update(/** @type {never} */ (shown));
        const differs = machine === "changed" && value !== machines.whole[name];
        control.element.classList.toggle("wb-differs", differs);
      }
    },
  };
}

/** A box for a whole number. @param {Model} model @param {"steps" | "first_seed"} name @param {string} label */
function wholeNumber(model, name, label) {
  const { min, max } = TEXTS[name];
  const id = freshId();
  const onchange = () => {
    const value = Number(input.value);
    const good = Number.isInteger(value) && value >= min && value <= max;
    input.setAttribute("aria-invalid", String(!good));
    if (good) assignAll(model, { [name]: value, recorded: false });
  };
  const attributes = { type: "number", id, min, max, step: 1, class: "wb-number", onchange };
  const input = h("input", attributes);
  return {
    element: h("div", { class: "tl-control wb-menu" }, h("label", { for: id }, label), input),
    update() {
      if (Number(input.value) !== model.get(name)) input.value = String(model.get(name));
      input.setAttribute("aria-invalid", "false");
    },
  };
}

/** What both machines share. @param {Model} model */
function bothOf(model) {
  const rates = TEXTS.rates.map((rate) => format(rate));
  const rate = menu({
    label: labels.rate,
    options: rates,
    onchange: (i) => assignAll(model, { rate: TEXTS.rates[i], recorded: false }),
  });
  const seeds = menu({
    label: labels.seeds,
    options: TEXTS.seeds.map(String),
    onchange: (i) => assignAll(model, { seeds: TEXTS.seeds[i], recorded: false }),
  });
  for (const one of [rate, seeds]) one.element.classList.add("wb-menu");
  const [steps, first] = [
    wholeNumber(model, "steps", labels.steps),
    wholeNumber(model, "first_seed", labels.first),
  ];
  const parts = [rate, steps, seeds, first].map((one) => one.element);
  const whole = settingsOf(model, "whole");
  const line = h("summary");
  const box = h("div", { class: "wb-settings" }, ...parts);
  return {
    element: h("details", { class: "wb-both" }, line, box, whole.element),
    update() {
      const { rate: now, seeds: count, steps: most } = chosenOf(model);
      rate.update(TEXTS.rates.indexOf(now));
      seeds.update(TEXTS.seeds.indexOf(count));
      for (const one of [steps, first, whole]) one.update();
      const words = { steps: most, rate: format(now), seeds: seedsText(count) };
      setText(line, fill(shared.both, words));
    },
  };
}

/** The guided races and the tasks. @param {Model} model */
function raceMenus(model) {
  const titles = [...RACES.map(({ title }) => title), shared.own_race];
  const races = menu({
    label: labels.race,
    options: titles,
    onchange: (i) => i < RACES.length && assignAll(model, { ...RACES[i].choice, recorded: false }),
  });
  const tasks = menu({
    label: labels.task,
    options: TASK_NAMES.map((name) => TASK_TEXTS[name].title),
    onchange(i) {
      const task = TASK_NAMES[i];
      assignAll(model, { task, steps: TASK_TEXTS[task].steps, recorded: false });
    },
  });
  return {
    parts: [races.element, tasks.element],
    update() {
      const race = raceOf(chosenOf(model));
      races.update(RACES.findIndex(({ id }) => id === race?.id) % titles.length);
      if (!race) races.update(RACES.length);
      tasks.update(TASK_NAMES.indexOf(model.get("task")));
    },
  };
}

/** The reader's own text, which never leaves the page. */
function ownTextBox() {
  const id = freshId();
  const says = h("p", { class: "wb-own-says" });
  const { min, max } = shared.own;
  const problem = () => {
    const count = [...box.value].length;
    const words = { count: count.toLocaleString("en") };
    if (count < min) return fill(shared.own.short, words);
    return count > max ? fill(shared.own.long, words) : "";
  };
  const check = () => {
    const wrong = box.value ? problem() : "";
    const count = [...box.value].length.toLocaleString("en");
    setText(says, wrong || (box.value ? fill(shared.own.fits, { count }) : ""));
    box.setAttribute("aria-invalid", String(wrong !== ""));
  };
  const box = h("textarea", { id, rows: 3, spellcheck: "false", oninput: check });
  return {
    element: h("div", { class: "wb-own" }, h("label", { for: id }, shared.own.label), box, says),
    text: () => box.value,
    problem,
  };
}

/** The settings of both machines in words. @param {Model} model */
function machinesTable(model) {
  const table = textTable(TEXTS.captions.machines, "wb-machines");
  return {
    element: table.element,
    update() {
      const { whole, changed } = machinesOf(chosenOf(model));
      const cells = TEXTS.settings.map(({ name, values, texts }) =>
        [whole, changed].map(
          (machine) => texts[/** @type {unknown[]} */ (values).indexOf(machine[name])],
        ),
      );
      const rows = TEXTS.settings.map(({ label }) => label);
      table.update(rows, TEXTS.names, cells);
    },
  };
}

/** The challenge, and the reader's records. */
function recordsView() {
  const { open, none, caption, heads, forget } = shared.records;
  const tasks = TASK_NAMES.filter((name) => TASK_TEXTS[name].baselines?.best === 0);
  const table = textTable(caption);
  const note = h("p", {}, none);
  let records = readRecords(tasks);
  const show = () => {
    const set = tasks.filter((name) => records[name]);
    note.hidden = set.length > 0;
    table.element.hidden = set.length === 0;
    const cells = set.map((name) => {
      const { weights, step } = records[name];
      return [weights.toLocaleString("en"), String(step)];
    });
    table.update(
      set.map((name) => TASK_TEXTS[name].title),
      heads,
      cells,
    );
  };
  const keep = (/** @type {import("./records.js").Records} */ next) => {
    records = next;
    keepRecords(records);
    show();
  };
  show();
  const clear = button(forget, () => keep({}));
  return {
    element: h("div", {}, h("p", {}, open), note, table.element, controlRow(clear)),
    /** What is said of the runs of a race: a new record, or nothing. @param {string} task @param {Run[]} runs */
    judge(task, runs) {
      const next = runs.reduce((kept, run) => withRun(kept, task, run), records);
      if (next === records) return "";
      keep(next);
      return fill(shared.records.new, { weights: next[task].weights.toLocaleString("en") });
    },
  };
}

/** Save a text as a file. @param {string} text @param {string} name */
function saveFile(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const engine = new TextDecoder().decode(asset(model, "engine"));
  const [menus, changed, both] = [raceMenus(model), settingsOf(model, "changed"), bothOf(model)];
  const [own, plot, ends] = [ownTextBox(), raceChart(), endsTable()];
  const [lanes, maps, predict] = [[lane(0), lane(1)], mapsView(), prediction()];
  const [machines, news] = [machinesTable(model), status()];
  const complaint = h("p", { class: "wb-complaint", role: "alert" });
  const task = h("p", { class: "race-task" });
  const title = h("summary");
  const takeOut = operation((order) => shop.send(0, order));
  const weights = weightsView((i) => shop.send(i, { do: "weights" }));
  const follow = followView((i) => shop.send(i, { do: "pass" }));
  const train = button(buttons.train, () => act(), { class: "race-train" });
  const again = button(buttons.clear, () => clear());
  const other = button(more.other, () => shop.other(), { class: "wb-other" });
  const csv = button(more.csv, () => {
    const [whole, second] = shop.runs();
    saveFile(csvOf({ whole, changed: second }), "losses.csv");
  });
  const records = recordsView();
  const seeing = menu({ label: labels.machine, options: TEXTS.names, onchange: () => draw() });
  const fold = {
    maps: folded(folds.maps, () => shop.ask(), controlRow(seeing.element), maps.element),
    operation: folded(folds.operation, () => {}, takeOut.element),
    follow: folded(folds.follow, () => shop.send(follow.kind(), { do: "pass" }), follow.element),
    numbers: folded(
      folds.numbers,
      () => shop.send(weights.kind(), { do: "weights" }),
      weights.element,
      machines.element,
      csv,
    ),
  };
  const shop = workshop(engine, {
    changed: () => soon(),
    wantsMaps: () => fold.maps.element.open,
    weights(report) {
      const [{ alphabet }] = shop.runs();
      (report.kind === "weights" ? weights : follow).update(report, alphabet);
    },
    note(text) {
      complaint.hidden = false;
      setText(complaint, text);
    },
    onwards(report) {
      if (!takeOut.isOpen()) return false;
      const [{ alphabet, exact }] = shop.runs();
      takeOut.hear(report, alphabet, exact);
      return report.kind !== "error";
    },
    over() {
      const runs = shop.runs();
      const failed = runs.find(({ error }) => error)?.error;
      if (!failed) takeOut.reset(runs[0]);
      const { exact } = runs[0];
      const judged = failed ? "" : predict.verdict(exact, outcomeOf(runs[0], runs[1]));
      const asks = chosenOf(model);
      news.say(failed ?? verdictOf(asks, runs, judged) + records.judge(asks.task, runs));
      for (const part of [fold.numbers, fold.follow]) if (part.element.open) part.update();
    },
  });
  const spoken = quarters();
  let [waits, complained] = [false, ""];

  function soon() {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      const progress = shop.phase() === "running" && spoken.news(shop.runs(), chosenOf(model));
      if (progress) news.say(progress);
      draw();
    });
  }

  function act() {
    const phase = shop.phase();
    if (phase === "running" || phase === "paused") {
      shop.turn();
      const [whole, second] = shop.runs().map(({ seeds }) => seeds.at(-1)?.step ?? 0);
      if (phase === "running") news.say(fill(says.paused, { whole, changed: second }));
      return draw();
    }
    const asks = chosenOf(model);
    const wrong = asks.task === "own" ? own.problem() : "";
    if (wrong) return news.say(wrong);
    if (model.get("recorded")) assign(model, "recorded", false);
    spoken.clear();
    takeOut.reset(null);
    weights.update(null, []);
    follow.update(null, []);
    shop.start(asks, own.text());
    news.say(fill(says.start, { steps: asks.steps, seeds: seedsText(asks.seeds) }));
    draw();
  }

  /** The runs that are shown: the recorded ones where the reader asks for them. */
  function shownRuns() {
    const race = raceOf(chosenOf(model));
    if (!model.get("recorded") || !race) return shop.runs();
    const found = RECORDS[race.id];
    return [found.whole, found.changed].map((one) => recordedRun(one, found.baselines));
  }

  function draw() {
    const [runs, phase, asks] = [shownRuns(), shop.phase(), chosenOf(model)];
    const { baselines } = TASK_TEXTS[asks.task];
    plot.update(runs, runs[0].baselines ?? baselines ?? UNKNOWN, asks.steps);
    runs.forEach((run, i) => {
      lanes[i].update(run);
    });
    ends.update(runs);
    if (fold.maps.element.open) maps.update(runs[seeing.input.selectedIndex === 1 ? 1 : 0]);
    setText(train, trainText(phase));
    again.hidden = phase !== "running" && phase !== "paused";
    other.hidden = !runs[0].example || !runs[0].exact;
    csv.hidden = !runs[0].seeds.length || model.get("recorded");
  }

  function clear() {
    shop.clear();
    takeOut.reset(null);
    weights.update(null, []);
    follow.update(null, []);
    const asks = chosenOf(model);
    const name = asks.task;
    const { title: taskName, says: sentence, example, baselines } = TASK_TEXTS[name];
    const differences = differencesOf(asks).join(", ");
    setText(title, `${labels.changed}: ${differences || shared.same}`);
    const shown = example ? [h("b", {}, example), "."] : [];
    task.replaceChildren(h("b", {}, taskName), `: ${sentence} `, ...shown);
    own.element.hidden = name !== "own";
    predict.clear(baselines?.best === 0);
    for (const part of [menus, changed, both, machines]) part.update();
    const wrong = model.get("complaint") ?? "";
    complaint.hidden = !wrong || wrong === complained; // the next choice answers it
    complained = wrong;
    setText(complaint, wrong);
    const ready = fill(says.ready, { seeds: seedsText(asks.seeds) });
    news.say(model.get("recorded") && raceOf(asks) ? says.recorded : ready);
    draw();
  }

  const narrow = globalThis.matchMedia?.("(max-width: 700px)").matches;
  const panel = h("details", { class: "wb-panel" }, title, changed.element, both.element);
  panel.open = !narrow;
  const acts = controlRow(train, again, resetButton(model, TRAITS));
  acts.classList.add("tl-acts");
  const honest = shared.honest.map((text) => h("p", {}, text));
  el.classList.add("tl-figure", "tl-workbench");
  el.append(
    h("p", { class: "tl-aside" }, shared.question),
    complaint,
    controlRow(...menus.parts),
    task,
    own.element,
    h(
      "div",
      { class: "wb-desk" },
      h("div", { class: "wb-left" }, panel, ...predict.parts, acts),
      h(
        "div",
        { class: "wb-middle" },
        plot.element,
        h("div", { class: "race-lanes" }, ...lanes.map((one) => one.element)),
        h("div", { class: "race-under" }, ends.element, other),
      ),
    ),
    news.element,
    h(
      "div",
      { class: "wb-folds" },
      ...Object.values(fold).map((one) => one.element),
      h("details", {}, h("summary", {}, folds.records), records.element),
      h("details", {}, h("summary", {}, folds.honest), ...honest),
    ),
  );
  const stop = connect(model, [...TRAITS, "complaint"], clear);
  return () => {
    shop.clear();
    stop();
  };
}

export default {
  render: touring(render, TRAITS, shared.tour, compute),
  address: keeping({ names: CHOSEN, place: "race", read: readAddress, write: writeAddress }),
};
