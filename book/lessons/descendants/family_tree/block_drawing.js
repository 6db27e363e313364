// @ts-check
// The block of a model, drawn from its parts from the bottom to the top; what is new is marked.

import { svg } from "../../kit/figures/drawing.js";
import { isNew, kindOf } from "./tree_math.js";

/** @typedef {import("./tree_math.js").Stored} Stored */
/** @typedef {import("./tree_math.js").Part} Part */
/** @typedef {{text: string, parts?: Part[]}} Line */
/** @typedef {{kind: string, lines: Line[], mask?: string, squares?: boolean, word?: string, y: number, high: number}} Item */

const [WIDTH, HEIGHT] = [340, 514];
const LEADING = 14.5;
const CELL = 6.5;
// Which of 4 × 4 places are open: all, those so far, the last two so far.
/** @type {Record<string, (i: number, j: number) => boolean>} */
const OPEN = { all: () => true, back: (i, j) => j <= i, window: (i, j) => j <= i && j > i - 2 };

/** @param {string} kind @param {Line[]} lines @param {Partial<Item>} [more] @returns {Item} */
function item(kind, lines, more = {}) {
  const least = { plus: 17, norm: 25, frame: 0 }[kind] ?? 30;
  const high = Math.max(least, 11 + LEADING * lines.length + (more.squares ? 13 : 0));
  return { kind, lines, y: 0, high: kind === "plus" ? least : high, ...more };
}

/** The lines of an attention. @param {Stored} model @param {string} mask @returns {Line[]} */
function attentionLines(model, mask) {
  const [heads, stores] = model.heads;
  const several = stores === heads ? `${heads} heads` : `${heads} heads, ${stores} for keys`;
  const inside = { rotary: "rotary positions", learned: "distances" };
  const positions = kindOf(model, "positions");
  const word = /** @type {keyof typeof inside} */ (positions.split(/,? /)[0]);
  /** @type {Line[]} */
  const lines = [{ text: "attention" }, { text: several, parts: ["attention"] }];
  if (kindOf(model, "attention").endsWith("normalized"))
    lines.push({ text: "QK-norm", parts: ["attention"] });
  if (!positions.endsWith("added")) lines.push({ text: inside[word], parts: ["positions"] });
  if (mask === "window" || isNew(model, "reach"))
    lines.push({ text: `${kindOf(model, "reach")} keys`, parts: ["reach"] });
  return lines;
}

/** The items of one layer. @param {Stored} model @param {boolean} writes @param {boolean} crosses */
function layerItems(model, writes, crosses) {
  const front = kindOf(model, "place").startsWith("in front");
  const moved = isNew(model, "place") && !isNew(model, "norm");
  const norm = () =>
    item("norm", [{ text: kindOf(model, "norm"), parts: ["norm", "place"] }], {
      word: moved ? "moved" : "new",
    });
  const mask = !writes ? "all" : model.window ? "window" : "back";
  const lines = attentionLines(model, mask);
  const inner = /** @type {Line[]} */ ([{ text: "feed-forward" }]);
  inner.push({ text: kindOf(model, "network"), parts: ["network"] });
  const squares = kindOf(model, "experts").includes(" of ");
  if (squares) inner.push({ text: `${kindOf(model, "experts")} experts`, parts: ["experts"] });
  const sight = [item("attention", lines, { mask })];
  if (crosses)
    sight.push(item("attention cross", [{ text: "attention" }, { text: "to the encoder" }]));
  return [...sight, item("network", inner, { squares })].flatMap((part) => {
    const plus = item("plus", [{ text: "+" }]);
    return front ? [norm(), part, plus] : [part, plus, norm()];
  });
}

/** The lines of the embedding. @param {Stored} model @returns {Line[]} */
function inputLines(model) {
  const positions = kindOf(model, "positions");
  const lines = /** @type {Line[]} */ ([{ text: kindOf(model, "input"), parts: ["input"] }]);
  const added = { sines: "+ sines", learned: "+ learned positions" };
  const word = /** @type {keyof typeof added} */ (positions.split(",")[0]);
  if (positions.endsWith("added")) lines.push({ text: added[word], parts: ["positions"] });
  return lines;
}

