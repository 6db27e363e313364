// @ts-check
// The trained translator as a file of a page, and as the numbers that are in it.
//
// The file begins with the length of its header, four bytes, the smallest first. The header is JSON:
// what the model was built from, its words, and where each tensor is after the header. There a
// tensor has one byte for each number, row by row, and then one byte for each row: the power of two
// by which the row's numbers are multiplied. A vector is one row.

/** @typedef {{shape: number[], data: Float32Array}} Tensor */
/** @typedef {{d_model: number, num_heads: number, num_encoder_layers: number,
 *   num_decoder_layers: number}} Config */
/** When it says that it is not sure, and how often that is wrong. @typedef {{threshold: number, false_alarms: number, misses: number}} Rule */
/**
 * The weights have the names of the package: "encoder.layers.0.feed_forward.up.bias".
 * `note`, if there is one, hears what each part puts out.
 * @typedef {{config: Config, doubt?: Rule | null, tokens: string[], places: Map<string, number>,
 *   weights: Record<string, Tensor>, note?: (name: string, value: any) => void}} Translator
 */

/** The special ids: padding, start, end and unknown. */
export const SPECIAL = { pad: 0, bos: 1, eos: 2, unk: 3 };

/**
 * The numbers of one tensor.
 * @param {Int8Array} bytes all that comes after the header @param {number} offset @param {number[]} shape
 */
function readTensor(bytes, offset, shape) {
  const rows = shape.length > 1 ? shape[0] : 1;
  const size = shape.reduce((product, length) => product * length, 1);
  const width = size / rows;
  const powers = bytes.subarray(offset + size, offset + size + rows);
  if (powers.length < rows) throw new Error("the translator's file ends too early");
  const data = new Float32Array(size);
  powers.forEach((power, row) => {
    const factor = 2 ** power;
    for (let i = row * width; i < (row + 1) * width; i += 1) data[i] = bytes[offset + i] * factor;
  });
  return { shape, data };
}

/**
 * Read the translator from the bytes of its file.
 * @param {ArrayBufferLike} bytes @returns {Translator}
 */
export function readModel(bytes) {
  const length = new DataView(bytes).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(bytes, 4, length));
  /** @type {{config: Config, doubt?: Rule | null, tokens: string[],
   *   tensors: {name: string, shape: number[], offset: number}[]}} */
  const { config, doubt, tokens, tensors } = JSON.parse(text);
  const rest = new Int8Array(bytes, 4 + length);
  const read = tensors.map(({ name, shape, offset }) => [name, readTensor(rest, offset, shape)]);
  const places = new Map(tokens.map((token, id) => [token, id]));
  return { config, doubt, tokens, places, weights: Object.fromEntries(read) };
}
