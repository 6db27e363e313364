// @ts-check
// The head splitter's numbers: a table cut into heads, rightly and wrongly, and one number's way.

import { format, stateOf } from "../../kit/figures/kit.js";
import { attentionSteps, dot, rowsOf, transpose } from "../../kit/figures/math.js";

/** @typedef {{tokens: string[], embeddings: number[][], d_model: number, num_heads: number,
 *   token: number, feature: number, query: number}} State */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
export const TRAITS = ["tokens", "embeddings", "d_model", "num_heads", "token", "feature", "query"];

/** @param {number} count */
export const range = (count) => Array.from({ length: count }, (_, i) => i);

/** The address of an offset: right with words before heads, wrong with heads before words.
 * @param {number} offset @param {number} count words @param {number} heads @param {number} width of a head */
export function address(offset, count, heads, width) {
  const place = offset % width;
  const block = Math.floor(offset / width);
  const [head, row] = [block % heads, Math.floor(block / heads)];
  const [viewHead, viewRow] = [Math.floor(block / count), block % count];
  return {
    split: [offset, head, row, place, head * width + place],
    viewed: [offset, viewHead, viewRow, place, viewHead * width + place],
  };
}

/** Columns of one head, from every row. @param {number[][]} x @param {number} head @param {number} width */
function headOf(x, head, width) {
  return x.map((row) => row.slice(head * width, (head + 1) * width));
}

/** Values that carry their address: tens the token from 1, ones the feature. @param {number} count @param {number} size */
function codedValues(count, size) {
  return range(count).map((t) => range(size).map((f) => 10 * (t + 1) + f));
}

/** A fixed output matrix of small numbers; Python has the same rule. @param {number} size */
function outputWeights(size) {
  return range(size).map((i) => range(size).map((j) => (((3 * i + 5 * j) % 7) - 3) / 4));
}

/** What every head attends to. @param {State} state @param {number[][]} values */
function headSteps({ embeddings, d_model, num_heads }, values) {
  const width = d_model / num_heads;
  return range(num_heads).map((head) => {
    const split = headOf(values, head, width);
    const x = headOf(embeddings, head, width);
    return { split, ...attentionSteps(x, 1 / Math.sqrt(width), undefined, split) };
  });
}

/** Every number of the figure; the same names as HeadSplitter.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const state = stateOf(model, TRAITS);
  const { tokens, d_model, num_heads, token, feature, query } = state;
  const width = d_model / num_heads;
  const values = codedValues(tokens.length, d_model);
  const output = outputWeights(d_model);
  const columns = transpose(output);
  const heads = headSteps(state, values);
  const joined = heads.flatMap((head) => head.output[query]);
  const { weights } = heads[Math.floor(feature / width)];
  const [number, weight] = [values[token][feature], weights[query][token]];
  const place = address(token * d_model + feature, tokens.length, num_heads, width);
  const adds = output[feature].map((w) => weight * number * w);
  return {
    values,
    places: place.split.map((x, i) => [x, place.viewed[i]]),
    split: heads.flatMap((head) => head.split),
    viewed: rowsOf(values.flat(), width),
    weights,
    way: [number, weight, weight * number, joined[feature]].map((x) => [x]),
    row: joined.map((x, i) => [x, output[feature][i], adds[i], dot(joined, columns[i])]),
  };
}

/** Which number is followed; where it is, the picture shows. @param {Results} results @param {State} state */
export function followedText({ values }, { tokens, token, feature }) {
  return `Followed: ${values[token][feature]}, feature ${feature} of ${tokens[token]}. It is framed in all three.`;
}

/** How it reaches the output of the asking word. @param {Results} results @param {State} state */
export function pathText(
  { way: [[number], [weight], [product], [sum]], places: [, [head]] },
  { tokens, token, feature, query },
) {
  return (
    `In head ${head}, ${tokens[query]} gives ${tokens[token]} a weight of ${format(weight)}, so ${format(product)} of ` +
    `the ${number} reaches column ${feature} of ${tokens[query]}, as a part of ${format(sum)}. Wᴼ spreads it over the whole row.`
  );
}
