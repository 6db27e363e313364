// @ts-check
// The reader's own records: for each task the smallest machine that learned it with every seed.

/** @typedef {import("../../kit/figures/race_lab/runs.js").Run} Run */
/** @typedef {{weights: number, step: number}} Best the machine's weights, and its slowest seed's step */
/** @typedef {Record<string, Best>} Records by task */

const KEY = "workbench-records";
export const SEEDS = 3; // fewer prove too little

/** The records among what a browser has kept; anything else is left out. @param {string | null} text @param {string[]} tasks @returns {Records} */
export function recordsIn(text, tasks) {
  let kept;
  try {
    kept = JSON.parse(text ?? "{}");
  } catch {
    return {};
  }
  const whole = (/** @type {unknown} */ x) => Number.isSafeInteger(x) && Number(x) > 0;
  const good = tasks.filter((task) => whole(kept?.[task]?.weights) && whole(kept[task].step));
  return Object.fromEntries(
    good.map((task) => [task, { weights: kept[task].weights, step: kept[task].step }]),
  );
}

/** The records after a run; the same object if it set none. @param {Records} records @param {string} task @param {Run} run @returns {Records} */
export function withRun(records, task, { exact, seeds, count }) {
  const learned = seeds.filter(({ arrived }) => arrived).length;
  if (!exact || seeds.length < SEEDS || learned < seeds.length) return records;
  if (records[task]?.weights <= count) return records;
  return {
    ...records,
    [task]: { weights: count, step: Math.max(...seeds.map((one) => one.step)) },
  };
}

/** What this browser has kept; nothing where it keeps nothing. @param {string[]} tasks */
export function readRecords(tasks) {
  try {
    return recordsIn(localStorage.getItem(KEY), tasks);
  } catch {
    return {};
  }
}

/** @param {Records} records */
export function keepRecords(records) {
  try {
    localStorage.setItem(KEY, JSON.stringify(records));
  } catch {} // a browser that keeps nothing
}