/** A small table of who sees whom, one shape for all open places and one for the others. @param {string} mask @param {number} x @param {number} y */
function maskIcon(mask, x, y) {
  const paths = { "ft-open": "", "ft-shut": "" };
  for (let at = 0; at < 16; at += 1) {
    const [i, j] = [Math.floor(at / 4), at % 4];
    const cell = `M${x + j * CELL} ${y + i * CELL}h${CELL}v${CELL}h${-CELL}z`;
    paths[OPEN[mask](i, j) ? "ft-open" : "ft-shut"] += cell;
  }
  return svg("g", {}, ...Object.entries(paths).map(([look, d]) => svg("path", { d, class: look })));
}

/** The experts of a layer; those that a token takes are filled. @param {number} middle @param {number} y */
function expertSquares(middle, y) {
  const all = Array.from({ length: 8 }, (_, i) => {
    const place = { x: middle - 50 + 12.7 * i, y, width: 10, height: 9, rx: 2 };
    return svg("rect", { ...place, class: [1, 5].includes(i) ? "ft-open" : "ft-shut" });
  });
  return svg("g", {}, ...all);
}

/** A word at the corner of a box. @param {string} word @param {number} x @param {number} y */
function flag(word, x, y) {
  const width = word === "new" ? 32 : 48;
  const pill = svg("rect", { x: x - width, y: y - 8, width, height: 16, rx: 8 });
  return svg("g", { class: "ft-flag" }, pill, svg("text", { x: x - width / 2, y: y + 4 }, word));
}

/** One box with its words. @param {Stored} model @param {Item} part @param {number} x @param {number} width @param {number} order */
function drawItem(model, part, x, width, order) {
  const { kind, lines, mask, squares, y, high, word = "new" } = part;
  const middle = x + width / 2;
  const fresh = lines.some(({ parts = [] }) => parts.some((name) => isNew(model, name)));
  const look = { class: `ft-part ft-${kind}${fresh ? " ft-fresh" : ""}`, style: `--i:${order}` };
  if (kind === "plus") {
    const ring = svg("circle", { cx: middle, cy: y + high / 2, r: high / 2 });
    return svg("g", look, ring, svg("text", { x: middle, y: y + high / 2 + 5 }, "+"));
  }
  const centre = mask ? middle + 15 : middle;
  const first = y + (high - LEADING * lines.length - (squares ? 13 : 0)) / 2 + 11.5;
  const words = lines.map(({ text, parts = [] }, i) => {
    const kinds = [i === 0 && lines.length > 1 && "ft-title"];
    if (parts.some((name) => isNew(model, name))) kinds.push("ft-new");
    const place = { x: centre, y: first + LEADING * i };
    return svg("text", { ...place, class: kinds.filter(Boolean).join(" ") }, text);
  });
  const box = svg("rect", { x, y, width, height: high, rx: 6 });
  const icons = mask ? [maskIcon(mask, x + 8, y + high / 2 - 2 * CELL)] : [];
  if (squares) icons.push(expertSquares(middle, y + high - 16));
  return svg("g", look, box, ...icons, ...words, ...(fresh ? [flag(word, x + width - 2, y)] : []));
}

/** Lines from box to box, and around each part to its sum. @param {Item[]} items @param {Item[]} layer @param {number} middle @param {number} right */
function lines(items, layer, middle, right) {
  const straight = items.slice(1).map((above, i) => {
    const end = above.y + above.high;
    const tip = items[i].y - end > 12 ? "m-3.5 5l3.5 -5l3.5 5" : "";
    return `M${middle} ${items[i].y}V${end + 1}${tip}`;
  });
  const sums = layer.filter(({ kind }) => kind === "plus");
  let start = layer[0].y + layer[0].high + 6;
  const around = sums.map((sum) => {
    const end = sum.y + sum.high / 2;
    const path = `M${middle} ${start}H${right - 5}q5 0 5 -5V${end + 5}q0 -5 -5 -5H${middle + sum.high / 2 + 1}`;
    const above = layer[layer.indexOf(sum) + 1];
    const behind = above?.kind === "norm" && layer[0].kind !== "norm" ? above : sum;
    start = behind.y - 5;
    return path;
  });
  return [
    svg("path", { d: straight.join(""), class: "ft-line" }),
    svg("path", { d: around.join(""), class: "ft-line ft-skip" }),
  ];
}

