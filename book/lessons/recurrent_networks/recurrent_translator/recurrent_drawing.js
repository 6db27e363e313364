// @ts-check
// The machine unrolled: the encoder's cells go down on the left, the decoder's on the right. Next to it the gradients.

import { place, svg } from "../../kit/figures/drawing.js";
import { power } from "../../kit/figures/kit.js";
import { onTheWay } from "./recurrent_math.js";

/** @typedef {import("./recurrent_math.js").Place} Place */

const [WIDTH, ROW, BOX, TOP] = [360, 30, 30, 40];
const [LEFT, RIGHT] = [104, 226]; // of the cells
const MIDDLE = (LEFT + BOX + RIGHT) / 2;

/** The middle of a row. @param {number} row */
const level = (row) => TOP + row * ROW;

/** A line with a tip at its end, going down. @param {number} x @param {number} from @param {number} to */
const down = (x, from, to) => `M${x} ${from}V${to}m-4 -5l4 5l4 -5`;

/**
 * The cells of one side with their words, and the links from each to the next.
 * @param {string[]} words @param {number} left @param {number} side the side of the words @param {(row: number) => void} choose
 */
function column(words, left, side, choose) {
  const x = left + BOX / 2;
  return words.map((word, row) => {
    const y = level(row);
    const link = svg("path", { class: "rt-link", d: row ? down(x, y - ROW + 11, y - 11) : "" });
    const box = svg("rect", { x: left, y: y - 11, width: BOX, height: 22, rx: 4 });
    const text = svg("text", { x: side, y: y + 4.5, class: "rt-text" }, word);
    const room = svg("rect", { class: "rt-room", y: y - ROW / 2, height: ROW });
    const element = svg("g", { class: "rt-row" }, box, text, room);
    const chosen = () => choose(row);
    room.addEventListener("pointermove", chosen);
    room.addEventListener("click", chosen);
    return { element, link, text, room };
  });
}

/** @typedef {ReturnType<typeof column>[number]} Cell */

/**
 * Light the encoder's cells on a way, and draw the attention of the chosen word.
 * @param {Cell[]} encoder @param {Element[]} looks @param {string[]} source @param {Place} now
 * @param {number[]} weights
 */
function showSource(encoder, looks, source, now, weights) {
  const on = onTheWay(now);
  encoder.forEach(({ element, link, text }, s) => {
    element.classList.toggle("rt-on", on(s));
    element.classList.toggle("rt-chosen", s === now.source);
    link.classList.toggle("rt-on", s > 0 && on(s) && on(s - 1));
    text.textContent = s === now.source ? `▸ ${source[s]}` : source[s];
    place(looks[s], { y1: level(s), y2: level(now.word) });
    place(looks[s], { "stroke-width": (1 + 7 * weights[s]).toFixed(2) });
    looks[s].classList.toggle("rt-hidden", !now.attention);
    looks[s].classList.toggle("rt-on", now.attention && s === now.source);
  });
}

/** Mark the chosen output word. @param {Cell[]} decoder @param {string[]} words @param {Place} now */
function showTarget(decoder, words, now) {
  decoder.forEach(({ element, text }, t) => {
    element.classList.toggle("rt-chosen", t === now.word);
    text.textContent = t === now.word ? `${words[t]} ◂` : words[t];
  });
}

/** The frame of both drawings, whose rows are side by side. @param {string[]} source @param {string[]} words */
function sizeOf(source, words) {
  const height = level(Math.max(source.length, words.length) - 1) + 18;
  const viewBox = `0 0 ${WIDTH} ${height}`;
  return { viewBox, class: "tl-drawing rt-drawing", "aria-hidden": "true" };
}

/**
 * The gradients at the source words as bars, two a word: above without attention, below with it.
 * @param {string[]} source @param {string[]} words @param {string} title
 */
