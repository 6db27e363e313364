// @ts-check
// The flows of the attention explorer: from every token to the one that asks, as wide as its weight.

import { place, svg } from "../../kit/figures/drawing.js";
import { h, setText } from "../../kit/figures/kit.js";

const [WIDTH, HEIGHT] = [330, 124];
const WHOLE = 78; // the height of all weights together
const EDGE = 7; // above and below, for half a name
const TITLE = "What it takes: the wider, the more weight";
const [NAMES, LEFT, RIGHT] = [86, 94, 230];

/**
 * Where the middle of each flow is, from the top, and how wide it is: apart where they begin, side
 * by side where they end.
 * @param {number[]} weights
 */
export function bands(weights) {
  const gap = (HEIGHT - 2 * EDGE - WHOLE) / Math.max(weights.length - 1, 1);
  let [from, to] = [EDGE, (HEIGHT - WHOLE) / 2];
  return weights.map((weight) => {
    const width = WHOLE * weight;
    const band = { from: from + width / 2, to: to + width / 2, width };
    from += width + gap;
    to += width;
    return band;
  });
}

/** The drawing. @param {number} count of the tokens */
export function flows(count) {
  const paths = Array.from({ length: count }, () => svg("path", { class: "ae-flow" }));
  const names = paths.map(() => svg("text", { class: "ae-from", x: NAMES }));
  const asker = svg("text", { x: RIGHT + 12, y: HEIGHT / 2 + 5 });
  const [y1, y2] = [(HEIGHT - WHOLE) / 2, (HEIGHT + WHOLE) / 2];
  const whole = svg("line", { class: "ae-whole", x1: RIGHT + 2, x2: RIGHT + 2, y1, y2 });
  const size = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "tl-drawing", "aria-hidden": "true" };
  const drawing = svg("svg", size, ...paths, whole, ...names, asker);
  return {
    element: h("div", { class: "ae-flows" }, h("p", { class: "ae-title" }, TITLE), drawing),
    /** @param {number[]} weights @param {string[]} tokens @param {number} selected */
    update(weights, tokens, selected) {
      const middle = (LEFT + RIGHT) / 2;
      bands(weights).forEach(({ from, to, width }, j) => {
        const d = `M${LEFT} ${from}C${middle} ${from} ${middle} ${to} ${RIGHT} ${to}`;
        place(paths[j], { d, "stroke-width": Math.max(width - 1, 0).toFixed(1) });
        place(names[j], { y: from + 5 });
        setText(names[j], tokens[j]);
      });
      setText(asker, `→ ${tokens[selected]}`);
    },
  };
}
