// @ts-check
// The drawing of the machine: the encoder's boxes on the left, the decoder's on the right, from the
// bottom to the top. One box is lit.

import { svg } from "../../kit/figures/drawing.js";
import shared from "./machine_steps.json" with { type: "json" };

/** @typedef {import("./machine_trace.js").Place} Place */

const [WIDTH, BOX, HIGH, GAP, APART] = [300, 126, 20, 3, 9];
const LEFT = { encoder: 4, decoder: 158 };
const BOTTOM = 336;

/** Which box a step belongs to. @param {Place} place */
const boxOf = ({ part, kind, layer }) => `${part} ${kind} ${layer}`;

/** A line with a tip. @param {string} path */
const line = (path) => svg("path", { d: path, class: "ms-line" });

/** The boxes of one stack, in the order in which they are passed. @param {Place[]} places one pass */
function stack(places) {
  let y = BOTTOM;
  let above = places[0].layer;
  return places.map((place, i) => {
    const inner = i > 0 && i < places.length - 1;
    y -= HIGH + (i > 0 && (!inner || place.layer !== above || i === 1) ? APART : GAP);
    above = place.layer;
    const x = LEFT[place.part];
    const rect = svg("rect", { x, y, width: BOX, height: HIGH, rx: 4 });
    const name = /** @type {Record<string, string>} */ (shared.parts)[place.kind];
    const words = svg("text", { x: x + BOX / 2, y: y + 14.5 }, name);
    const element = svg("g", { class: `ms-box ms-${place.kind}` }, rect, words);
    return { place, x, y, element, words, name };
  });
}

/** The number of a layer next to its boxes. @param {ReturnType<typeof stack>} boxes @param {number} layer @param {number} side */
function layerName(boxes, layer, side) {
  const inside = boxes.slice(1, -1).filter(({ place }) => place.layer === layer);
  const y = (inside[0].y + HIGH + inside[inside.length - 1].y) / 2 + 4;
  return svg("text", { x: inside[0].x + side, y, class: "ms-layer" }, String(layer + 1));
}

/** The way of the memory to the cross-attentions. @param {ReturnType<typeof stack>} encoder @param {ReturnType<typeof stack>} decoder */
function memoryLines(encoder, decoder) {
  const from = encoder[encoder.length - 1];
  const middle = (LEFT.encoder + BOX + LEFT.decoder) / 2 + 3;
  const out = `M${LEFT.encoder + BOX} ${from.y + HIGH / 2}H${middle}`;
  return decoder
    .filter(({ place }) => place.kind === "cross")
    .map(({ y }) => line(`${out}V${y + HIGH / 2}H${LEFT.decoder - 3}m-6 -4l6 4l-6 4`));
}

/** @param {Place[]} reading the steps of one pass through the encoder @param {Place[]} writing and the decoder */
export function machine(reading, writing) {
  const [encoder, decoder] = [stack(reading), stack(writing)];
  const boxes = [...encoder, ...decoder];
  const top = Math.min(...boxes.map(({ y }) => y)) - 26;
  const names = [
    svg(
      "text",
      { x: LEFT.encoder + BOX / 2, y: encoder[encoder.length - 1].y - 8, class: "ms-name" },
      "Encoder",
    ),
    svg(
      "text",
      { x: LEFT.decoder + BOX / 2, y: decoder[decoder.length - 1].y - 8, class: "ms-name" },
      "Decoder",
    ),
  ];
  const count = (/** @type {typeof encoder} */ list) =>
    Math.max(...list.map(({ place }) => place.layer)) + 1;
  const layers = [
    ...Array.from({ length: count(encoder) }, (_, i) => layerName(encoder, i, BOX + 8)),
    ...Array.from({ length: count(decoder) }, (_, i) => layerName(decoder, i, BOX + 8)),
  ];
  const lines = memoryLines(encoder, decoder);
  const drawn = [...lines, ...boxes.map(({ element }) => element), ...names, ...layers];
  const size = { viewBox: `0 ${top} ${WIDTH} ${BOTTOM - top + 4}`, class: "tl-drawing ms-drawing" };
  return {
    element: svg("svg", { ...size, "aria-hidden": "true" }, ...drawn),
    /** Light the box of a step; what lies behind it in the same pass stays marked. @param {Place} now */
    update(now) {
      const lit = boxes.findIndex(({ place }) => boxOf(place) === boxOf(now));
      boxes.forEach(({ element, words, name, place }, i) => {
        element.classList.toggle("ms-lit", i === lit);
        const passed = place.part === now.part ? i < lit : place.part === "encoder";
        element.classList.toggle("ms-passed", passed);
        words.textContent = i === lit ? `▸ ${name}` : name;
      });
      lines.forEach((path) => path.classList.toggle("ms-flow", now.kind === "cross"));
    },
  };
}
