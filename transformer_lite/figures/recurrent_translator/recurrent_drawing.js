// @ts-check
// The machine unrolled: the encoder's cells go down on the left, the decoder's on the right.

import { place, svg } from "../kit/drawing.js";
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
 * @param {string[]} words @param {number} left @param {number} side where the words stand @param {(row: number) => void} choose
 */
function column(words, left, side, choose) {
  const x = left + BOX / 2;
  return words.map((word, row) => {
    const y = level(row);
    const link = svg("path", { class: "rt-link", d: row ? down(x, y - ROW + 11, y - 11) : "" });
    const box = svg("rect", { x: left, y: y - 11, width: BOX, height: 22, rx: 4 });
    const heat = svg("rect", { class: "rt-heat", y: y - 11, height: 22, rx: 3 });
    const text = svg("text", { x: side, y: y + 4.5, class: "rt-text" }, word);
    const room = svg("rect", { class: "rt-room", y: y - ROW / 2, height: ROW });
    const element = svg("g", { class: "rt-row" }, heat, box, text, room);
    const chosen = () => choose(row);
    room.addEventListener("pointermove", chosen);
    room.addEventListener("click", chosen);
    return { element, link, box, heat, text, room };
  });
}

/** @typedef {ReturnType<typeof column>[number]} Cell */

/**
 * Light the encoder's cells on a way, and draw the attention of the chosen word.
 * @param {Cell[]} encoder @param {Element[]} looks @param {string[]} source @param {Place} now
 * @param {number[]} shares how large each gradient is, of the largest @param {number[]} weights
 */
function showSource(encoder, looks, source, now, shares, weights) {
  const on = onTheWay(now);
  encoder.forEach(({ element, link, text, heat }, s) => {
    element.classList.toggle("rt-on", on.encoder(s));
    element.classList.toggle("rt-chosen", s === now.source);
    link.classList.toggle("rt-on", s > 0 && on.encoder(s) && on.encoder(s - 1));
    place(heat, { "fill-opacity": shares[s].toFixed(3) });
    text.textContent = s === now.source ? `▸ ${source[s]}` : source[s];
    place(looks[s], { y1: level(s), y2: level(now.word) });
    place(looks[s], { "stroke-width": (1 + 7 * weights[s]).toFixed(2) });
    looks[s].classList.toggle("rt-hidden", !now.attention);
    looks[s].classList.toggle("rt-on", now.attention && s === now.source);
  });
}

/** Light the decoder's cells on a way. @param {Cell[]} decoder @param {string[]} words @param {Place} now */
function showTarget(decoder, words, now) {
  const on = onTheWay(now);
  decoder.forEach(({ element, link, text }, t) => {
    element.classList.toggle("rt-on", on.decoder(t));
    element.classList.toggle("rt-chosen", t === now.word);
    link.classList.toggle("rt-on", t > 0 && on.decoder(t));
    text.textContent = t === now.word ? `${words[t]} ◂` : words[t];
  });
}

/**
 * The drawing of one sentence. A word that is pointed at is chosen.
 * @param {string[]} source @param {string[]} words
 * @param {{source: (row: number) => void, word: (row: number) => void}} choose
 */
export function unrolled(source, words, choose) {
  const encoder = column(source, LEFT, LEFT - 8, choose.source);
  const decoder = column(words, RIGHT, RIGHT + BOX + 8, choose.word);
  encoder.forEach(({ heat, room }) => {
    place(heat, { x: 2, width: LEFT - 4 });
    place(room, { x: 0, width: LEFT + BOX });
  });
  decoder.forEach(({ element, heat, room }) => {
    element.classList.add("rt-target");
    place(heat, { x: 0, width: 0 });
    place(room, { x: RIGHT, width: WIDTH - RIGHT });
  });
  const bottom = level(source.length - 1);
  const bend = `M${LEFT + BOX} ${bottom}H${MIDDLE}V${TOP}H${RIGHT - 2}m-5 -4l5 4l-5 4`;
  const handed = svg("path", { class: "rt-handed", d: bend });
  const name = svg("text", { x: MIDDLE, y: TOP - 9, class: "rt-name" }, "z*");
  const looks = source.map(() => svg("line", { class: "rt-look", x1: LEFT + BOX, x2: RIGHT }));
  const heads = [
    svg("text", { x: LEFT + BOX / 2, y: 14, class: "rt-name" }, "Encoder"),
    svg("text", { x: RIGHT + BOX / 2, y: 14, class: "rt-name" }, "Decoder"),
  ];
  const links = [...encoder, ...decoder].map(({ link }) => link);
  const rows = [...encoder, ...decoder].map(({ element }) => element);
  const height = level(Math.max(source.length, words.length) - 1) + 18;
  const size = {
    viewBox: `0 0 ${WIDTH} ${height}`,
    class: "tl-drawing rt-drawing",
    "aria-hidden": "true",
  };
  return {
    element: svg("svg", size, handed, ...looks, ...links, ...rows, name, ...heads),
    /** Show a way. @param {Place} now @param {number[]} shares how large each gradient is, of the largest @param {number[]} weights the attention of the chosen word */
    update(now, shares, weights) {
      showSource(encoder, looks, source, now, shares, weights);
      showTarget(decoder, words, now);
      handed.classList.toggle("rt-on", !now.attention);
    },
  };
}
