// @ts-check
// The plane of soft retrieval: keys, values and their mixture, and the query as a handle.

import { along, place, svg } from "../../kit/figures/drawing.js";
import { assign, h, setText } from "../../kit/figures/kit.js";
import { hull } from "./plane_math.js";
import shared from "./soft_retrieval.json" with { type: "json" };

/** @typedef {import("./soft_retrieval.js").Model} Model */
/** @typedef {import("./soft_retrieval.js").Results} Results */
/** @typedef {number[]} Point */

const PLANE = shared.plane;
const STEPS = /** @type {Record<string, Point>} */ ({
  ArrowLeft: [-0.1, 0],
  ArrowRight: [0.1, 0],
  ArrowDown: [0, -0.1],
  ArrowUp: [0, 0.1],
});

/** A point kept inside the plane, in steps of 0.1. @param {Point} point */
export function inside(point) {
  return point.map((x) => Math.round(10 * Math.max(PLANE.min, Math.min(PLANE.max, x))) / 10);
}

/** Where a point lies in the drawing, in percent from the left and from the top. @param {Point} point */
function percent([x, y]) {
  return [100 * along(x, PLANE), 100 - 100 * along(y, PLANE)];
}

/** The point of the plane under the pointer. @param {MouseEvent} event @param {Element} element */
function pointAt(event, element) {
  const box = element.getBoundingClientRect();
  const shares = [
    (event.clientX - box.left) / box.width,
    1 - (event.clientY - box.top) / box.height,
  ];
  return shares.map((share) => PLANE.min + share * (PLANE.max - PLANE.min));
}

/** Put an element of the page on a point. @param {HTMLElement} item @param {Point} point */
function put(item, point) {
  const [left, top] = percent(point);
  Object.assign(item.style, { left: `${left}%`, top: `${top}%` });
}

/**
 * The handle that moves the query.
 * @param {Model} model @param {(event: MouseEvent) => Point} at @param {(point: Point) => void} move
 */
function queryHandle(model, at, move) {
  const handle = h("button", {
    type: "button",
    class: "tl-handle sr-handle",
    "aria-label": "Query: drag it or use the arrow keys",
    onpointerdown: (/** @type {PointerEvent} */ event) => handle.setPointerCapture(event.pointerId),
    onpointermove: (/** @type {PointerEvent} */ event) => {
      if (handle.hasPointerCapture(event.pointerId)) move(at(event));
    },
    onclick: (/** @type {Event} */ event) => event.stopPropagation(),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      move(model.get("query").map((x, i) => x + step[i]));
    },
  });
  return handle;
}

/** The shapes of one word: its key, its value, and how much it pulls at the mixture. */
function wordShapes() {
  return {
    pull: svg("line", { class: "sr-pull" }),
    halo: svg("circle", { class: "sr-halo" }),
    key: svg("circle", { class: "sr-key", r: 2 }),
    value: svg("rect", { class: "sr-value", width: 2.6, height: 2.6 }),
  };
}

/** How far the halo of a key reaches, in percent of the plane. @param {number} weight */
const haloOf = (weight) => 9 * Math.sqrt(weight);

/**
 * Put the shapes of one word where they belong.
 * @param {ReturnType<typeof wordShapes>} shapes
 * @param {{key: Point, value: Point, weight: number, middle: Point}} numbers
 */
function putWord({ pull, halo, key, value }, numbers) {
  const [kx, ky] = percent(numbers.key);
  const [vx, vy] = percent(numbers.value);
  const [x2, y2] = percent(numbers.middle);
  const stroke = (10 * numbers.weight).toFixed(2);
  place(pull, { x1: vx, y1: vy, x2, y2, "stroke-width": stroke });
  place(halo, { cx: kx, cy: ky, r: haloOf(numbers.weight).toFixed(2) });
  place(key, { cx: kx, cy: ky });
  place(value, { x: vx - 1.3, y: vy - 1.3 });
}

/** The drawing alone. @param {number} count of the words */
function drawing(count) {
  const words = Array.from({ length: count }, wordShapes);
  const outline = svg("polygon", { class: "sr-hull" });
  const arrow = svg("line", { class: "sr-arrow", x1: 50, y1: 50 });
  const mixture = svg("rect", { class: "sr-mixture", width: 4.6, height: 4.6 });
  const axes = svg("path", { class: "sr-axes", d: "M0 50H100M50 0V100" });
  const all = (/** @type {keyof ReturnType<typeof wordShapes>} */ kind) =>
    words.map((s) => s[kind]);
  const below = [axes, outline, ...all("pull"), ...all("halo"), arrow];
  const above = [...all("key"), ...all("value"), mixture];
  const size = { viewBox: "0 0 100 100", "aria-hidden": "true" };
  return {
    element: svg("svg", size, ...below, ...above),
    /** @param {Results} results @param {Point} query */
    update({ keys, values, weights, mixture: [middle] }, query) {
      words.forEach((shapes, i) =>
        putWord(shapes, { key: keys[i], value: values[i], weight: weights[i][0], middle }),
      );
      const corners = hull(values).map((corner) => percent(corner).join(","));
      const [[mx, my], [qx, qy]] = [percent(middle), percent(query)];
      place(outline, { points: corners.join(" ") });
      place(arrow, { x2: qx, y2: qy });
      place(mixture, { x: mx - 2.3, y: my - 2.3 });
    },
  };
}

/** The plane with its names and the handle. @param {Model} model */
export function plane(model) {
  const hidden = { "aria-hidden": "true" };
  const words = model.get("words");
  const shapes = drawing(words.length);
  const shares = words.map(() => h("span"));
  const labels = words.map((word, i) =>
    h("span", { class: "tl-word sr-label", ...hidden }, word, shares[i]),
  );
  const axes = model.get("features").map((name, i) => {
    const text = i ? `↑ ${name}` : `${name} →`;
    return h("span", { class: i ? "sr-axis sr-up" : "sr-axis sr-across", ...hidden }, text);
  });
  const move = (/** @type {Point} */ point) => assign(model, "query", inside(point));
  const at = (/** @type {MouseEvent} */ event) => pointAt(event, element);
  const handle = queryHandle(model, at, move);
  const onclick = (/** @type {MouseEvent} */ event) => move(at(event));
  const parts = [shapes.element, ...axes, ...labels, handle];
  const element = h("div", { class: "tl-plane sr-plane", onclick }, ...parts);
  return {
    element,
    /** @param {Results} results */
    update(results) {
      results.weights.forEach(([weight], i) => {
        setText(shares[i], weight < 0.005 ? "< 0.01" : weight.toFixed(2));
        put(labels[i], results.keys[i]);
        labels[i].style.setProperty("--halo", `${haloOf(weight).toFixed(2)}%`);
      });
      shapes.update(results, model.get("query"));
      element.classList.toggle("sr-same", model.get("values") === "keys");
      put(handle, model.get("query"));
    },
  };
}
