// @ts-check
// The map of the walk: the machine as blocks, the encoder above and the decoder below, and the
// stations of the current block of the walk. Each is a button.

import { button } from "../../kit/figures/controls.js";
import { svg } from "../../kit/figures/drawing.js";
import { h, setText } from "../../kit/figures/kit.js";
import shared from "./walk.json" with { type: "json" };
import { STOPS } from "./walk_math.js";

/** @typedef {import("./walk_math.js").Block} Block */
/** @typedef {import("./walk_math.js").Stop} Stop */

const WIDE = "(min-width: 700px)";
/** How far a key goes. @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** What a block is called: its name, with its layer where it has one. @param {Block} block */
function blockName({ name, layer }) {
  return layer ? `layer ${layer}, ${name}` : name;
}

/** Which part of the machine a stop belongs to, in words. @param {Stop} stop */
export function partName({ block }) {
  const lanes = /** @type {Record<string, string>} */ (shared.lanes);
  return `${lanes[block.lane].toLowerCase()}, ${blockName(block)}`;
}

/** One lane: its blocks in their order. @param {string} lane @param {(block: Block) => HTMLElement} drawn */
function laneOf(lane, drawn) {
  const blocks = /** @type {Block[]} */ (shared.blocks).filter((block) => block.lane === lane);
  const items = blocks.map((block) => h("li", {}, drawn(block)));
  const name = /** @type {Record<string, string>} */ (shared.lanes)[lane];
  return h("div", { class: `wk-lane wk-${lane}` }, h("b", {}, name), h("ol", {}, ...items));
}

/** The way of the memory, from the end of the encoder to the cross-attention below it. */
function memoryWay() {
  const size = { viewBox: "0 0 9 1", preserveAspectRatio: "none", "aria-hidden": "true" };
  return svg("svg", { ...size, class: "wk-way" }, svg("path", { d: "M8.5 0V.5H5.5V1" }));
}

/** A block as a button. @param {Block} block @param {(id: string) => void} go */
function blockButton(block, go) {
  const first = STOPS.findIndex((stop) => stop.block === block);
  const layer = block.layer ? [h("small", {}, String(block.layer)), " "] : [];
  const label = { "aria-label": blockName(block), class: `wk-block wk-${block.kind}` };
  const one = button("", () => go(STOPS[first].id), label);
  one.append(...layer, block.name);
  return one;
}

/** The stations of the block of a stop, as buttons. @param {Stop} here @param {(id: string) => void} go */
function stationsOf(here, go) {
  const stops = STOPS.filter(({ block }) => block === here.block);
  return stops.map((stop) => {
    const one = button(stop.station.name, () => go(stop.id));
    mark(one, stop === here);
    return h("li", {}, one);
  });
}

/**
 * The map; `go` gets the id of the chosen station, `move` by how many a key moves on.
 * @param {(id: string) => void} go @param {(by: number) => void} move
 * @param {HTMLElement} beside the element next to the stations
 */
export function walkMap(go, move, beside) {
  /** @type {Map<Block, HTMLElement>} */
  const blocks = new Map();
  const drawn = (/** @type {Block} */ block) => {
    blocks.set(block, blockButton(block, go));
    return /** @type {HTMLElement} */ (blocks.get(block));
  };
  const [encoder, decoder] = Object.keys(shared.lanes).map((lane) => laneOf(lane, drawn));
  const here = h("summary");
  const fold = h(
    "details",
    { class: "wk-fold" },
    here,
    h("div", { class: "wk-machine" }, encoder, memoryWay(), decoder),
  );
  fold.open = globalThis.matchMedia?.(WIDE).matches ?? true;
  const inner = h("ol", { class: "wk-inner" });
  const row = h("div", { class: "wk-go tl-acts" }, inner, beside);
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    const by = STEPS[event.key];
    if (!by || !(/** @type {Element} */ (event.target).closest("button"))) return;
    event.preventDefault();
    event.stopPropagation();
    move(by);
    /** @type {HTMLElement | null} */ (inner.querySelector("[aria-current]"))?.focus();
  };
  const element = h("nav", { class: "wk-map", "aria-label": "Stations", onkeydown }, fold, row);
  return {
    element,
    /** @param {number} at the place of the station @param {boolean} once whether the encoder rests */
    update(at, once) {
      const { block } = STOPS[at];
      for (const [one, lit] of blocks) mark(lit, one === block);
      encoder.classList.toggle("wk-rests", once);
      element.classList.toggle("wk-crosses", block.kind === "cross");
      setText(here, `Map · ${partName(STOPS[at])}`);
      inner.replaceChildren(...stationsOf(STOPS[at], go));
    },
  };
}

/** Mark a button as the position in the walk, or not. @param {HTMLElement} button @param {boolean} lit */
function mark(button, lit) {
  if (lit) button.setAttribute("aria-current", "step");
  else button.removeAttribute("aria-current");
}
