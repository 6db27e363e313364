import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { TASKS, bigramLoss } from "#lessons/kit/engine/tasks.js";
import { WHOLE, training } from "#lessons/kit/engine/training.js";
import { readAddress, writeAddress } from "#lessons/the_workbench/workbench/address_of.js";
import { baselinesOf } from "#lessons/kit/figures/race_lab/race_chart.js";
import { recordOf } from "#lessons/kit/figures/race_lab/record.js";
import { csvOf, emptyRun, endOf, outcomeOf, takeIn } from "#lessons/kit/figures/race_lab/runs.js";
import {
  differencesOf,
  machinesOf,
  optionsOf,
  raceOf,
  RACES,
  startOrder,
} from "#lessons/kit/figures/race_lab/settings.js";
import { tokensOf } from "#lessons/kit/figures/race_lab/lanes.js";
import { passOf } from "#lessons/the_workbench/workbench/one_pass.js";
import { recordsIn, withRun } from "#lessons/the_workbench/workbench/records.js";
import { reportsTo } from "../../kit/engine/reports.mjs";
import { modelOf } from "../../kit/figures/compare.mjs";

const FOLDER = "#lessons/kit/figures/race_lab/";
const read = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(new URL(import.meta.resolve(FOLDER + name)), "utf8"));
const [shared, record] = ["race_lab.json", "record.json"].map(read);
const near = (a, b, most = 1e-3) => Math.abs(a - b) <= most;

test("the tasks of the page are those of the engine", () => {
  const { own, ...tasks } = shared.tasks;
  assert.ok(own);
  assert.deepEqual(Object.keys(tasks).sort(), Object.keys(TASKS).sort());
  for (const [name, { title, says, choices, best }] of Object.entries(TASKS)) {
    const { baselines } = tasks[name];
    assert.deepEqual([tasks[name].title, tasks[name].says], [title, says]);
    assert.ok(
      near(baselines.guess, Math.log(choices)) && near(baselines.bigram, bigramLoss(TASKS[name])),
    );
    assert.ok(near(baselines.best, best));
  }
});

test("the usual machine is the engine's", () => {
  const options = optionsOf(machinesOf({ whole: {}, changed: {} }).whole, 0.003);
  for (const [name, value] of Object.entries(options)) assert.equal(WHOLE[name], value, name);
});

test("the first race ends as recorded", () => {
  const found = recordOf(RACES[0]);
  for (const machine of ["whole", "changed"]) {
    const [now, then] = [found[machine], record[RACES[0].id][machine]];
    assert.deepEqual([now.step, now.arrived], [then.step, then.arrived]);
    now.losses.forEach((loss, i) => assert.ok(near(loss, then.losses[i]), `${machine}, ${i}`));
  }
});

const SHORT = { ...RACES[0].choice, steps: 30, seeds: 3 };

test("reports become seeds, ends and comma-separated values", () => {
  const run = emptyRun();
  for (const report of reportsTo(startOrder(SHORT, machinesOf(SHORT).whole)))
    takeIn(run, report, 3);
  assert.deepEqual(
    run.seeds.map(({ seed, done, step, losses }) => [seed, done, step, losses.length]),
    [1, 2, 3].map((seed) => [seed, true, 30, 30]),
  );
  assert.ok(run.finished && run.exact && run.count > 20000);
  assert.match(endOf(run.seeds[0]), /^\d+ % at 30$/);
  assert.equal(csvOf({ whole: run }).trim().split("\n").length, 1 + 3 * 31);
});

test("parts can be removed from the trained machine repeatedly, each time from its end", () => {
  const out = (changes) => ({ do: "continue", changes, steps: 0, again: true });
  const start = startOrder({ ...SHORT, seeds: 1 }, machinesOf(SHORT).whole);
  const reports = reportsTo(start, out({}), out({ attention: false }), out({}));
  const losses = reports.filter(({ kind }) => kind === "progress").map(({ loss }) => loss);
  const [trained, same, without, again] = losses.slice(-4);
  assert.equal(same, trained);
  assert.notEqual(without, trained);
  assert.equal(again, trained);
});

