// @ts-check
// One pass of one sequence through a trained machine, step by step. Each step has its numbers and,
// next to them, how each one was made. The engine computes the same for whole batches.

import { fill } from "../../kit/figures/kit.js";
import { layerNormOf, products, rmsNormOf, sentence, softmaxOf } from "../../kit/figures/made.js";
import shared from "./workbench.json" with { type: "json" };

/** @typedef {import("../../kit/engine/machine.js").Config} Config */
/** @typedef {import("../../kit/figures/made.js").Products} Products */
/** @typedef {import("../../kit/figures/made.js").Sentence} Sentence */
/** @typedef {Record<string, {shape: number[], data: number[]}>} Weights */
/** @typedef {(i: number, j: number) => Products | Sentence} Origin */
/**
 * `block` is the part of the machine; `keys` says that the columns are tokens.
 * @typedef {{block: string, name: string, values: number[][], origin: Origin, keys: boolean}} Step
 */

const EPS = 1e-5; // as in the engine
const { steps: NAMES, rows: ROWS } = shared.follow;

/**
 * All steps of a pass, from the embedding to the probabilities.
 * @param {Config} config @param {Weights} weights @param {number[]} ids @param {string[]} tokens what each id is written as
 * @returns {Step[]}
 */
export function passOf(config, weights, ids, tokens) {
  /** @type {Step[]} */
  const steps = [];
  const T = ids.length;
  const row = (/** @type {string} */ name, /** @type {number} */ i) => {
    const width = weights[name].shape[1];
    return weights[name].data.slice(i * width, (i + 1) * width);
  };
  let block = shared.follow.blocks.embedding;

  /** Add a step whose numbers are those that its explanations compute. @param {keyof typeof NAMES} name @param {number} columns @param {Origin} origin @param {{keys?: boolean, head?: number}} [more] @returns {Step} */
  function add(name, columns, origin, { keys = false, head = 0 } = {}) {
    const values = ids.map((_, i) =>
      Array.from({ length: columns }, (__, j) => origin(i, j).value),
    );
    const step = { block, name: fill(NAMES[name], { head }), values, origin, keys };
    steps.push(step);
    return step;
  }

  /** x Wᵀ + b. @param {keyof typeof NAMES} name @param {Step} x @param {string} path @param {boolean} [bias] */
  function linear(name, x, path, bias = true) {
    const count = weights[`${path}.weight`].shape[0];
    const columns = Array.from({ length: count }, (_, j) => row(`${path}.weight`, j));
    const added = bias ? row(`${path}.bias`, 0) : columns.map(() => 0);
    return add(name, count, (i, j) => {
      const matrix = path.split(".").at(-1) ?? "";
      const words = { input: x.name, column: j + 1, matrix, token: tokens[i] };
      const names = [fill(ROWS.input, words), fill(ROWS.matrix, words)];
      return products(names, x.values[i], columns[j], 1, added[j]);
    });
  }

  /** @param {Step} x @param {string} path */
  function normalized(x, path) {
    const gamma = row(`${path}.weight`, 0);
    const beta = config.norm === "layer" ? row(`${path}.bias`, 0) : null;
    return add("norm", config.width, (i, j) =>
      beta ? layerNormOf(x.values[i], j, gamma, beta, EPS) : rmsNormOf(x.values[i], j, gamma, EPS),
    );
  }

  /** Rotary positions: turn the pairs (j, j + K/2) of each head. @param {Step} x @param {"turned_queries" | "turned_keys"} name */
  function turned(x, name) {
    const [K, half] = [config.headWidth, config.headWidth / 2];
    return add(name, x.values[0].length, (i, j) => {
      const at = j % K;
      const pair = at % half;
      const first = at < half;
      const other = first ? j + half : j - half;
      const angle = i * config.base ** ((-2 * pair) / K);
      const [a, b] = [x.values[i][j], x.values[i][other]];
      const value = a * Math.cos(angle) + (first ? -b : b) * Math.sin(angle);
      return sentence("turned", value, { a, b, angle, sign: first ? "−" : "+" });
    });
  }

  /** @param {Step} x @param {string} path */
  function attention(x, path) {
    const [H, K] = [config.heads, config.headWidth];
    let q = linear("queries", x, `${path}.q_proj`);
    let k = linear("keys", x, `${path}.k_proj`);
    const v = linear("values", x, `${path}.v_proj`);
    if (config.positions === "rotary") {
      [q, k] = [turned(q, "turned_queries"), turned(k, "turned_keys")];
    }
    const heads = Array.from({ length: H }, (_, head) => {
      const cut = (/** @type {number[]} */ list) => list.slice(head * K, (head + 1) * K);
      const more = { keys: true, head: head + 1 };
      const scores = add(
        "scores",
        T,
        (i, j) => {
          if (config.causal && j > i) return sentence("masked", -Infinity, {});
          const names = [
            [i, ROWS.query],
            [j, ROWS.key],
          ].map(([at, text]) =>
            fill(String(text), { token: tokens[Number(at)], number: Number(at) + 1 }),
          );
          const divisor = config.scaled ? Math.sqrt(K) : 1;
          return products(names, cut(q.values[i]), cut(k.values[j]), divisor);
        },
        more,
      );
      return add(
        "weights",
        T,
        (i, j) =>
          scores.values[i][j] === -Infinity
            ? sentence("masked", 0, {})
            : softmaxOf(
                scores.values[i].filter((score) => score > -Infinity),
                j,
              ),
        more,
      );
    });
    const joined = add("heads", H * K, (i, j) => {
      const head = Math.floor(j / K);
      const names = [ROWS.weights, ROWS.entry].map((text) =>
        fill(text, { head: head + 1, token: tokens[i], entry: j + 1 }),
      );
      return products(
        names,
        heads[head].values[i],
        v.values.map((one) => one[j]),
      );
    });
    return linear("out", joined, `${path}.out_proj`);
  }

  /** @param {Step} x @param {string} path */
  function feedForward(x, path) {
    const up = linear("up", x, `${path}.up`);
    const hidden = add("hidden", config.hidden, (i, j) => {
      const before = up.values[i][j];
      return sentence("hidden", Math.max(0, before), { x: before });
    });
    return linear("down", hidden, `${path}.down`);
  }

  /** A layer inside its residual connection, with its norm. @param {Step} x @param {string} path @param {(x: Step, path: string) => Step} inside */
  function around(x, path, inside) {
    const norm = `${path}_residual.norm`;
    const [before, after] = [config.place === "pre", config.place === "post"].map(
      (here) => here && config.norm !== "none",
    );
    const update = inside(before ? normalized(x, norm) : x, path);
    const sum = config.residual
      ? add("sum", config.width, (i, j) => {
          const [a, b] = [x.values[i][j], update.values[i][j]];
          return sentence("sum", a + b, { a, b });
        })
      : update;
    return after ? normalized(sum, norm) : sum;
  }

  let x = add("embedding", config.width, (i, j) => {
    const D = config.width;
    const entry = row("embedding.table.weight", ids[i])[j];
    const scaled = entry * Math.sqrt(D);
    const words = { a: entry, D, token: tokens[i] };
    if (config.positions === "learned") {
      const b = row("embedding.positions.table", i)[j];
      return sentence("embedded", scaled + b, { ...words, b });
    }
    if (config.positions === "sinusoidal") {
      const angle = i * 10000 ** (-(j - (j % 2)) / D);
      const b = j % 2 ? Math.cos(angle) : Math.sin(angle);
      return sentence("embedded", scaled + b, { ...words, b });
    }
    return sentence("scaled", scaled, words);
  });
  for (let layer = 0; layer < config.layers; layer += 1) {
    const path = `decoder.layers.${layer}`;
    if (config.attention) {
      block = fill(shared.follow.blocks.attention, { layer: layer + 1 });
      x = around(x, `${path}.self_attention`, attention);
    }
    if (config.feedForward) {
      block = fill(shared.follow.blocks.feed_forward, { layer: layer + 1 });
      x = around(x, `${path}.feed_forward`, feedForward);
    }
  }
  block = shared.follow.blocks.output;
  if (config.place === "pre" && config.norm !== "none") x = normalized(x, "decoder.norm");
  const logits = linear("logits", x, "output", false);
  add("probabilities", config.vocabulary, (i, j) => softmaxOf(logits.values[i], j));
  return steps;
}
