// @ts-check
// The mathematics of a group of answers: rewards, advantages, and gradient steps on the logits.

import { softmax } from "../../kit/figures/math.js";
import shared from "./answer_group.json" with { type: "json" };

/** @typedef {"exact" | "anywhere"} Checker */
/**
 * @typedef {{group: number, checker: Checker, baseline: boolean, scaled: boolean, clip: boolean,
 *   kl: number, steps: number}} State
 */
/** @typedef {ReturnType<typeof compute>} Results */

const TINY = 1e-4; // added to a standard deviation, which may be 0

/**
 * Rewards minus their mean, over their standard deviation if wanted; without a baseline the rewards.
 * @param {number[]} rewards @param {boolean} baseline @param {boolean} scaled
 */
export function advantagesOf(rewards, baseline, scaled) {
  if (!baseline) return rewards;
  const mean = rewards.reduce((sum, r) => sum + r, 0) / rewards.length;
  const variance = rewards.reduce((sum, r) => sum + (r - mean) ** 2, 0) / rewards.length;
  const size = scaled ? Math.sqrt(variance) + TINY : 1;
  return rewards.map((r) => (r - mean) / size);
}

/**
 * Whether the clipped objective has no slope for an answer.
 * @param {number} ratio @param {number} advantage
 */
export function isClipped(ratio, advantage) {
  return advantage > 0 ? ratio > 1 + shared.clip : advantage < 0 && ratio < 1 - shared.clip;
}

/**
 * The logits after one step up the objective of a group.
 * @param {number[]} logits @param {number[]} drawn @param {number[]} advantages
 * @param {boolean} clip @param {number} kl
 */
export function stepOn(logits, drawn, advantages, clip, kl) {
  const p = softmax(logits);
  const next = [...logits];
  drawn.forEach((answer, i) => {
    const ratio = p[answer] / shared.start[answer];
    const flat = clip && isClipped(ratio, advantages[i]);
    const pull = (flat ? 0 : advantages[i] * ratio) - kl * (1 - 1 / ratio);
    const share = (shared.rate * pull) / drawn.length;
    for (let n = 0; n < p.length; n++) next[n] += share * ((n === answer ? 1 : 0) - p[n]);
  });
  return next;
}

/** −Σ p ln p. @param {number[]} p */
function entropyOf(p) {
  return -p.reduce((sum, x) => sum + (x > 0 ? x * Math.log(x) : 0), 0);
}

/**
 * Every number of the figure; the same names as AnswerGroup.results().
 * @param {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} model
 */
export function compute(model) {
  const drawn = shared.groups[model.get("group")];
  const right = shared.right[model.get("checker")];
  const rewards = drawn.map((answer) => right[answer]);
  const advantages = advantagesOf(rewards, model.get("baseline"), model.get("scaled"));
  let logits = shared.start.map(Math.log);
  for (let step = 0; step < model.get("steps"); step++)
    logits = stepOn(logits, drawn, advantages, model.get("clip"), model.get("kl"));
  const before = softmax(shared.start.map(Math.log));
  const after = softmax(logits);
  const expected = (/** @type {number[]} */ p) => p.reduce((sum, x, n) => sum + x * right[n], 0);
  return {
    answers: before.map((p, n) => [p, after[n]]),
    group: drawn.map((answer, i) => {
      const ratio = after[answer] / before[answer];
      return [rewards[i], advantages[i], ratio, 1 / ratio + Math.log(ratio) - 1];
    }),
    measures: [
      [expected(before), expected(after)],
      [entropyOf(before), entropyOf(after)],
    ],
  };
}

/** How often each possible answer is in a group. @param {number[]} drawn @param {number} count */
export function timesDrawn(drawn, count) {
  return Array.from({ length: count }, (_, n) => drawn.filter((answer) => answer === n).length);
}
