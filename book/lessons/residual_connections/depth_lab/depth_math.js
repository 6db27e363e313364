// @ts-check
// The mathematics of the depth lab: seeded weights, a stack of feed-forward sub-layers, the way up
// through it and the way back down, by hand. tests/lessons compares it with PyTorch's autograd.

import { format, power, raised } from "../../kit/figures/kit.js";
import { average, moments, rowsOf, standardize } from "../../kit/figures/math.js";
import shared from "./depth_lab.json" with { type: "json" };

/** @typedef {import("../../kit/figures/math.js").Vector} Vector @typedef {import("../../kit/figures/math.js").Matrix} Matrix */
/** @typedef {{up: Matrix, down: Matrix}} Layer */
/** @typedef {{skip: number, first: boolean, norm: boolean, last: boolean, gain: number}} Recipe */

const { tokens: TOKENS, width: WIDTH, hidden: HIDDEN } = shared;
const EPS = 1e-5;

/** Numbers from −1 to 1 that are the same in every language: mulberry32. @param {number} seed @param {number} count */
export function uniform(seed, count) {
  const numbers = new Array(count);
  for (let k = 0; k < count; k += 1) {
    const state = (seed + Math.imul(0x6d2b79f5, k + 1)) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    numbers[k] = ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1;
  }
  return numbers;
}

/**
 * The first sub-layers of a seed, with Glorot's weights; a deeper stack begins with the same.
 * @param {number} depth @param {number} seed @returns {Layer[]}
 */
export function subLayers(depth, seed) {
  const bound = Math.sqrt(6 / (WIDTH + HIDDEN));
  const size = WIDTH * HIDDEN;
  const weights = uniform(seed, depth * 2 * size);
  for (let k = 0; k < weights.length; k += 1) weights[k] *= bound;
  return Array.from({ length: depth }, (_, l) => ({
    up: rowsOf(weights.slice(2 * l * size, (2 * l + 1) * size), WIDTH),
    down: rowsOf(weights.slice((2 * l + 1) * size, (2 * l + 2) * size), HIDDEN),
  }));
}

/** The product W x. @param {Matrix} w @param {Vector} x */
function times(w, x) {
  return w.map((row) => {
    let sum = 0;
    for (let i = 0; i < x.length; i += 1) sum += row[i] * x[i];
    return sum;
  });
}

/** The product Wᵀ g. @param {Matrix} w @param {Vector} g */
function timesTransposed(w, g) {
  const sum = new Array(w[0].length).fill(0);
  w.forEach((row, j) => {
    if (g[j] === 0) return; // a hidden unit that is off
    for (let i = 0; i < row.length; i += 1) sum[i] += row[i] * g[j];
  });
  return sum;
}

/** Layer normalization, and the way back through it. @param {Vector} x */
function normalize(x) {
  const known = moments(x);
  const root = Math.sqrt(known.variance + EPS);
  const y = standardize(x, known, EPS);
  /** @param {Vector} g */
  const back = (g) => {
    const [mean, along] = [average(g), average(g.map((v, i) => v * y[i]))];
    return g.map((v, i) => (v - mean - y[i] * along) / root);
  };
  return { y, back };
}

/** The feed-forward sub-layer, and the way back through it. @param {Layer} layer @param {number} gain @param {Vector} x */
function feedForward({ up, down }, gain, x) {
  const hidden = times(up, x).map((v) => gain * v);
  const y = times(
    down,
    hidden.map((v) => Math.max(0, v)),
  ).map((v) => gain * v);
  /** @param {Vector} g */
  const back = (g) =>
    timesTransposed(
      up,
      timesTransposed(down, g).map((v, j) => (hidden[j] > 0 ? gain * gain * v : 0)),
    );
  return { y, back };
}

const nothing = (/** @type {Vector} */ x) => ({ y: x, back: (/** @type {Vector} */ g) => g });

/**
 * One sub-layer under a recipe: normalize first or not, add skip · x or not, normalize the sum or not.
 * @param {Recipe} recipe @param {Layer} layer @param {Vector} x
 */
function step(recipe, layer, x) {
  const before = recipe.first ? normalize(x) : nothing(x);
  const f = feedForward(layer, recipe.gain, before.y);
  const after = (recipe.norm ? normalize : nothing)(f.y.map((v, i) => recipe.skip * x[i] + v));
  /** @param {Vector} g */
  const back = (g) => {
    const sum = after.back(g);
    const through = before.back(f.back(sum));
    return sum.map((v, i) => recipe.skip * v + through[i]);
  };
  return { y: after.y, back };
}

/** What differs between the recipes; two sub-layers make one layer of DeepNorm's N. @param {string} name @param {number} depth @param {number} gain @returns {Recipe} */
export function recipeOf(name, depth, gain) {
  const plain = { skip: 1, first: false, norm: false, last: false, gain };
  if (name === "no skip") return { ...plain, skip: 0 };
  if (name === "skip alone") return plain;
  if (name === "norm alone") return { ...plain, skip: 0, norm: true };
  if (name === "post-norm") return { ...plain, norm: true };
  if (name === "pre-norm") return { ...plain, first: true, last: true };
  return { ...plain, norm: true, skip: depth ** 0.25, gain: gain * (4 * depth) ** -0.25 };
}

/** Write a size: a large one with a power of ten, too. @param {number} x */
export function sizeText(x) {
  if (x < 10_000) return power(x);
  const [digits, exponent] = x.toExponential(1).split("e+");
  return `${format(Number(digits), 1)}·10${raised(Number(exponent))}`;
}

/** The root of the sum of all squares. @param {Matrix} x */
const length = (x) => Math.sqrt(x.flat().reduce((sum, v) => sum + v * v, 0));

/** The four tokens, and the gradient of length 1 at the output. */
function ends() {
  const [tokens, top] = rowsOf(uniform(0, 2 * TOKENS * WIDTH), TOKENS * WIDTH).map((list) =>
    rowsOf(list, WIDTH),
  );
  const whole = length(top);
  return {
    tokens: tokens.map((x) => normalize(x).y),
    top: top.map((row) => row.map((v) => v / whole)),
  };
}

/**
 * The size of every state and the length of the gradient there, one row a depth, the input first.
 * @param {Recipe} recipe @param {Layer[]} layers
 */
export function run(recipe, layers) {
  const { tokens, top } = ends();
  const states = [tokens];
  const steps = layers.map((layer) => {
    const made = states[states.length - 1].map((x) => step(recipe, layer, x));
    states.push(made.map(({ y }) => y));
    return made;
  });
  const finish = states[layers.length].map(recipe.last ? normalize : nothing);
  let gradient = top.map((g, t) => finish[t].back(g));
  const lengths = [length(gradient)];
  for (const made of steps.reverse()) {
    gradient = gradient.map((g, t) => made[t].back(g));
    lengths.push(length(gradient));
  }
  lengths.reverse();
  return states.map((state, l) => [length(state) / Math.sqrt(TOKENS * WIDTH), lengths[l]]);
}