/** One stack. @param {Stored} model @param {boolean} writes @param {number} x @param {number} width */
function stack(model, writes, x, width) {
  const both = model.layers.every((count) => count > 0);
  const roomy = both ? 9 : 13;
  const layer = layerItems(model, writes, writes && both);
  const end = kindOf(model, "place").startsWith("in front")
    ? [item("norm", [{ text: kindOf(model, "norm"), parts: ["norm", "place"] }])]
    : [];
  const output = /** @type {Line[]} */ ([{ text: kindOf(model, "output"), parts: ["output"] }]);
  if (writes || !both) end.push(item("output", output));
  const items = [item("input", inputLines(model)), ...layer, ...end];
  let y = HEIGHT - 4;
  items.forEach((part, i) => {
    const edge = part === layer[0] ? 9 : part === end[0] ? 24 : 0;
    y -= part.high + (i > 0 ? roomy + edge : 0);
    part.y = y;
  });
  const top = layer[layer.length - 1].y - 10 - roomy / 2;
  const bottom = layer[0].y + layer[0].high + 9;
  return { items, layer, x, width, writes, top, bottom, crown: end.length > 0 ? y - 9 : top - 5 };
}

/** A stack's frame, lines, boxes and words. @param {Stored} model @param {ReturnType<typeof stack>} part */
function drawStack(model, { items, layer, x, width, writes, top, bottom, crown }) {
  const [left, wide] = [x + 5, width - 20];
  const middle = left + wide / 2;
  const frame = { x, y: top, width, height: bottom - top, rx: 9, class: "ft-frame" };
  const count = model.layers[writes ? 1 : 0];
  const side = { x: x + width, y: top - 5 };
  const marked = (/** @type {Part} */ name, /** @type {string} */ text) =>
    isNew(model, name) ? `● ${text}` : text;
  const look = (/** @type {Part} */ name, /** @type {string} */ kind) =>
    isNew(model, name) ? `${kind} ft-new` : kind;
  const half = marked("halves", writes ? "decoder" : "encoder");
  const words = [
    svg("text", { x: x + 3, y: top - 5, class: "ft-times" }, `× ${count}`),
    svg("text", { x: middle, y: crown, class: look("halves", "ft-name") }, half),
  ];
  if (kindOf(model, "biases") === "none")
    words.push(
      svg("text", { ...side, class: look("biases", "ft-bias") }, marked("biases", "no biases")),
    );
  const boxes = items.map((part, i) => drawItem(model, part, left, wide, i));
  return [svg("rect", frame), ...lines(items, layer, middle, x + width - 7), ...boxes, ...words];
}

/** The way from the encoder's end to the attention that looks at it. @param {ReturnType<typeof stack>} encoder @param {ReturnType<typeof stack>} decoder */
function crossing(encoder, decoder) {
  const from = encoder.items[encoder.items.length - 1];
  const to = /** @type {Item} */ (decoder.items.find(({ kind }) => kind.endsWith("cross")));
  const [x, y] = [encoder.x + encoder.width - 15, from.y + from.high / 2];
  const tip = decoder.x + 4;
  return svg("path", {
    d: `M${x} ${y}H${tip - 10}V${to.y + to.high / 2}H${tip}m-5 -4l5 4l-5 4`,
    class: "ft-line ft-cross",
  });
}

/** The drawing of a model, and where it begins from above. @param {Stored} model */
function drawBlock(model) {
  const [reads, writes] = model.layers.map((count) => count > 0);
  if (!(reads && writes)) {
    const one = stack(model, writes, 59, 222);
    return { shapes: drawStack(model, one), top: one.crown - 14 };
  }
  const [encoder, decoder] = [stack(model, false, 2, 162), stack(model, true, 177, 162)];
  const shapes = [...drawStack(model, encoder), ...drawStack(model, decoder)];
  return { shapes: [...shapes, crossing(encoder, decoder)], top: 0 };
}

/** The room for the drawing; its table says the same in words. */
export function block() {
  const size = {
    class: "tl-drawing ft-drawing",
    "aria-hidden": "true",
  };
  const element = svg("svg", size);
  /** A model that comes again is not drawn again. @type {Map<Stored, ReturnType<typeof drawBlock>>} */
  const made = new Map();
  return {
    element,
    /** @param {Stored} model */
    update(model) {
      const drawn = made.get(model) ?? drawBlock(model);
      made.set(model, drawn);
      const { shapes, top } = drawn;
      element.setAttribute("viewBox", `0 ${top} ${WIDTH} ${HEIGHT - top}`);
      element.replaceChildren(...shapes);
    },
  };
}
