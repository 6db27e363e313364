// @ts-check
// The mathematics of the cost lab: what layers multiply and hold, from their sizes.

import { short } from "../../kit/figures/units.js";
import shared from "./cost_lab.json" with { type: "json" };

/** @typedef {{tokens: number, d_model: number, num_heads: number, num_layers: number, mark: boolean}} State */
/** @typedef {ReturnType<typeof compute>} Results */

/** All layers: projections, scores, mixing, feed-forward. @param {number} t @param {Pick<State, "d_model" | "num_layers">} sizes */
function partsOf(t, { d_model: d, num_layers: layers }) {
  return [4 * t * d * d, t * t * d, t * t * d, 8 * t * d * d].map((count) => count * layers);
}

/**
 * Every number of the figure; the same names as CostLab.results().
 * @param {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} model
 */
export function compute(model) {
  const [t, d] = [model.get("tokens"), model.get("d_model")];
  const [heads, layers] = [model.get("num_heads"), model.get("num_layers")];
  const sizes = { d_model: d, num_layers: layers };
  const parts = partsOf(t, sizes);
  const all = parts.reduce((sum, count) => sum + count, 0);
  const memory = [12 * d * d, 2 * t * d, heads * t * t].map((n) => n * shared.bytes_per_number);
  return {
    parts: [...parts, all].map((count) => [count, (100 * count) / all]),
    memory: memory.map((bytes) => [bytes, bytes * layers]),
    rivals: [
      [4 * t * d * d + 2 * t * t * d, 1],
      [2 * t * d * d, t],
      [shared.kernel * t * d * d, 1],
    ],
    curve: shared.tokens.map((length) => {
      const [projections, scores, mixing, feedForward] = partsOf(length, sizes);
      return [projections + feedForward, scores + mixing];
    }),
  };
}

/** What there is to count, in words. @param {Results} results @param {State} state @param {string} layers */
export function verdict({ parts, memory }, { tokens, num_heads }, layers) {
  const work = short(parts[4][0], shared.units);
  const bytes = short(memory[2][0], shared.byte_units);
  const drawn = num_heads === 1 ? "One table" : `${num_heads} tables`;
  return (
    `${tokens} tokens in ${layers}: ${work} multiply–adds. ` +
    `${drawn} of scores would fill ${bytes} in each layer.`
  );
}
