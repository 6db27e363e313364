// @ts-check
// Matrices, and their product: the one operation in which a Transformer spends its time.

/** @typedef {Float32Array | Float64Array} Numbers */
/**
 * Element (i, j) is data[at + i·down + j·right]. A transposed matrix is the same data with `down`
 * and `right` exchanged.
 * @typedef {{data: Numbers, at: number, rows: number, columns: number, down: number, right: number}} Matrix
 */
/** @typedef {{zeros: (count: number) => Numbers, multiply: Multiply | null}} Memory */
/** @typedef {(c: Matrix, a: Matrix, b: Matrix) => void} Multiply */

// product.wat, assembled. A test assembles it again and compares.
export const PRODUCT =
  "AGFzbQEAAAABDgFgCn9/f39/f39/f38AAhIBBmVuZ2luZQZtZW1vcnkCAAEDAgEABw8BC2FkZF9wcm9kdWN0AAAK5gMB4wMDBn8FewF9IAVBAnQhCwJAA0AgA0UNAUEAIQoCQANAIApBwABqIAtLDQEgACAKaiEPIA/9AAQAIREgD/0ABBAhEiAP/QAEICETIA/9AAQwIRQgBCEMIAEhDSACIApqIQ4DQCAN/QkCACEQIBEgECAO/QAEAP3mAf3kASERIBIgECAO/QAEEP3mAf3kASESIBMgECAO/QAEIP3mAf3kASETIBQgECAO/QAEMP3mAf3kASEUIA0gCGohDSAOIAlqIQ4gDEEBayIMDQALIA8gEf0LBAAgDyAS/QsEECAPIBP9CwQgIA8gFP0LBDAgCkHAAGohCgwACwsCQANAIApBEGogC0sNASAAIApqIQ8gD/0ABAAhESAEIQwgASENIAIgCmohDgNAIBEgDf0JAgAgDv0ABAD95gH95AEhESANIAhqIQ0gDiAJaiEOIAxBAWsiDA0ACyAPIBH9CwQAIApBEGohCgwACwsCQANAIAogC08NASAAIApqIQ8gDyoCACEVIAQhDCABIQ0gAiAKaiEOA0AgFSANKgIAIA4qAgCUkiEVIA0gCGohDSAOIAlqIQ4gDEEBayIMDQALIA8gFTgCACAKQQRqIQoMAAsLIAAgBmohACABIAdqIQEgA0EBayEDDAALCws=";

/** Memory from JavaScript, with the product in JavaScript. @returns {Memory} */
export function plainMemory(/** @type {Float32ArrayConstructor | Float64ArrayConstructor} */ Kind) {
  return { zeros: (count) => new Kind(count), multiply: null };
}

/**
 * Memory of a WebAssembly module, whose product computes four columns at a time. The block does not
 * grow, because growing would detach every array that lies in it.
 * @param {number} bytes @returns {Memory | null} null where the browser cannot run the module
 */
export function fastMemory(bytes) {
  try {
    const code = Uint8Array.from(atob(PRODUCT), (letter) => letter.charCodeAt(0));
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65536) });
    const module = new WebAssembly.Module(code);
    const { add_product } = /** @type {{add_product: (...bytes: number[]) => void}} */ (
      /** @type {unknown} */ (new WebAssembly.Instance(module, { engine: { memory } }).exports)
    );
    let used = 0;
    return {
      zeros(count) {
        const data = new Float32Array(memory.buffer, used, count);
        used += Math.ceil(count / 4) * 16; // each array begins at a multiple of 16 bytes
        return data;
      },
      multiply(c, a, b) {
        const [atC, atA, atB] = [c, a, b].map((m) => m.data.byteOffset + 4 * m.at);
        const strides = [4 * c.down, 4 * a.down, 4 * a.right, 4 * b.down];
        add_product(atC, atA, atB, c.rows, a.columns, c.columns, ...strides);
      },
    };
  } catch {
    return null;
  }
}

/** Memory that only counts. @returns {Memory & {bytes: number}} */
export function countingMemory() {
  return {
    bytes: 0,
    multiply: null,
    zeros(count) {
      this.bytes += Math.ceil(count / 4) * 16;
      return new Float32Array(0);
    },
  };
}

/** A view of numbers. All matrices are made here, so an engine compiles their users only once. @param {Numbers} data @param {number} at @param {number} rows @param {number} columns @param {number} [down] @param {number} [right] @returns {Matrix} */
export const view = (data, at, rows, columns, down = columns, right = 1) => ({
  data,
  at,
  rows,
  columns,
  down,
  right,
});

/** A matrix of zeros. @param {Memory} memory @param {number} rows @param {number} columns */
export const matrix = (memory, rows, columns) =>
  view(memory.zeros(rows * columns), 0, rows, columns);

/** @param {Matrix} m */
export const transposed = (m) => view(m.data, m.at, m.columns, m.rows, m.right, m.down);

/** The first rows of a matrix. @param {Matrix} m @param {number} rows */
export const top = (m, rows) => view(m.data, m.at, rows, m.columns, m.down, m.right);

/** A part of a matrix. @param {Matrix} m @param {number} row @param {number} column @param {number} rows @param {number} columns */
export const part = (m, row, column, rows, columns) =>
  view(m.data, m.at + row * m.down + column * m.right, rows, columns, m.down, m.right);

/** @param {Matrix} m */
export function clear(m) {
  m.data.fill(0, m.at, m.at + m.rows * m.columns);
  return m;
}

/**
 * A product that adds to what is there: C ← C + A B.
 * @param {Memory} memory @param {number} largest the numbers of the largest transposed B
 */
export function product(memory, largest) {
  const scratch = memory.zeros(largest); // the rows of B must have no gaps, so it is copied
  const multiply = memory.multiply ?? plainMultiply;
  /** @param {Matrix} c @param {Matrix} a @param {Matrix} b */
  return (c, a, b) => multiply(c, a, b.right === 1 ? b : copy(b, scratch));
}

/** The same matrix with rows without gaps. @param {Matrix} m @param {Numbers} into @returns {Matrix} */
function copy(m, into) {
  const data = m.data;
  for (let i = 0; i < m.rows; i += 1) {
    let from = m.at + i * m.down;
    for (let j = 0; j < m.columns; j += 1, from += m.right) into[i * m.columns + j] = data[from];
  }
  return view(into, 0, m.rows, m.columns);
}

/** cᵢⱼ ← cᵢⱼ + Σₚ aᵢₚ bₚⱼ, along the rows of B and C. @type {Multiply} */
export function plainMultiply(c, a, b) {
  // Engines look up a property in each round of a loop, so the arrays are taken out of it.
  const [to, factors, from] = [c.data, a.data, b.data];
  for (let i = 0; i < c.rows; i += 1) {
    const [first, last] = [c.at + i * c.down, c.at + i * c.down + c.columns];
    for (let p = 0; p < a.columns; p += 1) {
      const factor = factors[a.at + i * a.down + p * a.right];
      for (let j = first, k = b.at + p * b.down; j < last; j += 1, k += 1)
        to[j] += factor * from[k];
    }
  }
}
