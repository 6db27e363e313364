// @ts-check
// The drawing of the norm space: sphere, plane and circle, and the way of one token.

import { place, svg } from "../../kit/figures/drawing.js";
import { h } from "../../kit/figures/kit.js";
import shared from "./norm_space.json" with { type: "json" };
import { circleOf, dragged, seen } from "./space_math.js";

/** @typedef {import("./space_math.js").Results} Results */
/** @typedef {import("./space_math.js").State} State */

const RADIUS = Math.sqrt(3);
const ACROSS = [1 / Math.sqrt(2), -1 / Math.sqrt(2), 0]; // two directions in the plane of mean 0
const UP = [1 / Math.sqrt(6), 1 / Math.sqrt(6), -2 / Math.sqrt(6)];
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** A path between two points. @param {number[]} from @param {number[]} to */
const line = (from, to) => `M${from.join(" ")}L${to.join(" ")}`;

/**
 * The drawing, which can be dragged. `turned` gets the new turn and tilt.
 * @param {() => [number, number]} now @param {(turn: number, tilt: number) => void} turned
 */
export function space(now, turned) {
  const [disk, circle, diagonal] = ["disk", "circle", "diagonal"].map((kind) =>
    svg("path", { class: `ns-${kind}` }),
  );
  const rings = AXES.map(() => svg("path", { class: "ns-ring" }));
  const ball = svg("circle", { class: "ns-ball", r: RADIUS });
  const [subtract, divide] = ["subtract", "divide"].map((kind) =>
    svg("path", { class: `ns-step ns-${kind}` }),
  );
  const [start, end] = ["start", "end"].map((kind) =>
    svg("circle", { class: `ns-${kind}`, r: 0.13 }),
  );
  const shapes = [ball, ...rings, disk, diagonal, circle, subtract, divide, start, end];
  const size = { viewBox: "-3.6 -3.1 7.2 6.2", class: "ns-drawing", "aria-hidden": "true" };
  const drawing = svg("svg", size, ...shapes);
  /** @type {{x: number, y: number, turn: number, tilt: number} | undefined} */
  let grip;
  drawing.addEventListener("pointerdown", (event) => {
    const [turn, tilt] = now();
    grip = { x: event.clientX, y: event.clientY, turn, tilt };
    drawing.setPointerCapture(event.pointerId);
  });
  drawing.addEventListener("pointermove", (event) => {
    if (!grip || !drawing.hasPointerCapture(event.pointerId)) return;
    turned(...dragged(grip.turn, grip.tilt, event.clientX - grip.x, event.clientY - grip.y));
  });
  drawing.addEventListener("lostpointercapture", () => {
    grip = undefined;
  });
  return {
    element: h("div", { class: "ns-side" }, drawing, h("p", {}, shared.drag)),
    /** @param {Results} results @param {State} state */
    update({ steps }, { norm, turn, tilt }) {
      const [token, foot, point] = steps.map((step) => seen(step, turn, tilt));
      rings.forEach((ring, i) => {
        const others = AXES.filter((_, j) => j !== i);
        place(ring, { d: circleOf(others[0], others[1], RADIUS, turn, tilt) });
      });
      place(disk, { d: circleOf(ACROSS, UP, 3, turn, tilt) });
      place(circle, { d: circleOf(ACROSS, UP, RADIUS, turn, tilt) });
      place(diagonal, { d: line(seen([-2, -2, -2], turn, tilt), seen([2, 2, 2], turn, tilt)) });
      place(subtract, { d: line(token, foot) });
      place(divide, { d: line(foot, point) });
      place(start, { cx: token[0], cy: token[1] });
      place(end, { cx: point[0], cy: point[1] });
      drawing.classList.toggle("ns-layer", norm === "LayerNorm");
    },
  };
}
