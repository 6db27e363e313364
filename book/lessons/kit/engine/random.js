// @ts-check
// Random numbers from a seed: the same in every browser, and in lessons/kit/races.py.

/**
 * The generator mulberry32: one 32-bit number of state, about 4 billion numbers before it repeats.
 * @param {number} seed @returns {() => number} each call gives the next number from 0 up to 1
 */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 15), z | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 4294967296;
  };
}

/** A whole number from 0 to count − 1. @param {() => number} random @param {number} count */
export const below = (random, count) => Math.floor(random() * count);

/** A list in random order; the list itself stays. @template T @param {() => number} random @param {T[]} list */
export function shuffled(random, list) {
  const mixed = [...list];
  for (let i = mixed.length - 1; i > 0; i -= 1) {
    const j = below(random, i + 1);
    [mixed[i], mixed[j]] = [mixed[j], mixed[i]];
  }
  return mixed;
}
