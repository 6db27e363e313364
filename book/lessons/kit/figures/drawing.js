// @ts-check
// What figures draw with: SVG elements, and where a value lies along an axis. Charts are in chart.js.
// A drawing repeats what a table next to it says in numbers, so it is hidden from screen readers.

/**
 * Set attributes where they differ: what is set again is drawn again.
 * @param {Element} element @param {Record<string, unknown>} attributes
 */
export function place(element, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/**
 * An element of a drawing: svg("circle", { r: 4 }).
 * @param {string} tag @param {Record<string, unknown>} [attributes] @param {...(Node|string)} children
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  place(element, attributes);
  element.append(...children);
  return element;
}

/**
 * Where a value lies along an axis: 0 at its minimum, 1 at its maximum. What lies outside is moved
 * to the nearer end; a logarithmic axis moves 0 and less to its minimum.
 * @param {number} value @param {{min: number, max: number, log?: boolean}} axis
 */
export function along(value, { min, max, log = false }) {
  const scale = log ? Math.log : (/** @type {number} */ x) => x;
  const share = (scale(Math.max(value, min)) - scale(min)) / (scale(max) - scale(min));
  return Math.min(1, share);
}

/**
 * Round numbers from min to max: 1, 2 or 5 times a power of ten apart; powers of ten if logarithmic.
 * @param {number} min @param {number} max @param {number} [count] about how many
 * @param {boolean} [log]
 */
export function niceTicks(min, max, count = 5, log = false) {
  if (log) {
    const [low, high] = [Math.ceil(Math.log10(min) - 1e-9), Math.floor(Math.log10(max) + 1e-9)];
    const step = Math.max(1, Math.ceil((high - low) / count));
    return Array.from(
      { length: Math.floor((high - low) / step) + 1 },
      (_, i) => 10 ** (low + i * step),
    );
  }
  const rough = (max - min) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough - 1e-12) ?? rough;
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}
