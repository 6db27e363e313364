// @ts-check
// A figure for the tests: what it shows is computed from an asset, and its render is asynchronous.

import { asset } from "../../../../../book/lessons/kit/figures/assets.js";
import { assign, connect, h, status } from "../../../../../book/lessons/kit/figures/kit.js";

const WIDTH = 280;

/** Sum, largest number and Euclidean norm of a row. @param {Float32Array} weights @param {number} row */
function measures(weights, row) {
  const numbers = [...weights.subarray(row * WIDTH, (row + 1) * WIDTH)];
  return {
    sum: numbers.reduce((sum, x) => sum + x, 0),
    largest: Math.max(...numbers),
    norm: Math.hypot(...numbers),
  };
}

/**
 * @param {{model: import("../../../../../book/lessons/kit/figures/kit.js").Model<any>, el: HTMLElement}} context
 */
async function render({ model, el }) {
  const weights = await Promise.resolve(new Float32Array(asset(model, "model")));
  const row = h("input", {
    type: "range",
    min: 0,
    max: weights.length / WIDTH - 1,
    "aria-label": "row",
    oninput: () => assign(model, "row", Number(row.value)),
  });
  const news = status();
  el.classList.add("tl-figure");
  el.append(row, news.element);
  return connect(model, ["row"], () => {
    const found = measures(weights, model.get("row"));
    row.value = String(model.get("row"));
    el.dataset.measures = JSON.stringify(found);
    news.say(`Row ${model.get("row")} has the norm ${found.norm.toFixed(4)}.`);
  });
}

export default { render };
