// @ts-check
// The mathematics of the cache sizes: what five models keep of texts of any length.

import { format } from "../../kit/figures/kit.js";
import shared from "./cache_sizes.json" with { type: "json" };

/** @typedef {{tokens: number, texts: number, model: string}} State */
/** @typedef {ReturnType<typeof compute>} Results */

const [BYTES_PER_KB, BYTES_PER_GB] = [1e3, 1e9];

/** Bytes that layers of one kind keep of all texts. @param {{layers: number, numbers: number}} kind @param {number} kept @param {number} texts */
function bytesOf({ layers, numbers }, kept, texts) {
  return shared.bytes_per_number * texts * layers * numbers * kept;
}

/** Bytes of each model's cache. @param {number} tokens @param {number} texts */
function totalsAt(tokens, texts) {
  return shared.models.map(
    ({ full, other }) =>
      bytesOf(full, tokens, texts) + bytesOf(other, Math.min(tokens, other.kept), texts),
  );
}

/**
 * Every number of the figure; the same names as CacheSizes.results().
 * @param {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} model
 */
export function compute(model) {
  const [tokens, texts] = [model.get("tokens"), model.get("texts")];
  const [totals, longer] = [totalsAt(tokens, texts), totalsAt(tokens + 1, texts)];
  const name = model.get("model");
  const { full, other } = shared.models[namesOfModels().indexOf(name)];
  return {
    sizes: totals.map((bytes, i) => [
      (longer[i] - bytes) / texts / BYTES_PER_KB,
      bytes / BYTES_PER_GB,
      (100 * bytes) / totals[0],
    ]),
    parts: [full, { ...other, kept: Math.min(tokens, other.kept) }].map((kind) => {
      const kept = "kept" in kind ? kind.kept : tokens;
      const bytes = bytesOf(kind, kept, texts);
      return [kind.layers, kind.numbers, kept, bytes / BYTES_PER_GB];
    }),
    curve: shared.tokens.map((length) =>
      totalsAt(length, texts).map((bytes) => bytes / BYTES_PER_GB),
    ),
  };
}

/** The names of all models, in the order of the rows. */
export function namesOfModels() {
  return shared.models.map(({ name }) => name);
}

/** How many caches fit into the memory of one GPU, in words. @param {Results} results @param {State} state */
export function verdict({ sizes }, { tokens, texts, model }) {
  const fitting = sizes.filter(([, size]) => size <= shared.gpu).length;
  const size = format(sizes[namesOfModels().indexOf(model)][1], 2);
  const many = texts === 1 ? "1 text" : `${texts} texts`;
  return (
    `${model} keeps ${size} GB of ${many} of ${tokens} tokens. ` +
    `${fitting} of the ${sizes.length} caches fit into ${shared.gpu} GB.`
  );
}
