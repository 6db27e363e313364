// @ts-check
// The drawing of the two arrows: a plane, each arrow where it points now and where it began.

import { place, svg } from "../../kit/figures/drawing.js";
import { h } from "../../kit/figures/kit.js";

/** @typedef {[number, number]} Point */

const UNIT = 38; // pixels
const END = 2.35; // of the axes, in units
const ARC = 0.62; // radius of the arc between the arrows, in units

/** In pixels; up is up. @param {Point} point @param {number} [size] */
const at = ([x, y], size = UNIT) => `${(size * x).toFixed(1)} ${(-size * y).toFixed(1)}`;

/**
 * The arc from one direction to another, the short way round.
 * @param {number} from @param {number} to both in radians, counterclockwise from the right
 */
export function arc(from, to) {
  const turn = Math.atan2(Math.sin(to - from), Math.cos(to - from));
  const end = (/** @type {number} */ angle) => at([ARC * Math.cos(angle), ARC * Math.sin(angle)]);
  const radius = UNIT * ARC;
  return `M${end(from)}A${radius} ${radius} 0 0 ${turn > 0 ? 0 : 1} ${end(from + turn)}`;
}

/** One arrow: its line and the mark at its tip. @param {"query" | "key"} name */
function arrow(name) {
  const line = svg("path");
  const tip =
    name === "query"
      ? svg("circle", { r: 5.5 })
      : svg("rect", { x: -5, y: -5, width: 10, height: 10 });
  const letter = svg("text", {}, name === "query" ? "q" : "k");
  return {
    element: svg("g", { class: `ra-${name}` }, line, tip, letter),
    /** @param {Point} point */
    update(point) {
      const length = Math.hypot(...point);
      const beyond = /** @type {Point} */ (point.map((x) => x * (1 + 0.42 / length)));
      place(line, { d: `M0 0L${at(point)}` });
      place(tip, { transform: `translate(${at(point)})` });
      const [x, y] = at(beyond).split(" ");
      place(letter, { x, y: Number(y) + 5 });
    },
  };
}

/** Where an arrow begins, at position 0. @param {"query" | "key"} name @param {Point} point */
function ghost(name, point) {
  return svg("path", { class: `ra-${name} ra-ghost`, d: `M0 0L${at(point)}` });
}

/** The plane with both arrows. @param {Point} query @param {Point} key where they begin */
export function plane(query, key) {
  const reach = UNIT * (END + 0.35);
  const end = UNIT * END;
  const axes = svg("path", { class: "ra-axes", d: `M${-end} 0H${end}M0 ${-end}V${end}` });
  const between = svg("path", { class: "ra-arc" });
  const arrows = [arrow("query"), arrow("key")];
  const drawing = svg(
    "svg",
    { viewBox: `${-reach} ${-reach} ${2 * reach} ${2 * reach}` },
    axes,
    ghost("query", query),
    ghost("key", key),
    between,
    ...arrows.map((part) => part.element),
  );
  return {
    element: h("div", { class: "ra-plane", "aria-hidden": "true" }, drawing),
    /** @param {Point[]} points where query and key point now */
    update(points) {
      const [from, to] = points.map(([x, y]) => Math.atan2(y, x));
      points.forEach((point, i) => arrows[i].update(point));
      place(between, { d: arc(from, to) });
    },
  };
}
