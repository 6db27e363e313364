// @ts-check
// One training run: a machine, a task and an optimizer, step by step.

import { adam, fastMachine, initialize } from "./machine.js";
import { randomNumbers } from "./random.js";
import { batchOf } from "./tasks.js";

/** @typedef {import("./machine.js").Config} Config */
/** @typedef {import("./tasks.js").Task} Task */
/**
 * Everything that can be chosen, besides the task. `size` multiplies the deviation of the first
 * weights; the rate rises to `rate` in `warmup` steps.
 * @typedef {Omit<Config, "vocabulary" | "length"> & {
 *   batch: number, rate: number, warmup: number, decay: number, size: number, seed: number}} Options
 */

/** @type {Options} */
export const WHOLE = {
  layers: 2,
  width: 32,
  heads: 4,
  headWidth: 8,
  hidden: 128,
  positions: "learned",
  base: 100,
  causal: true,
  scaled: true,
  residual: true,
  norm: "layer",
  place: "pre",
  attention: true,
  feedForward: true,
  batch: 16,
  rate: 0.003,
  warmup: 50,
  decay: 0,
  size: 1,
  seed: 1,
};

const HELD_OUT = 128; // examples for the accuracy
const HELD_OUT_SEED = 990;

/** @typedef {ReturnType<typeof training>} Training */

/**
 * A run that is ready for its first step.
 * @param {Task} task @param {Options} options
 */
export function training(task, options) {
  const config = { ...options, vocabulary: task.alphabet.length, length: task.length };
  const machine = fastMachine(config, Math.max(options.batch, HELD_OUT));
  initialize(machine, randomNumbers(options.seed), options.size);
  const random = randomNumbers(options.seed + 1000); // of the batches
  const update = adam(machine);
  const heldOut = batchOf(task, randomNumbers(HELD_OUT_SEED), HELD_OUT, true);
  /** @type {number[]} */
  const losses = [];

  /** The most probable token at one position of each sequence. @param {number[]} ids @param {number} at */
  function nextTokens(ids, at) {
    const logits = machine.forward(ids, task.length);
    const size = config.vocabulary;
    const count = ids.length / task.length;
    return Array.from({ length: count }, (_, row) => {
      const from = (row * task.length + at) * size;
      return largest(logits.data.subarray(from, from + size));
    });
  }

  /** Fills in the answers from left to right. @param {{ids: number[], targets: number[], counted: number[]}} batch */
  function write({ ids, targets, counted }) {
    const written = [...ids];
    const answers = [...targets];
    const rows = ids.length / task.length;
    // Nothing of the answer is there before it is written. A machine without the mask would see it.
    for (let i = 0; i < ids.length; i += 1) {
      if (i % task.length && counted[i - 1]) written[i] = 0;
    }
    for (let at = 0; at < task.length; at += 1) {
      if (!counted.some((one, i) => one && i % task.length === at)) continue;
      const next = nextTokens(written, at);
      for (let row = 0; row < rows; row += 1) {
        const place = row * task.length + at;
        if (!counted[place]) continue;
        answers[place] = next[row];
        if (at + 1 < task.length) written[place + 1] = next[row];
      }
    }
    return answers;
  }

  return {
    task,
    options,
    machine,
    losses,
    /** One step; returns its loss, which is NaN once the weights are beyond all bounds. */
    step() {
      const { ids, targets, counted } = batchOf(task, random, options.batch, false);
      const loss = machine.lossAndGradients(ids, targets, counted, task.length);
      const warm = Math.min(1, (losses.length + 1) / Math.max(1, options.warmup));
      update(options.rate * warm, options.decay);
      losses.push(loss);
      return loss;
    },
    /** The loss of held-out examples, whose answers the machine can read one token at a time. */
    heldOutLoss: () => machine.loss(heldOut.ids, heldOut.targets, heldOut.counted, task.length),
    /**
     * The share of held-out examples whose answers are right to the last token, when the machine
     * writes them without help. With a mask one pass is enough: the first token that it would write
     * wrongly is wrong in that pass too.
     */
    accuracy() {
      const answers = options.causal ? allNext(machine, heldOut.ids, task.length) : write(heldOut);
      const rows = heldOut.ids.length / task.length;
      let right = 0;
      for (let row = 0; row < rows; row += 1) {
        const from = row * task.length;
        let all = true;
        for (let i = from; i < from + task.length; i += 1) {
          if (heldOut.counted[i] && answers[i] !== heldOut.targets[i]) all = false;
        }
        if (all) right += 1;
      }
      return right / rows;
    },
    /** A held-out example, what the machine writes, and its attention maps. @param {number} index */
    example(index) {
      const from = index * task.length;
      const cut = (/** @type {number[]} */ list) => list.slice(from, from + task.length);
      const batch = {
        ids: cut(heldOut.ids),
        targets: cut(heldOut.targets),
        counted: cut(heldOut.counted),
      };
      const written = write(batch);
      machine.forward(batch.ids, task.length);
      const size = task.length ** 2;
      const maps = machine.maps.map((layer) =>
        Array.from({ length: options.heads }, (_, head) => [
          ...layer.data.subarray(head * size, (head + 1) * size),
        ]),
      );
      return { ...batch, written, maps };
    },
    /** Text that the machine writes: tokens drawn one after the other. @param {number[]} beginning @param {number} count @param {number} seed */
    continueText(beginning, count, seed) {
      const draw = randomNumbers(seed);
      const text = [...beginning];
      while (text.length < count) {
        const last = text.slice(-task.length);
        const ids = [...last, ...Array(task.length - last.length).fill(0)];
        const logits = machine.forward(ids, task.length);
        const from = (last.length - 1) * config.vocabulary;
        text.push(drawn(logits.data.subarray(from, from + config.vocabulary), draw()));
      }
      return text;
    },
  };
}

/** @param {import("./machine.js").Machine} machine @param {number[]} ids @param {number} length */
function allNext(machine, ids, length) {
  const { data, columns } = machine.forward(ids, length);
  return ids.map((_, i) => largest(data.subarray(i * columns, (i + 1) * columns)));
}

/** The index of the largest number. @param {import("./matrix.js").Numbers} row */
function largest(row) {
  let best = 0;
  for (let i = 1; i < row.length; i += 1) if (row[i] > row[best]) best = i;
  return best;
}

/** The token in whose part of the softmax a number from 0 to 1 falls. @param {import("./matrix.js").Numbers} logits @param {number} at */
function drawn(logits, at) {
  const powers = Array.from(logits);
  const top = Math.max(...powers);
  powers.forEach((x, i) => {
    powers[i] = Math.exp(x - top);
  });
  let left = at * powers.reduce((a, b) => a + b, 0);
  for (let i = 0; i < powers.length; i += 1) {
    left -= powers[i];
    if (left < 0) return i;
  }
  return powers.length - 1;
}