test("a race is judged by the majority of its seeds", () => {
  const seed = (step, arrived) => ({ step, arrived, loss: 1 });
  const run = (exact, ...seeds) => ({ ...emptyRun(), exact, seeds });
  const good = run(true, seed(100, true), seed(125, true), seed(400, false));
  const bad = run(true, seed(400, false));
  const late = run(true, seed(300, true));
  assert.deepEqual(
    [outcomeOf(good, bad), outcomeOf(good, good), outcomeOf(good, late), outcomeOf(bad, good)],
    [0, 1, 2, -1],
  );
  const text = (loss) => run(false, { loss });
  assert.deepEqual(
    [2, 1.25, 0.1].map((loss) => outcomeOf(text(1.2), text(loss))),
    [0, 1, 2],
  );
});

test("each recorded race has the outcome that its cause explains", () => {
  for (const { id, expect } of RACES) {
    const [whole, changed] = ["whole", "changed"].map((name) => {
      const { step, losses, accuracy, arrived } = record[id][name];
      const seeds = /** @type {any} */ ([{ step, arrived, loss: losses.at(-1) }]);
      return { ...emptyRun(), exact: accuracy !== null, seeds };
    });
    assert.equal(outcomeOf(whole, changed), expect, id);
  }
});

test("every choice round-trips through the address", () => {
  const own = {
    ...{ task: "sort", whole: { layers: 6, causal: false }, changed: { norm: "none", size: 0.5 } },
    ...{ rate: 0.01, steps: 800, seeds: 5, first_seed: 77 },
  };
  for (const choice of [own, { ...RACES[3].choice, seeds: 3 }, ...RACES.map((one) => one.choice)]) {
    const query = new URLSearchParams(writeAddress(modelOf(choice)));
    const { complaint, recorded, ...found } = readAddress(new URLSearchParams(String(query)));
    assert.deepEqual([found, complaint, recorded], [choice, "", false]);
  }
  assert.equal(raceOf(own), undefined);
});

test("a wrong address is reported, and the first race begins", () => {
  const wrong = {
    "race=none": "there is no race “none”",
    "task=x": "there is no task “x”",
    "whole=layers:9": "layers must be one of 1, 2, 3, 4, 5, 6, not “9”",
    "changed=depth:1": "“depth” is not a setting of the changed machine",
    "rate=1e-3": "rate must be one of 0.001, 0.003, 0.01, 0.03, not “1e-3”",
    "steps=10.5": "steps must be a whole number from 25 to 2000, not “10.5”",
    "seeds=2": "seeds must be one of 1, 3, 5, not “2”",
    "%%%": "“%%%” is not a part of an address",
    "race=count-scale&sedes=3": "“sedes” is not a part of an address",
    "first=0": "first must be a whole number from 1 to 9999, not “0”",
  };
  for (const [address, said] of Object.entries(wrong)) {
    const { complaint, recorded, ...found } = readAddress(new URLSearchParams(address));
    assert.ok(complaint.includes(said), complaint);
    assert.deepEqual([found, recorded], [RACES[0].choice, false]);
  }
});

test("differences are described in words", () => {
  const choice = { ...RACES[0].choice, changed: { positions: "none", causal: false } };
  assert.deepEqual(differencesOf(choice), ["no causal mask", "no positions"]);
});

test("loss baselines that nearly coincide share one label", () => {
  const texts = (baselines) => baselinesOf(baselines, 2.5).map(({ text }) => text);
  assert.deepEqual(texts({ guess: 2.079, bigram: 2.078, best: 0 }), [
    "random guess, bigram table 2.08",
    "best possible 0",
  ]);
  assert.equal(texts({ guess: 3, bigram: Number.NaN, best: null }).length, 1);
});

