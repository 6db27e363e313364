// @ts-check
// What the drills about shapes share: how a shape is written and read.

/** What is written instead of a shape where there is none. */
export const NO_SHAPE = "no";

/** "(2, 3)", and "(3,)" as Python writes it. @param {number[]} sizes */
export function shape(sizes) {
  return sizes.length === 1 ? `(${sizes[0]},)` : `(${sizes.join(", ")})`;
}

/** The shape that a reader typed: "(2, 3)", "2 3", "2×3", or "no". @param {string} text */
export function readShape(text) {
  const plain = text.trim().toLowerCase();
  if (/^(no|none|no shape|error|does not fit|-)$/.test(plain)) return NO_SHAPE;
  const inner = plain
    .replace(/^\((.*)\)$/, "$1")
    .replace(/^\[(.*)\]$/, "$1")
    .trim();
  if (!/^\d{1,9}(\s*[\s,;x×*]\s*\d{1,9})*\s*,?\s*$/.test(inner)) return undefined;
  return shape((inner.match(/\d+/g) ?? []).map(Number));
}

/** How a drill about shapes is answered. */
export const SHAPES = {
  note: "Write a shape as (2, 3) or 2 3.",
  tolerance: 0,
  reader: { wanted: "a shape, like (2, 3), or “no”", read: readShape },
};
