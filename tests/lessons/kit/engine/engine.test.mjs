import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import wabt from "wabt";

import { assemble, initialize } from "#lessons/kit/engine/machine.js";
import { fastMemory, PRODUCT, plainMemory, plainMultiply } from "#lessons/kit/engine/matrix.js";
import { randomNumbers } from "#lessons/kit/engine/random.js";
import {
  batchOf,
  markovProbabilities,
  entropyOf,
  isHeldOut,
  bigramLoss,
  ownText,
  TASKS,
} from "#lessons/kit/engine/tasks.js";
import { training, WHOLE } from "#lessons/kit/engine/training.js";
import { changed } from "#lessons/kit/engine/worker.js";
import { fixtures } from "../figures/compare.mjs";
import { reportsTo } from "./reports.mjs";

const { gradients, runs, examples, vocabulary, length } = fixtures.workbench_engine;

/** The largest difference of two lists. */
const apart = (ours, theirs) =>
  Math.max(0, ...theirs.map((x, i) => Math.abs(x - ours[i])), theirs.length - ours.length);

for (const [
  i,
  { options, ids, targets, counted, loss, gradients: expected },
] of gradients.entries()) {
  test(`machine ${i + 1} of all pairs of switches has the gradients of PyTorch`, () => {
    const config = { ...options, vocabulary, length };
    const machine = assemble(plainMemory(Float64Array), config, options.batch);
    initialize(machine, randomNumbers(options.seed), options.size);
    const own = machine.lossAndGradients(ids, targets, counted, length);
    assert.ok(Math.abs(own - loss) < 1e-6, JSON.stringify(options));
    assert.deepEqual(Object.keys(machine.weights), Object.keys(expected));
    for (const [name, numbers] of Object.entries(expected)) {
      const { data } = machine.weights[name].gradient;
      assert.equal(data.length, numbers.length, name);
      assert.ok(apart(data, numbers) < 1e-6, `${name} of ${JSON.stringify(options)}`);
    }
  });
}

for (const { task, options, losses, heldOut, accuracy } of runs) {
  test(`100 steps of ${task} have the losses of PyTorch`, () => {
    const run = training(TASKS[task], options);
    assert.ok(run.machine.fast, "WebAssembly runs in node");
    for (const _ of losses) run.step();
    assert.ok(apart(run.losses, losses) < 1e-4, `${apart(run.losses, losses)}`);
    assert.ok(Math.abs(run.heldOutLoss() - heldOut) < 1e-4);
    // One answer of 128 may hang on the last digit of a logit.
    if (accuracy !== null) assert.ok(Math.abs(run.accuracy() - accuracy) < 1.5 / 128);
  });
}

test("tasks draw the examples of lessons.kit.races", () => {
  for (const [name, expected] of Object.entries(examples)) {
    const ours = [true, false].flatMap((heldOut) =>
      Object.values(batchOf(TASKS[name], randomNumbers(3), 4, heldOut)),
    );
    assert.deepEqual(ours, expected, name);
  }
});

test("matrix products in WebAssembly equal those in JavaScript for every shape and stride", () => {
  const memory = fastMemory(1 << 20);
  assert.ok(memory?.multiply);
  const random = randomNumbers(9);
  for (const [rows, inner, columns] of [
    [1, 1, 1],
    [3, 5, 7],
    [4, 8, 16],
    [5, 3, 37],
    [2, 33, 64],
  ]) {
    for (const turned of [false, true]) {
      const [a, b, c, d] = [rows * inner, inner * columns, rows * columns, rows * columns].map(
        (count) => memory.zeros(count).map(() => random() - 0.5),
      );
      const [inA, inB, inC] = [a, b, c].map((numbers) => memory.zeros(numbers.length));
      inA.set(a);
      inB.set(b);
      inC.set(c);
      d.set(c);
      const strides = turned ? { down: 1, right: rows } : { down: inner, right: 1 };
      const left = (data) => ({ data, at: 0, rows, columns: inner, ...strides });
      const right = (data, count, down) => ({ data, at: 0, rows: count, columns, down, right: 1 });
      memory.multiply(right(inC, rows, columns), left(inA), right(inB, inner, columns));
      plainMultiply(right(d, rows, columns), left(a), right(b, inner, columns));
      assert.ok(apart(inC, [...d]) < 1e-5, `${rows} × ${inner} × ${columns}`);
    }
  }
});

test("the bytes in matrix.js are product.wat, assembled", async () => {
  const path = new URL("../../../../book/lessons/kit/engine/product.wat", import.meta.url);
  const { parseWat } = await wabt();
  const { buffer } = parseWat("product.wat", readFileSync(path, "utf8"), { simd: true }).toBinary(
    {},
  );
  assert.equal(Buffer.from(buffer).toString("base64"), PRODUCT);
});

