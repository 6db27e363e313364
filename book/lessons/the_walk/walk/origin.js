// @ts-check
// How a number of the walk was made: the row and the column behind a product, the sums, the norms.

import { fill } from "../../kit/figures/kit.js";
import { layerNormOf, products, sentence, softmaxOf } from "../../kit/figures/made.js";
import { EPS } from "../../kit/figures/translator/parts.js";
import { SPECIAL } from "../../kit/figures/translator/weights.js";
import shared from "./walk.json" with { type: "json" };

/** @typedef {import("./walk_math.js").Passed} Passed */
/** @typedef {import("./walk_math.js").Stop} Stop */
/** @typedef {import("./walk_math.js").Shown} Shown */
/** @typedef {import("../../kit/figures/made.js").Row} Row */
/** @typedef {import("../../kit/figures/made.js").Products} Products */
/** @typedef {import("../../kit/figures/made.js").Sentence} Sentence */

const { names: NAMES, memory: MEMORY } = shared.made;

/**
 * How an entry of a matrix was made, in one of its heads if it has several.
 * @param {Passed} passed @param {Stop} stop @param {number} newest how many tokens of the target are read
 * @param {Shown} shown @param {[number, number]} cell its row and column @param {number} [head]
 * @returns {Products | Sentence}
 */
export function originOf(passed, { block }, newest, shown, [i, j], head = 0) {
  const { translator, sourceIds, ids, seen } = passed;
  const { module } = block;
  const { d_model: D, num_heads: H } = translator.config;
  const [path, at] = [fill(shown.field.of, /** @type {any} */ (block)), shown.places[i]];
  const part = path.startsWith(module) ? path.slice(module.length + 1) : path;
  const weights = (/** @type {string} */ name) => translator.weights[name].data;
  const column = (
    /** @type {string} */ name,
    /** @type {number} */ row,
    /** @type {number} */ width,
  ) => weights(`${name}.weight`).subarray(row * width, (row + 1) * width);
  const words = { row: shown.rows[i], column: shown.columns[j], entry: j + 1 };
  const names = (/** @type {string} */ key) =>
    NAMES[/** @type {"up"} */ (key)].map((text) => fill(text, words));
  /** @param {string} input @param {string[]} [said] */
  const linear = (input, said = names(part)) => {
    const x = seen[input][at];
    return products(said, x, column(path, j, x.length), 1, weights(`${path}.bias`)[j]);
  };
  if (path === "output")
    return products(names("output"), seen["decoder.norm"][newest - 1], column(path, at, D), 1, 0);
  if (path === "probabilities" || path === "best")
    return softmaxOf(
      Array.from(seen.output[newest - 1], (z, id) => (id === SPECIAL.pad ? -Infinity : z)),
      at,
    );
  const normed = `${module}_residual.norm`;
  const K = D / H;
  const slice = (/** @type {Row} */ row) => Array.from(row).slice(head * K, (head + 1) * K);
  switch (part) {
    case "q_proj":
      return linear(normed);
    case "k_proj":
    case "v_proj": {
      if (block.kind !== "cross") return linear(normed);
      return linear("encoder.norm", [MEMORY, names(part)[1]]);
    }
    case "masked": {
      const [q, k] = [seen[`${module}.q_proj`][at], seen[`${module}.k_proj`][j]];
      if (shown.values[head][i][j] === -Infinity) return sentence("masked", -Infinity, {});
      return products(names("masked"), slice(q), slice(k), Math.sqrt(K), 0);
    }
    case "weights": {
      const scores = seen[`${module}.masked`][at][head];
      return j < scores.length ? softmaxOf(scores, j) : sentence("masked", 0, {});
    }
    case "heads": {
      const mine = seen[`${module}.weights`][at][Math.floor(j / K)];
      const values = seen[`${module}.v_proj`].map((row) => row[j]).slice(0, mine.length);
      return products(names("heads"), mine, values, 1, 0);
    }
    case "out_proj":
      return linear(`${module}.heads`);
    case "up":
      return linear(normed);
    case "down":
      return linear(`${module}.hidden`);
    case "hidden": {
      const x = seen[`${module}.up`][at][j];
      return sentence("hidden", Math.max(0, x), { x });
    }
    case "table": {
      const id = (block.lane === "encoder" ? sourceIds : ids)[at];
      return sentence("table", shown.values[i][j], { ...words, id });
    }
    case "scaled": {
      const a = seen[`${module}.table`][at][j];
      return sentence("scaled", a * Math.sqrt(D), { a, D });
    }
    case "positions": {
      const power = 2 * Math.floor(j / 2);
      const [wave, angle] = [j % 2 ? "cos" : "sin", at / 10000 ** (power / D)];
      return sentence("positions", Math.fround(Math[/** @type {"sin"} */ (wave)](angle)), {
        wave,
        place: at,
        power,
        D,
      });
    }
    case "": {
      const [a, b] = [seen[`${module}.scaled`][at][j], seen[`${module}.positions`][at][j]];
      return sentence("position_sum", a + b, { a, b });
    }
  }
  const before = seen[block.before ?? ""]?.[at];
  if (path === normed || part === "norm")
    return layerNormOf(before, j, weights(`${path}.weight`), weights(`${path}.bias`), EPS);
  if (path === `${module}_residual`) {
    const update = seen[`${module}.out_proj`] ?? seen[`${module}.down`];
    const [a, b] = [before[j], update[at][j]];
    return sentence("sum", a + b, { a, b });
  }
  return sentence("earlier", shown.values[i][j], {});
}
