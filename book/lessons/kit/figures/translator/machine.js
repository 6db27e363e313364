// @ts-check
// The decoder, which writes the English sentence word by word, and keeps the keys and values of the
// words that it has written. What the encoder has read, encoder.js brings.
//
//   const model = readModel(bytes);
//   const source = sourceOf(model, "je suis étudiant");   // { pieces, ids, unknown }, with its end
//   const encoded = encode(model, source.ids);
//   const state = start(model, encoded);
//   const first = step(model, state, SPECIAL.bos);         // first.logits: one number a word
//
// A decoder alone, a language model, is begun by `begin(model)` and then steps in the same way.
//
// All functions take the same options last, {} if nothing is broken: see Options in parts.js.

import {
  embed,
  feedForward,
  headsOff,
  layerNorm,
  linear,
  look,
  noted,
  offer,
  sum,
} from "./parts.js";

/** @typedef {import("./weights.js").Translator} Translator */
/** @typedef {import("./parts.js").Token} Token */
/** @typedef {import("./parts.js").Seen} Seen */
/** @typedef {import("./parts.js").Options} Options */
/** @typedef {import("./encoder.js").Encoded} Encoded */
/**
 * What one layer of the decoder did for the newest token: self[head][target], cross[head][source],
 * and the token after each of the three sub-layers. `selfRows`[row][head][target] has the weights of
 * all tokens that this step computed: the newest alone, or all of them if there is no mask.
 * @typedef {{self: number[][], cross: number[][], selfRows: number[][][], afterSelf: Token,
 *   afterCross: Token, residual: Token}} DecoderLayer
 */
/** @typedef {{logits: Float64Array, embedded: Token, layers: DecoderLayer[], final: Token}} Step */
/**
 * The state of a decoding: the ids so far, what they offer in each layer, and what the source does,
 * if there is one.
 * @typedef {{ids: number[], target: Seen[], source?: Seen[]}} State
 */

/**
 * Begin to decode: the keys and values of the source are computed once, nothing is written yet.
 * @param {Translator} model @param {Encoded} encoded @param {Options} [_options] @returns {State}
 */
export function start(model, { memory }, _options = {}) {
  const state = begin(model);
  const source = state.target.map((_, layer) =>
    offer(model, `decoder.layers.${layer}.cross_attention`, memory),
  );
  return { ...state, source };
}

/** Begin to write with a decoder alone, which looks at no source. @param {Translator} model @returns {State} */
export function begin({ config }) {
  const layers = Array.from({ length: config.num_decoder_layers });
  return { ids: [], target: layers.map(() => ({ keys: [], values: [] })) };
}

/** Take back all ids but the first ones. @param {State} state @param {number} count how many stay */
export function rewind(state, count) {
  for (const list of [state.ids, ...state.target.flatMap((seen) => Object.values(seen))])
    list.length = Math.min(list.length, count);
}

/** The same place twice, to go on from it in two ways. @param {State} state @returns {State} */
export function fork({ ids, target, source }) {
  const copies = target.map(({ keys, values }) => ({ keys: [...keys], values: [...values] }));
  return { ids: [...ids], target: copies, source };
}

/**
 * Take in one token and say what may come next; the state moves on.
 *
 * With the mask only the new token has to be computed: those before it cannot see it, so nothing
 * changes for them. Without the mask all tokens see it, and all are computed again.
 * @param {Translator} model @param {State} state @param {number} id @param {Options} [options]
 * @returns {Step}
 */
export function step(model, state, id, options = {}) {
  const taken = takeIn(model, state, id, options);
  return { logits: logitsOf(model, taken.final), ...taken };
}

/** What may come next after a token: one number a word. @param {Translator} model @param {Token} final */
export function logitsOf(model, final) {
  return linear(model, "output", final);
}

/**
 * Read one token without predicting the next: a step without its logits.
 * @param {Translator} model @param {State} state @param {number} id @param {Options} [options]
 * @returns {Omit<Step, "logits">}
 */
export function takeIn(model, state, id, options = {}) {
  state.ids.push(id);
  const { causal = true } = options;
  if (!causal) state.target = state.target.map(() => ({ keys: [], values: [] }));
  const first = causal ? state.ids.length - 1 : 0;
  const table = state.source ? "tgt_embedding" : "embedding";
  const embedded = state.ids
    .slice(first)
    .map((word, i) => embed(model, table, word, first + i, options));
  /** @type {DecoderLayer[]} */
  const layers = [];
  let tokens = embedded;
  for (let layer = 0; layer < model.config.num_decoder_layers; layer += 1) {
    const done = decoderLayer(model, layer, tokens, state, options);
    layers.push(done.seen);
    tokens = done.tokens;
  }
  const final = layerNorm(model, "decoder.norm", last(tokens));
  return { embedded: last(embedded), layers, final };
}

/**
 * One layer of the decoder for the tokens that are new: each looks at the target as far as it is
 * known, itself included, then at the source if there is one.
 * @param {Translator} model @param {number} layer @param {Token[]} tokens @param {State} state
 * @param {Options} options @returns {{tokens: Token[], seen: DecoderLayer}}
 */
function decoderLayer(model, layer, tokens, state, options) {
  const name = `decoder.layers.${layer}`;
  const own = `${name}.self_attention`;
  const normed = tokens.map((token) => layerNorm(model, `${own}_residual.norm`, token));
  const { keys, values } = offer(model, own, normed);
  state.target[layer].keys.push(...keys);
  state.target[layer].values.push(...values);
  const off = headsOff(options, "self", layer);
  const back = normed.map((token) => look(model, own, token, state.target[layer], off));
  const afterSelf = tokens.map((token, i) =>
    noted(model, `${own}_residual`, sum(token, back[i].update)),
  );
  const { over, afterCross } = acrossLayer(model, layer, afterSelf, state.source?.[layer], options);
  const done = afterCross.map((token) => feedForward(model, name, token));
  const seen = {
    self: last(back).weights,
    cross: over.at(-1)?.weights ?? [],
    selfRows: back.map((one) => one.weights),
    afterSelf: last(afterSelf),
    afterCross: last(afterCross),
    residual: last(done),
  };
  return { tokens: done, seen };
}

/**
 * Each token looks at the source; without one nothing happens.
 * @param {Translator} model @param {number} layer @param {Token[]} tokens
 * @param {Seen | undefined} source @param {Options} options
 */
function acrossLayer(model, layer, tokens, source, options) {
  if (!source) return { over: [], afterCross: tokens };
  const across = `decoder.layers.${layer}.cross_attention`;
  const off = headsOff(options, "cross", layer);
  const asking = tokens.map((token) => layerNorm(model, `${across}_residual.norm`, token));
  const over = asking.map((token) => look(model, across, token, source, off));
  const afterCross = tokens.map((token, i) =>
    noted(model, `${across}_residual`, sum(token, over[i].update)),
  );
  return { over, afterCross };
}

/** @template T @param {T[]} list @returns {T} */
function last(list) {
  return list[list.length - 1];
}