export function reach(source, words, title) {
  const rows = source.map((word, s) => {
    const y = level(s);
    const text = svg("text", { x: LEFT - 8, y: y + 4.5, class: "rt-text" }, word);
    const bars = [0, 1].map((machine) => ({
      bar: svg("rect", {
        class: `rt-bar rt-bar-${machine}`,
        x: LEFT,
        y: y - 11 + 11 * machine,
        height: 10,
      }),
      size: svg("text", { y: y - 2 + 11 * machine, class: "rt-size" }),
    }));
    const parts = bars.flatMap(({ bar, size }) => [bar, size]);
    return { bars, element: svg("g", {}, text, ...parts) };
  });
  const name = svg("text", { x: 0, y: 14, class: "rt-name rt-title" }, title);
  return {
    element: svg("svg", sizeOf(source, words), name, ...rows.map(({ element }) => element)),
    /** @param {number[][]} gradients @param {number} chosen */
    update(gradients, chosen) {
      const longest = Math.max(...gradients.flat());
      rows.forEach(({ bars, element }, s) => {
        element.classList.toggle("rt-chosen", s === chosen);
        bars.forEach(({ bar, size }, machine) => {
          const length = ((WIDTH - LEFT - 50) * gradients[s][machine]) / longest;
          place(bar, { width: length.toFixed(1) });
          place(size, { x: (LEFT + length + 5).toFixed(1) });
          size.textContent = power(gradients[s][machine]);
        });
      });
    },
  };
}

/**
 * The drawing of one sentence. A word that is pointed at is chosen.
 * @param {string[]} source @param {string[]} words
 * @param {{source: (row: number) => void, word: (row: number) => void}} choose
 */
export function unrolled(source, words, choose) {
  const encoder = column(source, LEFT, LEFT - 8, choose.source);
  const decoder = column(words, RIGHT, RIGHT + BOX + 8, choose.word);
  encoder.forEach(({ room }) => place(room, { x: 0, width: LEFT + BOX }));
  decoder.forEach(({ element, room }) => {
    element.classList.add("rt-target");
    place(room, { x: RIGHT, width: WIDTH - RIGHT });
  });
  const bottom = level(source.length - 1);
  const branches = words.map((_, row) => `M${MIDDLE} ${level(row)}H${RIGHT - 2}m-5 -4l5 4l-5 4`);
  const trunkTo = (/** @type {number} */ row) => `M${LEFT + BOX} ${bottom}H${MIDDLE}V${level(row)}`;
  const all = [trunkTo(0), trunkTo(words.length - 1), ...branches].join("");
  const fixed = svg("path", { class: "rt-handed", d: all });
  const handed = svg("path", { class: "rt-handed" });
  const name = svg("text", { x: MIDDLE, y: TOP - 9, class: "rt-name" }, "z*");
  const looks = source.map(() => svg("line", { class: "rt-look", x1: LEFT + BOX, x2: RIGHT }));
  const heads = [
    svg("text", { x: LEFT + BOX / 2, y: 14, class: "rt-name" }, "Encoder"),
    svg("text", { x: RIGHT + BOX / 2, y: 14, class: "rt-name" }, "Decoder"),
  ];
  const links = [...encoder, ...decoder].map(({ link }) => link);
  const rows = [...encoder, ...decoder].map(({ element }) => element);
  return {
    element: svg(
      "svg",
      sizeOf(source, words),
      fixed,
      handed,
      ...looks,
      ...links,
      ...rows,
      name,
      ...heads,
    ),
    /** Show a way. @param {Place} now @param {number[]} weights the attention of the chosen word */
    update(now, weights) {
      showSource(encoder, looks, source, now, weights);
      showTarget(decoder, words, now);
      handed.classList.toggle("rt-on", !now.attention);
      fixed.classList.toggle("rt-hidden", now.attention);
      const reached = now.attention ? 0 : now.word; // with attention, z* is only the first state
      place(handed, { d: `${trunkTo(reached)}${branches[reached]}` });
    },
  };
}
