// @ts-check
// Runs a machine outside the page's thread, so that the page answers while it learns.
//
// The page sends one of these:
//   {do: "start", race, task, text, changes, steps, seeds}  train one machine for each seed
//   {do: "pause"} and {do: "go"}
//   {do: "example", index}            what the machine writes now, and its maps
//   {do: "continue", changes, steps, again}  take parts out of the machine and train it on; with
//                                     `again`, of the machine as the race had left it
//   {do: "text", count, seed}         let it write
//   {do: "weights"}                   all its numbers
//   {do: "pass", index}               the same, to follow an example through them
// and receives {kind: "progress" | "seed" | "done" | "example" | "text" | "weights" | "pass" | "error", race, …}.

import { TASKS, bigramLoss, ownText } from "./tasks.js";
import { WHOLE, training } from "./training.js";

/** @typedef {import("./training.js").Options} Options */
/** @typedef {import("./training.js").Training} Training */
/** @typedef {{do: string, race?: number, task?: string, text?: string, changes?: Partial<Options>,
 *   steps?: number, seeds?: number[], index?: number, count?: number, seed?: number,
 *   again?: boolean}} Order */

const EVERY = 25; // steps between two measurements
const GOOD = 0.95; // the accuracy at which a machine has learned its task

/** A machine with the weights of another one, as far as both have them. @param {Training} run @param {Partial<Options>} changes */
export function changed(run, changes) {
  const next = training(run.task, { ...run.options, ...changes });
  for (const [name, { value }] of Object.entries(next.machine.weights)) {
    const old = run.machine.weights[name]?.value;
    if (old && old.data.length === value.data.length) value.data.set(old.data);
  }
  return next;
}

/** How well a run is doing. @param {Training} run */
export function measured(run) {
  const accuracy = run.task.exact ? run.accuracy() : null;
  return { step: run.losses.length, loss: run.heldOutLoss(), accuracy };
}

/**
 * Takes orders and posts reports.
 * @param {(report: Record<string, unknown>) => void} post @param {(later: () => void) => void} soon
 */
export function serve(post, soon) {
  /** @type {Training | null} */ let run = null;
  /** @type {Training | null} */ let left = null; // as the race left it
  /** @type {Order} */ let order = { do: "none" };
  let going = false;
  let waiting = false;
  let seeds = /** @type {number[]} */ ([]);
  let until = 0;
  const report = (/** @type {string} */ kind, /** @type {object} */ content) =>
    post({ kind, race: order.race, ...content });

  function begin() {
    const seed = /** @type {number} */ (seeds.shift());
    const task = order.text === undefined ? TASKS[order.task ?? "copy"] : ownText(order.text);
    run = training(task, { ...WHOLE, ...order.changes, seed });
    until = order.steps ?? 400;
    const baselines = { guess: Math.log(task.choices), bigram: bigramLoss(task), best: task.best };
    const { alphabet, exact } = task;
    report("seed", {
      seed,
      baselines,
      alphabet,
      exact,
      fast: run.machine.fast,
      count: weightsOf(run),
    });
    report("progress", { ...measured(run), losses: [] });
  }

  function work() {
    waiting = false;
    if (!going || !run) return;
    const from = run.losses.length;
    for (let i = 0; i < EVERY && run.losses.length < until; i += 1) run.step();
    const now = measured(run);
    report("progress", { ...now, losses: run.losses.slice(from) });
    const arrived = order.do === "start" && now.accuracy !== null && now.accuracy >= GOOD;
    const lost = !Number.isFinite(now.loss);
    if (arrived || lost || run.losses.length >= until) {
      if (order.do === "start") left = run;
      report("done", { seed: run.options.seed, ...now, arrived, lost });
      if (!seeds.length) {
        going = false;
        return;
      }
      begin();
    }
    next();
  }

  function next() {
    if (waiting) return;
    waiting = true;
    soon(work);
  }

  return (/** @type {Order} */ now) => {
    try {
      if (now.do === "start") {
        [order, seeds, going] = [now, [...(now.seeds ?? [1])], true];
        begin();
        next();
      } else if (now.do === "pause") going = false;
      else if (now.do === "go") {
        going = run !== null && run.losses.length < until;
        next();
      } else if (!run) throw new Error("There is no machine yet.");
      else if (now.do === "example") report("example", run.example(now.index ?? 0));
      else if (now.do === "continue") {
        run = changed((now.again && left) || run, now.changes ?? {});
        [order, seeds, until] = [{ ...order, ...now }, [], now.steps ?? 0];
        going = until > 0;
        report("progress", { ...measured(run), losses: [] });
        next();
      } else if (now.do === "text") {
        const beginning = [run.task.draw(() => 0.5).tokens[0]];
        report("text", { tokens: run.continueText(beginning, now.count ?? 60, now.seed ?? 1) });
      } else if (now.do === "weights" || now.do === "pass") {
        const entries = Object.entries(run.machine.weights).map(([name, { value }]) => [
          name,
          { shape: [value.rows, value.columns], data: [...value.data] },
        ]);
        report(now.do, {
          weights: Object.fromEntries(entries),
          ...(now.do === "pass" && {
            config: run.machine.config,
            ids: run.example(now.index ?? 0).ids,
          }),
        });
      } else throw new Error(`There is no command ${now.do}.`);
    } catch (error) {
      going = false;
      report("error", { text: error instanceof Error ? error.message : String(error) });
    }
  };
}

/** @param {Training} run */
const weightsOf = (run) =>
  Object.values(run.machine.weights).reduce((sum, { value }) => sum + value.data.length, 0);

if (typeof document === "undefined" && typeof self !== "undefined") {
  // A message to itself lets orders from the page come in between two pieces of work.
  const channel = new MessageChannel();
  /** @type {(() => void)[]} */
  const later = [];
  channel.port1.onmessage = () => later.shift()?.();
  const take = serve(
    (report) => self.postMessage(report),
    (work) => {
      later.push(work);
      channel.port2.postMessage(null);
    },
  );
  self.onmessage = ({ data }) => take(data);
}
