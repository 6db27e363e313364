// @ts-check
// What the training film shows at a moment; all numbers come from the record.

import run from "./run.json" with { type: "json" };

/** @typedef {{moment: number, sentence: number, head: number}} State */
/** @typedef {ReturnType<typeof compute>} Results */

/** The learning rate of a step: up in a straight line, down with the root; 0 before the first. @param {number} step */
export function rateAt(step) {
  if (step === 0) return 0;
  return run.peak * Math.min(step / run.warm_up, Math.sqrt(run.warm_up / step));
}

/** The last step of the run. */
export function lastStep() {
  return run.moments[run.moments.length - 1].step;
}

/**
 * Every number of the figure; the same names as TrainingFilm.results().
 * @param {Pick<import("../kit/kit.js").Model<State>, "get">} model
 */
export function compute(model) {
  const now = run.moments[model.get("moment")];
  const [sentence, head] = [model.get("sentence"), model.get("head")];
  return {
    measures: [rateAt(now.step), now.held_out_loss, now.bleu, now.exact].map((x) => [x]),
    right: now.right[sentence].map((share) => [share / 100]),
    weights: now.weights[sentence][head].map((row) => row.map((share) => share / 100)),
  };
}

/** The lines of the charts. @returns {Record<"train" | "heldOut" | "rate", [number, number][]>} */
export function curves() {
  const every = run.every;
  const steps = Array.from({ length: 61 }, (_, i) => (i * lastStep()) / 60);
  return {
    train: run.train_loss.map((loss, i) => [(i + 0.5) * every, loss]),
    heldOut: run.moments.map((moment) => [moment.step, moment.held_out_loss]),
    rate: steps.map((step) => [step, rateAt(step)]),
  };
}
