// @ts-check
// A box for a number that a reader types. Each figure that has some takes this file in: a page
// never has two such figures, so a script of the kit would only cost a request.

import { format, h, readNumber } from "./kit.js";

/**
 * A box for one number. What is not a number in range is refused in words and changes nothing.
 * @param {import("./controls.js").Range & {label: string, oninput: (x: number) => void,
 *   onerror: (message: string) => void}} spec
 */
export function numberBox({ label, min, max, step, oninput, onerror }) {
  const attributes = { type: "text", inputmode: "decimal", class: "tl-number" };
  const silent = { autocomplete: "off", spellcheck: "false" };
  const input = h("input", { ...attributes, "aria-label": label, ...silent });
  const rule = `${label} must be a number from ${format(min)} to ${format(max)}`;
  input.addEventListener("input", () => {
    const value = readNumber(input.value) ?? NaN;
    const good = value >= min && value <= max;
    input.setAttribute("aria-invalid", String(!good));
    if (good) oninput(value);
    else onerror(`${rule}, got “${input.value}”.`);
  });
  input.addEventListener("keydown", (event) => {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const typed = input.value.trim() === "" ? 0 : readNumber(input.value);
    const value = (typed ?? NaN) + way * step;
    if (Number.isFinite(value)) oninput(Math.min(max, Math.max(min, Number(value.toFixed(6)))));
  });
  return {
    element: input,
    input,
    /** @param {number} value */
    update(value) {
      if (readNumber(input.value) === value) return;
      input.value = format(value, 6);
      input.setAttribute("aria-invalid", "false");
    },
  };
}
