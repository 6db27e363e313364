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

/** A matrix of zeros. @param {Memory} memory @param {number} rows @param {number} columns @returns {Matrix} */
export function matrix(memory, rows, columns) {
  return { data: memory.zeros(rows * columns), at: 0, rows, columns, down: columns, right: 1 };
}

/** @param {Matrix} m @returns {Matrix} */
export const transposed = (m) => ({
  ...m,
  rows: m.columns,
  columns: m.rows,
  down: m.right,
  right: m.down,
});

/** The first rows of a matrix. @param {Matrix} m @param {number} rows @returns {Matrix} */
export const top = (m, rows) => ({ ...m, rows });

/** A part of a matrix. @param {Matrix} m @param {number} row @param {number} column @param {number} rows @param {number} columns @returns {Matrix} */
export const part = (m, row, column, rows, columns) => ({
  ...m,
  at: m.at + row * m.down + column * m.right,
  rows,
  columns,
});

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
  for (let i = 0; i < m.rows; i += 1) {
    let from = m.at + i * m.down;
    for (let j = 0; j < m.columns; j += 1, from += m.right) into[i * m.columns + j] = m.data[from];
  }
  return { data: into, at: 0, rows: m.rows, columns: m.columns, down: m.columns, right: 1 };
}

/** cᵢⱼ ← cᵢⱼ + Σₚ aᵢₚ bₚⱼ, along the rows of B and C. @type {Multiply} */
export function plainMultiply(c, a, b) {
  for (let i = 0; i < c.rows; i += 1) {
    const row = c.at + i * c.down;
    for (let p = 0; p < a.columns; p += 1) {
      const factor = a.data[a.at + i * a.down + p * a.right];
      let from = b.at + p * b.down;
      for (let j = row; j < row + c.columns; j += 1, from += 1) c.data[j] += factor * b.data[from];
    }
  }
}
