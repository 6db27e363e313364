// @ts-check
// What the page knows of a machine that is trained: its reports, put together seed by seed.

import { fill, format } from "../kit.js";
import { TEXTS } from "./texts.js";

/** @typedef {{guess: number, bigram: number, best: number | null}} Baselines */
/**
 * `points` are held-out losses by step, `losses` those of the batches.
 * @typedef {{seed: number, points: [number, number][], losses: number[], step: number, loss: number,
 *   accuracy: number | null, arrived: boolean, lost: boolean, done: boolean}} SeedRun
 */
/**
 * @typedef {{seeds: SeedRun[], baselines: Baselines | null, alphabet: string[], exact: boolean,
 *   count: number, finished: boolean, error: string, example: import("./machine_room.js").Report | null, text: number[]}} Run
 */

/** @returns {Run} */
export const emptyRun = () => ({
  seeds: [],
  baselines: null,
  alphabet: [],
  exact: true,
  count: 0,
  finished: false,
  error: "",
  example: null,
  text: [],
});

/** Take a report in. @param {Run} run @param {import("./machine_room.js").Report} report @param {number} seeds how many there will be */
export function takeIn(run, report, seeds) {
  const now = run.seeds.at(-1);
  if (report.kind === "seed") {
    const { baselines, alphabet, exact, count, seed } = report;
    Object.assign(run, { baselines, alphabet, exact, count });
    const empty = { points: [], losses: [], step: 0, loss: Number.NaN, accuracy: null };
    run.seeds.push({ seed, ...empty, arrived: false, lost: false, done: false });
  } else if (report.kind === "progress" && now) {
    const { step, loss, accuracy, losses } = report;
    Object.assign(now, { step, loss, accuracy });
    now.points.push([step, loss]);
    now.losses.push(...losses);
  } else if (report.kind === "done" && now) {
    Object.assign(now, { arrived: report.arrived, lost: report.lost, done: true });
    run.finished = run.seeds.length === seeds;
  } else if (report.kind === "example") run.example = report;
  else if (report.kind === "text") run.text = report.tokens;
  else if (report.kind === "error") run.error = report.text;
}

/** A recorded machine, as if it had just been trained. @param {{losses: number[], step: number, accuracy: number | null, arrived: boolean, weights: number}} record @param {Baselines} baselines @returns {Run} */
export function recordedRun({ losses, step, accuracy, arrived, weights }, baselines) {
  const points = losses.map((loss, i) => /** @type {[number, number]} */ ([25 * i, loss]));
  const loss = losses[losses.length - 1];
  const seed = { seed: 1, points, losses: [], step, loss, accuracy, arrived, lost: false };
  const run = {
    ...emptyRun(),
    baselines,
    exact: accuracy !== null,
    count: weights,
    finished: true,
  };
  return { ...run, seeds: [{ ...seed, done: true }] };
}

const percent = (/** @type {number} */ share) => format(100 * share, 0);

/** How a seed ended, or where it is, in a few words. @param {SeedRun | undefined} seed */
export function endOf(seed) {
  if (!seed) return "";
  const { step, accuracy, loss, arrived, lost, done } = seed;
  const { ends } = TEXTS;
  const words = { step, loss: format(loss, 2), right: percent(accuracy ?? 0) };
  if (!done) return fill(ends.now, words);
  if (lost) return fill(ends.lost, words);
  if (arrived) return fill(ends.arrived, words);
  return fill(accuracy === null ? ends.loss : ends.missed, words);
}

/** The middle one of some numbers. @param {number[]} numbers */
const middleOf = (numbers) =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];

/**
 * Which of the three answers to the prediction a race gives; −1 for none of them.
 * @param {Run} whole @param {Run} changed
 */
export function outcomeOf(whole, changed) {
  if (!whole.exact) {
    const [first, second] = [whole, changed].map((run) =>
      middleOf(run.seeds.map(({ loss }) => loss)),
    );
    if (Math.abs(first - second) < 0.1) return 1;
    return second < first ? 2 : 0;
  }
  const learned = (/** @type {Run} */ run) =>
    2 * run.seeds.filter(({ arrived }) => arrived).length > run.seeds.length;
  if (!learned(whole)) return -1;
  if (!learned(changed)) return 0;
  const [first, second] = [whole, changed].map((run) =>
    middleOf(run.seeds.filter(({ arrived }) => arrived).map(({ step }) => step)),
  );
  return second <= 1.3 * first + 25 ? 1 : 2;
}

/** The number of seeds in words. @param {number} count */
export const seedsText = (count) =>
  count === 1 ? TEXTS.one_seed : fill(TEXTS.many_seeds, { count });

/** What is announced of a running race: a sentence at each quarter of its steps. */
export function quarters() {
  let last = 0;
  return {
    clear() {
      last = 0;
    },
    /** The sentence, or "" within a quarter. @param {Run[]} runs @param {{steps: number, seeds: number}} choice */
    news(runs, { steps, seeds }) {
      const done = runs.map((run) =>
        run.seeds.reduce((sum, one) => sum + (one.done ? steps : one.step), 0),
      );
      const now = Math.floor((4 * Math.min(...done)) / (steps * seeds));
      if (now <= last || now > 3) return "";
      last = now;
      const [whole, changed] = runs.map((run) => endOf(run.seeds.at(-1)));
      return fill(TEXTS.says.quarter, { percent: 25 * now, whole, changed });
    },
  };
}

/** All losses as comma-separated values. @param {Record<string, Run>} runs */
export function csvOf(runs) {
  const lines = Object.entries(runs).flatMap(([name, { seeds }]) =>
    seeds.flatMap(({ seed, losses, points }) => {
      const heldOut = new Map(points);
      return [
        ...(heldOut.has(0) ? [`${name},${seed},0,,${heldOut.get(0)}`] : []),
        ...losses.map((loss, i) => {
          return `${name},${seed},${i + 1},${loss},${heldOut.get(i + 1) ?? ""}`;
        }),
      ];
    }),
  );
  return ["machine,seed,step,training loss,held-out loss", ...lines, ""].join("\n");
}
