// @ts-check
// The drawings of the position map: clocks, and the picture of all rows.

import { place, svg } from "../../kit/figures/drawing.js";
import { h, setText } from "../../kit/figures/kit.js";
import { frequencies, sinusoid } from "../../kit/figures/math.js";
import shared from "./position_map.json" with { type: "json" };

/** The way of a hand from one angle to another, winding outwards. @param {number} from @param {number} turn */
export function spiral(from, turn) {
  const count = Math.max(1, Math.ceil(Math.abs(turn) / 0.1));
  const point = (/** @type {number} */ i) => {
    const [angle, radius] = [from + (turn * i) / count, 13 + (1.1 * Math.abs(turn) * i) / count];
    return `${(radius * Math.sin(angle)).toFixed(2)} ${(-radius * Math.cos(angle)).toFixed(2)}`;
  };
  return `M${Array.from({ length: count + 1 }, (_, i) => point(i)).join("L")}`;
}

/** The face of a clock. */
function face() {
  const ticks = [0, 90, 180, 270].map((turn) =>
    svg("path", { d: "M0 -46V-49", transform: `rotate(${turn})` }),
  );
  return svg("g", { class: "tl-face" }, svg("circle", { r: 46 }), ...ticks);
}

/** A clock: its face, two hands and the turn between them. */
export function clock() {
  const square = svg("rect", { x: -4, y: -40, width: 8, height: 8 });
  const dot = svg("circle", { cy: -40, r: 4.5 });
  const there = svg("g", { class: "tl-there" }, svg("line", { y2: -33 }), square);
  const here = svg("g", { class: "tl-here" }, svg("line", { y2: -36 }), dot);
  const arc = svg("path", { class: "tl-turn" });
  const name = h("span");
  const drawing = svg("svg", { viewBox: "-50 -50 100 100" }, face(), arc, there, here);
  return {
    element: h("div", { class: "tl-clock" }, drawing, name),
    /** @param {number} pair @param {number} speed @param {number} position @param {number} offset */
    update(pair, speed, position, offset) {
      const degrees = 180 / Math.PI;
      place(here, { transform: `rotate(${(position * speed * degrees).toFixed(2)})` });
      place(there, { transform: `rotate(${((position + offset) * speed * degrees).toFixed(2)})` });
      place(arc, { d: spiral(position * speed, offset * speed) });
      setText(name, `pair ${pair}`);
    },
  };
}

/**
 * The wave of each entry, down its column; nothing where the columns are too narrow for it.
 * @param {number} width
 */
function waves(width) {
  if (width > shared.waves) return "";
  const [speeds, points] = [
    frequencies(width),
    Array.from({ length: 4 * shared.rows }, (_, i) => i / 4),
  ];
  const rows = points.map((p) => sinusoid(p, speeds));
  return speeds
    .flatMap((_, r) => [2 * r, 2 * r + 1])
    .map((i) => `M${rows.map((row, k) => `${across(i, row[i])} ${points[k] + 0.5}`).join("L")}`)
    .join("");
}

/** Where a number lies in its column. @param {number} column @param {number} x */
const across = (column, x) => (column + 0.5 + 0.42 * x).toFixed(3);

/** A dot for each number of a row: a line without length, round by its cap. @param {number[]} row @param {number} place */
function dots(row, place) {
  if (row.length > shared.waves / 2) return "";
  return row.map((x, i) => `M${across(i, x)} ${place + 0.5}h0`).join("");
}

/** The picture of all rows with their waves, and a line through both positions. */
export function map() {
  const canvas = h("canvas", { height: shared.rows });
  const labels = { here: h("span"), there: h("span") };
  const lines = {
    here: h("div", { class: "tl-map-row tl-here" }, labels.here),
    there: h("div", { class: "tl-map-row tl-there" }, labels.there),
  };
  const wave = svg("path", { class: "tl-wave" });
  const marks = {
    here: svg("path", { class: "tl-dots tl-here" }),
    there: svg("path", { class: "tl-dots tl-there" }),
  };
  const drawing = svg("svg", { preserveAspectRatio: "none" }, wave, marks.there, marks.here);
  const plot = h("div", { class: "tl-map-plot" }, canvas, lines.there, lines.here, drawing);
  let drawn = 0;
  return {
    element: h("div", { class: "tl-map", "aria-hidden": "true" }, plot),
    /** @param {number[][]} table @param {number} position @param {number} offset */
    update(table, position, offset) {
      const width = table[0].length;
      if (drawn !== width) {
        drawn = paint(canvas, table);
        place(drawing, { viewBox: `0 0 ${width} ${shared.rows}` });
        place(wave, { d: waves(width) });
      }
      for (const [name, row] of /** @type {const} */ ([
        ["here", position],
        ["there", position + offset],
      ])) {
        lines[name].style.top = `${(100 * (row + 0.5)) / shared.rows}%`;
        place(marks[name], { d: dots(table[row], row) });
        setText(labels[name], `${name === "here" ? "p" : "p+n"} = ${row}`);
      }
    },
  };
}

/** The pictures of tables that were asked for. @type {Map<number[][], ImageData>} */
const pictures = new Map();

/** One pixel a number: blue above 0, orange below, clear at 0. @param {CanvasRenderingContext2D} context @param {number[][]} table */
function pictureOf(context, table) {
  const image = context.createImageData(table[0].length, table.length);
  const pixels = new DataView(image.data.buffer);
  table.flat().forEach((x, i) => {
    const color = x < 0 ? 0xe06e1400 : 0x0072b200;
    pixels.setUint32(4 * i, color + Math.round(255 * Math.abs(x)));
  });
  return image;
}

/** @param {HTMLCanvasElement} canvas @param {number[][]} table */
function paint(canvas, table) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = pictures.get(table) ?? pictureOf(context, table);
  pictures.set(table, image);
  canvas.width = table[0].length;
  context.putImageData(image, 0, 0);
  canvas.classList.toggle("tl-coarse", canvas.width <= 64);
  return canvas.width;
}
