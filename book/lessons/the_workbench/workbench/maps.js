// @ts-check
// The attention maps of a machine, layer by layer.

import { fill, format, h } from "../../kit/figures/kit.js";
import { seen } from "../../kit/figures/race_lab/lanes.js";
import shared from "./workbench.json" with { type: "json" };

/** @typedef {import("../../kit/figures/race_lab/runs.js").Run} Run */

/** One head's weights as a small picture: a row for each reading token. @param {number[]} weights @param {number} length @param {string} name */
function headMap(weights, length, name) {
  const canvas = h("canvas", { width: length, height: length, role: "img", "aria-label": name });
  const paint = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = paint.createImageData(length, length);
  weights.forEach((w, i) => {
    image.data.set([0, 114, 178, Math.round(255 * Math.min(1, w))], 4 * i);
  });
  paint.putImageData(image, 0, 0);
  return canvas;
}

/** All heads of a machine, layer by layer. */
export function mapsView() {
  const element = h("div", { class: "wb-maps" });
  /** @type {unknown} */
  let shown = null;
  return {
    element,
    /** @param {Run} run */
    update({ example, alphabet }) {
      if (shown === example) return;
      shown = example;
      if (!example) return element.replaceChildren(shared.maps.no_maps);
      const { ids, maps } = example;
      if (!maps.length) return element.replaceChildren(shared.maps.no_attention);
      const tokens = ids.map((/** @type {number} */ id) => seen(alphabet[id]));
      const last = tokens.length - 1;
      const views = maps.flatMap((/** @type {number[][]} */ layer, /** @type {number} */ i) =>
        layer.map((weights, head) => {
          const row = weights.slice(last * tokens.length);
          const most = row.indexOf(Math.max(...row));
          const words = { layer: i + 1, head: head + 1, last: tokens[last] };
          const more = { token: tokens[most], place: most + 1, weight: format(row[most], 2) };
          const label = fill(shared.maps.map, { ...words, ...more });
          const caption = fill(shared.maps.map_name, words);
          const picture = headMap(weights, tokens.length, label);
          return h("figure", { title: label }, picture, h("figcaption", {}, caption));
        }),
      );
      const legend = fill(shared.maps.map_legend, { tokens: tokens.join(" ") });
      element.replaceChildren(h("p", {}, legend), h("div", { class: "wb-heads" }, ...views));
    },
  };
}
