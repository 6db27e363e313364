// @ts-check
// The plane of the scale lab: every row a point, with one unit for both axes.

import { place, svg } from "../../kit/figures/drawing.js";
import { h } from "../../kit/figures/kit.js";
import { apart, nearest } from "./scale_math.js";

/** @typedef {import("./scale_math.js").Results} Results */

const SIDE = 100; // of the square that holds the points
const LABELS = 112; // where the names begin
const GAP = 11; // between two names

/**
 * Where points lie in the square: the middle of all of them in its middle, one unit for both axes.
 * @param {number[][]} points
 */
export function fitted(points) {
  const ends = [0, 1].map((d) => {
    const column = points.map((point) => point[d]);
    return [Math.min(...column), Math.max(...column)];
  });
  const half = 0.56 * Math.max(...ends.map(([low, high]) => high - low)) || 1;
  const [x, y] = points[0].map((_, d) => (ends[d][0] + ends[d][1]) / 2);
  return points.map((point) => [
    (SIDE / 2) * (1 + (point[0] - x) / half),
    (SIDE / 2) * (1 - (point[1] - y) / half),
  ]);
}

/** The point of one row, its name, and the line between the two. @param {string} name @param {boolean} first */
function rowShapes(name, first) {
  return {
    leader: svg("path", { class: "sl-leader" }),
    point: svg("circle", { class: first ? "sl-point sl-first" : "sl-point", r: first ? 3.4 : 2.6 }),
    label: svg("text", { class: "sl-name", x: LABELS }, name),
  };
}

/** The plane with its names. @param {string[]} names @param {string[]} features */
export function plane(names, features) {
  const rows = names.map((name, i) => rowShapes(name, i === 0));
  const link = svg("path", { class: "sl-link" });
  const frame = svg("rect", { class: "sl-frame", width: SIDE, height: SIDE });
  const all = (/** @type {"leader" | "point" | "label"} */ kind) => rows.map((row) => row[kind]);
  const shapes = [frame, ...all("leader"), link, ...all("point"), ...all("label")];
  const size = { viewBox: "-2 -2 150 104", class: "sl-plane", "aria-hidden": "true" };
  const words = `${features[0]} to the right, ${features[1]} upwards, one unit for both.`;
  return {
    element: h("div", { class: "sl-side" }, svg("svg", size, ...shapes), h("p", {}, words)),
    /** @param {Results} results */
    update({ scaled, distances }) {
      const points = fitted(scaled);
      const near = nearest(distances);
      const heights = apart(
        points.map((point) => point[1]),
        GAP,
        5,
        SIDE - 3,
      );
      rows.forEach(({ leader, point, label }, i) => {
        const [x, y] = points[i];
        place(point, { cx: x, cy: y });
        place(leader, { d: `M${x} ${y}L${LABELS - 6} ${heights[i]}H${LABELS - 2}` });
        place(label, { y: heights[i] + 2.5 });
        label.classList.toggle("sl-near", near.includes(i));
      });
      const lines = near.map((i) => `M${points[0].join(" ")}L${points[i].join(" ")}`);
      place(link, { d: lines.join("") });
    },
  };
}
