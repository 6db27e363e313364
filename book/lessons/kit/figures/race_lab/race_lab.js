// @ts-check
// A race in a chapter: one question, a prediction, two machines that train in the page, and why.

import { asset } from "../assets.js";
import { button, resetButton, tied, menu, toggle } from "../controls.js";
import { assign, connect, controlRow, fill, h, setText, status } from "../kit.js";
import { endsTable } from "./ends_table.js";
import { lane } from "./lanes.js";
import { prediction, verdictOf } from "./prediction.js";
import { raceChart } from "./race_chart.js";
import { outcomeOf, quarters, recordedRun, seedsText } from "./runs.js";
import { differencesOf, machinesOf, RACES } from "./settings.js";
import { RECORDS, TEXTS } from "./texts.js";
import { trainText, workshop } from "./workshop.js";

/** @typedef {{race: string, seeds: number, recorded: boolean, assets: Record<string, DataView>}} State */
/** @typedef {import("../kit.js").Model<State>} Model */
/** @typedef {{title: string, says: string, example: string, baselines: import("./runs.js").Baselines}} TaskText */

/** @type {(keyof State)[]} */
const TRAITS = ["race", "seeds", "recorded"];
const TASKS = /** @type {Record<string, TaskText>} */ (/** @type {unknown} */ (TEXTS.tasks));

/** How the recorded run ended, as `results()` in Python. @param {Pick<Model, "get">} model */
export function compute(model) {
  const { baselines, ...machines } = RECORDS[model.get("race")];
  const ends = [machines.whole, machines.changed].map(({ step, losses, accuracy }) => [
    step,
    losses[losses.length - 1],
    accuracy ?? Number.NaN,
  ]);
  return { ends, baselines: [baselines.guess, baselines.bigram, baselines.best] };
}

/** The guided race, with as many seeds as the reader chose. @param {Model} model */
function chosenOf(model) {
  const race = /** @type {(typeof RACES)[number]} */ (
    RACES.find(({ id }) => id === model.get("race"))
  );
  return { race, choice: { ...race.choice, seeds: model.get("seeds") } };
}

/** The question, the task, and how the machines differ. @param {Model} model */
function introduction(model) {
  const [question, task, machines] = [h("b"), h("span"), h("p", { class: "race-task" })];
  return {
    element: h("div", {}, h("p", { class: "race-task" }, question), task, machines),
    update() {
      const { race, choice } = chosenOf(model);
      const { title, says, example } = TASKS[race.task];
      setText(question, race.question);
      setText(task, `${title}: ${says} ${example ? `${example}.` : ""}`);
      const { layers, width } = machinesOf(choice).whole;
      const { one, both, changed } = TEXTS.lab;
      const words = { layers: Number(layers), width: Number(width), steps: choice.steps };
      const differences = differencesOf(choice).join(", ");
      const texts = [fill(layers === 1 ? one : both, words), fill(changed, { differences })];
      setText(machines, texts.join(" "));
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const engine = new TextDecoder().decode(asset(model, "engine"));
  const { says } = TEXTS;
  const [intro, plot, ends] = [introduction(model), raceChart(), endsTable()];
  const [lanes, predict] = [[lane(0), lane(1)], prediction()];
  const [news, spoken] = [status(), quarters()];
  let waits = false;
  const shop = workshop(engine, {
    changed() {
      if (waits) return;
      waits = true;
      requestAnimationFrame(() => {
        waits = false;
        const progress =
          shop.phase() === "running" && spoken.news(shop.runs(), chosenOf(model).choice);
        if (progress) news.say(progress);
        draw();
      });
    },
    wantsMaps: () => false,
    weights: () => {},
    note: (text) => news.say(text),
    onwards: () => false,
    over() {
      const runs = shop.runs();
      const failed = runs.find(({ error }) => error)?.error;
      const judged = failed ? "" : predict.verdict(runs[0].exact, outcomeOf(runs[0], runs[1]));
      news.say(failed ?? verdictOf(chosenOf(model).choice, runs, judged));
    },
  });
  const train = button(TEXTS.buttons.train, () => act(), { class: "race-train" });
  const again = button(TEXTS.buttons.clear, () => clear());
  const values = TEXTS.seeds;
  const seeds = tied(model, "seeds", menu, {
    label: TEXTS.lab.seeds,
    options: values.map(String),
    values,
  });
  const recorded = tied(model, "recorded", toggle, { label: TEXTS.lab.recorded });

  function act() {
    const phase = shop.phase();
    if (phase === "running" || phase === "paused") {
      shop.turn();
      const [whole, changed] = shop.runs().map((run) => run.seeds.at(-1)?.step ?? 0);
      if (phase === "running") news.say(fill(says.paused, { whole, changed }));
      return draw();
    }
    if (model.get("recorded")) assign(model, "recorded", false);
    const { choice } = chosenOf(model);
    spoken.clear();
    shop.start(choice, "");
    news.say(fill(says.start, { steps: choice.steps, seeds: seedsText(choice.seeds) }));
    draw();
  }

  function shownRuns() {
    const found = RECORDS[model.get("race")];
    if (!model.get("recorded")) return shop.runs();
    return [found.whole, found.changed].map((one) => recordedRun(one, found.baselines));
  }

  function draw() {
    const { race, choice } = chosenOf(model);
    const runs = shownRuns();
    plot.update(runs, runs[0].baselines ?? TASKS[race.task].baselines, choice.steps);
    runs.forEach((run, i) => {
      lanes[i].update(run);
    });
    ends.update(runs);
    setText(train, trainText(shop.phase()));
    again.hidden = shop.phase() !== "running" && shop.phase() !== "paused";
  }

  function clear() {
    shop.clear();
    for (const part of [intro, seeds, recorded]) part.update();
    predict.clear(RECORDS[model.get("race")].whole.accuracy !== null);
    const { choice } = chosenOf(model);
    const runs = shownRuns();
    const ready = fill(says.ready, { seeds: seedsText(choice.seeds) });
    news.say(runs[0].finished ? `${says.recorded} ${verdictOf(choice, runs, "")}` : ready);
    draw();
  }

  const acts = controlRow(train, again, resetButton(model, TRAITS));
  acts.classList.add("tl-acts");
  el.classList.add("tl-figure", "tl-race-lab");
  el.append(
    intro.element,
    h(
      "div",
      { class: "race-desk" },
      h("div", {}, ...predict.parts, controlRow(seeds.element, recorded.element), acts),
      h(
        "div",
        {},
        plot.element,
        h("div", { class: "race-lanes" }, ...lanes.map((one) => one.element)),
        h("div", { class: "race-under" }, ends.element),
      ),
    ),
    news.element,
  );
  const stop = connect(model, TRAITS, clear);
  return () => {
    shop.clear();
    stop();
  };
}

export default { render };
