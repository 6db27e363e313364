// @ts-check
// Bars of a training job. They repeat what the tables say, so screen readers pass them by.

import { h, setText } from "../../kit/figures/kit.js";

/**
 * Lanes of parts to one scale, with a mark across them and a legend.
 * @param {string[]} names of the lanes @param {number[][]} kinds which parts are in each lane
 * @param {string[]} keys the names of the parts
 */
export function lanes(names, kinds, keys) {
  const spans = kinds.map((lane) => lane.map((kind) => h("span", { class: `tj-part-${kind}` })));
  const rows = spans.flatMap((lane, i) => [
    h("span", { class: "tj-lane-name" }, names[i]),
    h("div", { class: "tj-lane" }, ...lane),
  ]);
  const [mark, label] = [h("span", { class: "tj-mark" }), h("span", { class: "tj-limit" })];
  const scale = h("div", { class: "tj-scale" }, mark, label);
  const legend = keys.map((key, i) => h("span", { class: `tj-key tj-part-${i}` }, key));
  return {
    element: h(
      "div",
      { class: "tj-bars", "aria-hidden": "true" },
      h("div", { class: "tj-lanes" }, ...rows, scale),
      h("div", { class: "tl-legend" }, ...legend),
    ),
    /** @param {number[]} parts @param {number} full the size at full length @param {number} limit the position of the mark @param {string} text */
    update(parts, full, limit, text) {
      const share = (/** @type {number} */ x) => `${((100 * x) / full).toFixed(2)}%`;
      kinds.forEach((lane, i) =>
        lane.forEach((kind, j) => spans[i][j].style.setProperty("width", share(parts[kind]))),
      );
      scale.style.setProperty("--limit", share(limit));
      scale.classList.toggle("tj-late", limit > full / 2);
      setText(label, text);
    },
  };
}
