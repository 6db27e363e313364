// @ts-check
// A formula of one line: "W^{Q}" has a raised letter, "x_{1}" a lowered one.

import { h } from "../../kit/figures/kit.js";

/** @param {string} text @returns {(string | HTMLElement)[]} */
export function formulaOf(text) {
  return text.split(/([\^_]\{[^}]*\})/).map((piece) => {
    const inner = piece.slice(2, -1);
    if (piece.startsWith("^{")) return h("sup", {}, inner);
    return piece.startsWith("_{") ? h("sub", {}, inner) : piece;
  });
}
