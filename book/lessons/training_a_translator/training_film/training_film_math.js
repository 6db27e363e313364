// @ts-check
// What the training film shows at a moment; all numbers come from the record.

import run from "./run.json" with { type: "json" };

/** @typedef {{moment: number, sentence: number, head: number}} State */
/** @typedef {ReturnType<typeof compute>} Results */

/** The last step of the run. */
export function lastStep() {
  return run.moments[run.moments.length - 1].step;
}

/**
 * Every number of the figure; the same names as TrainingFilm.results().
 * @param {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} model
 */
export function compute(model) {
  const now = run.moments[model.get("moment")];
  const [sentence, head] = [model.get("sentence"), model.get("head")];
  return {
    measures: [now.held_out_loss, now.bleu, now.exact].map((x) => [x]),
    right: now.right[sentence].map((share) => [share / 100]),
    weights: now.weights[sentence][head].map((row) => row.map((share) => share / 100)),
  };
}

/** The lines of the chart. @returns {Record<"train" | "heldOut", [number, number][]>} */
export function curves() {
  return {
    train: run.train_loss.map((loss, i) => [(i + 0.5) * run.every, loss]),
    heldOut: run.moments.map((moment) => [moment.step, moment.held_out_loss]),
  };
}
