// @ts-check
// The mathematics of logits to loss: softmax, smoothed target, cross-entropy, p − target.

import { softmax } from "../../kit/figures/math.js";
import shared from "./logits_to_loss.json" with { type: "json" };

/** @typedef {{words: string[], logits: number[], target: number, label_smoothing: number}} State */
/** @typedef {ReturnType<typeof compute>} Results */

/** The one-hot target, with a part of its probability spread over all words. @param {number} count @param {number} target @param {number} share */
function smoothedTarget(count, target, share) {
  return Array.from({ length: count }, (_, i) => (i === target ? 1 - share : 0) + share / count);
}

/** Logarithms of a softmax, right where the softmax itself rounds to 0. @param {number[]} logits */
function logSoftmax(logits) {
  const top = Math.max(...logits);
  const total = Math.log(logits.reduce((sum, z) => sum + Math.exp(z - top), 0));
  return logits.map((z) => z - top - total);
}

/** −Σ q ln p, with 0 · ln p = 0. @param {number[]} wanted @param {number[]} logs */
function crossEntropy(wanted, logs) {
  return -wanted.reduce((sum, q, i) => sum + (q > 0 ? q * logs[i] : 0), 0);
}

/**
 * Every number of the figure; the same names as LogitsToLoss.results().
 * @param {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} model
 */
export function compute(model) {
  const [logits, target] = [model.get("logits"), model.get("target")];
  const wanted = smoothedTarget(logits.length, target, model.get("label_smoothing"));
  const [p, logs] = [softmax(logits), logSoftmax(logits)];
  const [loss, least] = [crossEntropy(wanted, logs), crossEntropy(wanted, wanted.map(Math.log))];
  const plain = -logs[target];
  return {
    probabilities: p.map((share, i) => [share, wanted[i]]),
    gradient: p.map((share, i) => [share - wanted[i]]),
    measures: [loss, least, plain, Math.exp(plain), Math.exp(loss)].map((x) => [x]),
  };
}

/** The loss with another logit for the right word, the other logits as they are. @param {State} state @param {number} z */
export function lossAt({ logits, target, label_smoothing }, z) {
  const wanted = smoothedTarget(logits.length, target, label_smoothing);
  return crossEntropy(wanted, logSoftmax(logits.with(target, z)));
}

/** A logit inside its limits, with two decimals. @param {number} z */
function kept(z) {
  const { min, max } = shared.logit;
  return Math.min(max, Math.max(min, Number(z.toFixed(2))));
}

/** The logits after a step of rate 1 down the gradient. @param {number[]} logits @param {number[][]} gradient */
export function stepped(logits, gradient) {
  return logits.map((z, i) => kept(z - gradient[i][0]));
}

/** The same number added to all logits. @param {number[]} logits @param {number} more */
export function raisedBy(logits, more) {
  return logits.map((z) => kept(z + more));
}
