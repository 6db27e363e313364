// @ts-check
// Sizes with three digits and a unit, as units.py writes them.

import { format } from "./kit.js";

/** A size, which is not negative, with three digits and a unit. @param {number} x @param {string[]} units */
export function short(x, units) {
  const [digits, exponent] = x.toExponential(2).split("e").map(Number);
  const power = Math.max(0, Math.floor(exponent / 3));
  return format(digits * 10 ** (exponent - 3 * power), 2) + units[power];
}