test("held-out examples are one in eight, and the rest is trained on", () => {
  const random = randomNumbers(1);
  const drawn = Array.from({ length: 8000 }, () => isHeldOut(TASKS.sort.draw(random)));
  const share = drawn.filter(Boolean).length / 8000;
  assert.ok(Math.abs(share - 1 / 8) < 0.02, `${share}`);
});

test("the best loss of Markov text is the entropy of its letters", () => {
  const random = randomNumbers(2);
  const chances = markovProbabilities();
  let [sum, count] = [0, 0];
  for (let i = 0; i < 4000; i += 1) {
    const { tokens } = TASKS.markov.draw(random);
    for (let at = 2; at < tokens.length; at += 1, count += 1) {
      sum -= Math.log(chances[tokens[at - 2]][tokens[at - 1]][tokens[at]]);
    }
  }
  assert.ok(Math.abs(sum / count - entropyOf(chances)) < 0.02, `${sum / count}`);
  assert.ok(bigramLoss(TASKS.markov) > entropyOf(chances) + 0.3);
});

test("a machine without the mask has to write without its help", () => {
  const run = training(TASKS.sort, { ...WHOLE, causal: false });
  for (let i = 0; i < 100; i += 1) run.step();
  assert.ok(run.heldOutLoss() < 0.1, "it reads the answers");
  assert.ok(run.accuracy() < 0.1, "it cannot write them");
});

test("a reader's own text is cut into windows, and its last tenth is only for testing", () => {
  const text = Array.from({ length: 900 }, (_, i) => "abcdefghij"[Math.floor(i / 90)]).join("");
  const task = ownText(text);
  const trained = batchOf(task, randomNumbers(1), 200, false);
  const heldOut = batchOf(task, randomNumbers(1), 50, true);
  assert.ok(!trained.ids.includes(9));
  assert.ok(heldOut.ids.every((id) => id === 9));
  assert.throws(() => ownText("too short"), /needs 640 letters or more, but it has 9/);
});

test("the worker trains each seed, and stops a machine that has learned", () => {
  const start = { do: "start", race: 3, task: "majority", steps: 200, seeds: [1, 2] };
  const reports = reportsTo(start);
  const done = reports.filter(({ kind }) => kind === "done");
  assert.deepEqual(
    done.map(({ seed, arrived }) => [seed, arrived]),
    [
      [1, true],
      [2, true],
    ],
  );
  assert.ok(done.every(({ step }) => step < 200));
  assert.ok(reports.every(({ race }) => race === 3));
  assert.deepEqual(reportsTo(start), reports, "the same orders give the same numbers");
});

test("the worker takes a part out of a trained machine and trains on", () => {
  const start = { do: "start", task: "reverse", steps: 150, seeds: [1] };
  const out = { do: "continue", changes: { positions: "none" } };
  const reports = reportsTo(start, { ...out, steps: 0 }, { do: "example", index: 0 });
  const [trained, crippled] = reports.filter(({ kind }) => kind === "progress").slice(-2);
  assert.ok(trained.accuracy > 0.95 && crippled.accuracy < 0.05);
  assert.equal(reports.at(-1).maps.length, 2);
  const further = reportsTo(start, { ...out, steps: 50 }).filter(({ kind }) => kind === "progress");
  assert.ok(further.at(-1).loss < crippled.loss);
});

test("the worker reports what is wrong with an order", () => {
  const [unknown] = reportsTo({ do: "example" });
  assert.deepEqual(unknown, { kind: "error", race: undefined, text: "There is no machine yet." });
  const [short] = reportsTo({ do: "start", text: "abc", seeds: [1] });
  assert.match(short.text, /needs 640 letters/);
});

test("removing the scale after training allows learning, training without it does not", () => {
  const options = { ...WHOLE, heads: 1, headWidth: 32 };
  const run = training(TASKS.count, options);
  while (run.losses.length < 600 && run.accuracy() < 0.95) {
    for (let i = 0; i < 25; i += 1) run.step();
  }
  const without = changed(run, { scaled: false });
  const never = training(TASKS.count, { ...options, scaled: false });
  assert.ok(without.accuracy() < 0.1);
  for (let i = 0; i < 200; i += 1) without.step();
  for (let i = 0; i < 800; i += 1) never.step();
  assert.ok(without.accuracy() > 0.5, `${without.accuracy()}`);
  assert.ok(never.accuracy() < 0.4, `${never.accuracy()}`);
});

test("a changed machine keeps the weights that it shares", () => {
  const run = training(TASKS.copy, WHOLE);
  const next = changed(run, { norm: "none", seed: 9 });
  assert.ok(!("decoder.norm.weight" in next.machine.weights));
  for (const [name, { value }] of Object.entries(next.machine.weights)) {
    assert.deepEqual(value.data, run.machine.weights[name].value.data, name);
  }
});