test("wrong tokens are marked, and only the answer is judged", () => {
  const example = { ids: [0, 2, 0], targets: [2, 0, 1], counted: [0, 1, 1], written: [2, 0, 0] };
  assert.deepEqual(
    tokensOf(example, ["a", "b", " "]).map(({ text, kind, wanted }) => text + kind + wanted),
    ["agiven", "␣given", "arighta", "awrongb"],
  );
});

test("a record needs three seeds that all learn, and fewer weights than before", () => {
  const seed = (/** @type {number} */ step, arrived = true) => ({ step, arrived });
  const run = (count, ...seeds) => /** @type {any} */ ({ exact: true, count, seeds });
  const three = [seed(100), seed(250), seed(175)];
  const records = withRun({}, "sort", run(3000, ...three));
  assert.deepEqual(records, { sort: { weights: 3000, step: 250 } });
  for (const weaker of [run(2000, ...three.slice(1)), run(2000, ...three, seed(9, false))])
    assert.equal(withRun(records, "sort", weaker), records);
  assert.equal(withRun(records, "sort", run(3000, ...three)), records);
  assert.equal(withRun(records, "sort", { ...run(2000, ...three), exact: false }), records);
  assert.equal(withRun(records, "sort", run(2000, ...three)).sort.weights, 2000);
});

test("what a browser has kept is read as records or left out", () => {
  const tasks = ["sort", "copy"];
  const good = { sort: { weights: 3000, step: 250 } };
  assert.deepEqual(recordsIn(JSON.stringify({ ...good, dance: good.sort }), tasks), good);
  const bad = [null, "", "{", "[]", "null", "7", '{"sort": 3}', '{"sort": {"weights": "<b>"}}'];
  for (const text of [...bad, '{"sort": {"weights": -1, "step": 2}}'])
    assert.deepEqual(recordsIn(text, tasks), {}, String(text));
});

/** @type {Partial<import("#lessons/kit/engine/training.js").Options>[]} */
const SWITCHES = [
  {},
  { positions: "sinusoidal", norm: "rms" },
  { positions: "rotary", place: "post" },
  { positions: "none", residual: false, norm: "none" },
  { causal: false, scaled: false, heads: 2, headWidth: 12, layers: 1 },
  { attention: false },
  { feedForward: false, norm: "rms", place: "post" },
];

for (const changes of SWITCHES)
  test(`the steps of a pass end in the engine's logits: ${JSON.stringify(changes)}`, () => {
    const run = training(TASKS.induction, { ...WHOLE, ...changes });
    for (let i = 0; i < 3; i += 1) run.step();
    const { machine, task } = run;
    const entries = Object.entries(machine.weights).map(([name, { value }]) => [
      name,
      { shape: [value.rows, value.columns], data: [...value.data] },
    ]);
    const { ids, maps } = run.example(2);
    const tokens = ids.map((id) => task.alphabet[id]);
    const steps = passOf(machine.config, Object.fromEntries(entries), ids, tokens);
    const { data, columns } = machine.forward(ids, task.length);
    const [logits, probabilities] = steps.slice(-2);
    assert.equal(logits.name, "logits");
    logits.values.flat().forEach((x, k) => assert.ok(near(x, data[k], 1e-4), `${x} ${data[k]}`));
    assert.equal(logits.values[0].length, columns);
    const weights = steps.filter(({ name }) => name.startsWith("weights")).map((s) => s.values);
    weights.forEach((rows, k) => {
      const map = maps.flat()[k];
      rows.flat().forEach((w, i) => assert.ok(near(w, map[i], 1e-5)));
    });
    assert.equal(weights.length, maps.flat().length);
    for (const { values, origin } of steps)
      values.forEach((row, i) => row.forEach((x, j) => assert.equal(origin(i, j).value, x)));
    const sum = probabilities.values[0].reduce((total, p) => total + p, 0);
    assert.ok(near(sum, 1, 1e-9));
  });
