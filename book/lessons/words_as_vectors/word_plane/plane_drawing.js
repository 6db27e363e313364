// @ts-check
// The drawing of the word plane: a dot for each word, names where there is room, the arrow twice,
// and three handles that move it from word to word.

import { place, svg } from "../../kit/figures/drawing.js";
import { h } from "../../kit/figures/kit.js";
import { nearestTo, stepFrom, WORDS } from "./word_math.js";

/** @typedef {import("./word_math.js").Answers} Answers */
/** @typedef {number[]} Point */
/** @typedef {"above" | "below" | "right" | "left"} Side */

const ROOM = 9; // percent that stay free at the edges
const LETTER = 1.75; // the width of a letter and the height of a line, in percent of a small plane
const LINE = 4.4;
const GAP = 1.7;
const BOLD = 1.4; // how much wider the names of the question are
const ALONG = [0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1]; // places of an arrow that stay free
const RING = 8; // the width of a ring around a word of the question
const STEPS = /** @type {Record<string, Point>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
});
const HANDLES = ["From", "To", "Start"];
const SIDES = /** @type {Side[]} */ (["above", "right", "left", "below"]);

/**
 * How points lie in the drawing, in percent from the left and from the top. Both axes have one
 * scale: a drawing that stretched one of them would turn arrows.
 * @param {Point[]} points
 */
export function frameOf(points) {
  const ends = [0, 1].map((d) => {
    const list = points.map((point) => point[d]);
    return [Math.min(...list), Math.max(...list)];
  });
  const range = Math.max(...ends.map(([low, high]) => high - low), 1e-9);
  const scale = (100 - 2 * ROOM) / range;
  const [x, y] = ends.map(([low, high]) => (low + high) / 2);
  return {
    /** @param {Point} point */
    at: (point) => [50 + (point[0] - x) * scale, 50 - (point[1] - y) * scale],
    /** @param {Point} shares */
    back: ([left, top]) => [x + (left - 50) / scale, y + (50 - top) / scale],
  };
}

/** The middle of a name on one side of its dot. @param {Point} dot @param {number} width @param {Side} side */
function middleOf([x, y], width, side) {
  const across = width / 2 + GAP;
  const up = LINE / 2 + GAP;
  return { above: [x, y - up], below: [x, y + up], right: [x + across, y], left: [x - across, y] }[
    side
  ];
}

/**
 * Whether a name covers a point, or the middle of something as large as `otherWidth` and `height`.
 * @param {{middle: Point, width: number}} name @param {Point} point
 * @param {number} [otherWidth] @param {number} [height]
 */
function covers({ middle, width }, [x, y], otherWidth = 0, height = LINE / 2) {
  const across = Math.abs(middle[0] - x) < (width + otherWidth) / 2;
  return across && Math.abs(middle[1] - y) < height;
}

/**
 * On which side of its dot each name is: not over another name, over as few dots as may be,
 * nor, but for those of the question, over a ring around a word of it or over an arrow.
 * Those that come first in `order` choose first; the first `sure` stand in any case, the next
 * `liked` ones where only dots are in their way, the others where nothing is.
 * @param {Point[]} dots @param {string[]} names @param {number[]} order
 * @param {{sure: number, liked: number}} counts
 * @param {Point[][]} [arrows] from where to where they lead
 * @returns {(Side | undefined)[]}
 */
export function namesThatFit(dots, names, order, { sure, liked }, arrows = []) {
  /** @type {{middle: Point, width: number}[]} */
  const taken = [];
  const rings = order.slice(0, sure).map((i) => ({ middle: dots[i], width: RING }));
  const shafts = arrows.flatMap(([[x1, y1], [x2, y2]]) =>
    ALONG.map((t) => ({
      middle: [x1 + t * (x2 - x1), y1 + t * (y2 - y1)],
      width: Math.abs(x2 - x1) / ALONG.length,
    })),
  );
  /** @type {(Side | undefined)[]} */
  const sides = names.map(() => undefined);
  order.forEach((i, rank) => {
    const width = names[i].length * LETTER * (rank < sure ? BOLD : 1);
    const options = SIDES.map((side) => ({ side, middle: middleOf(dots[i], width, side), width }))
      .filter(({ middle: [x, y] }) => Math.max(Math.abs(x - 50) + width / 2, Math.abs(y - 50)) < 49)
      .map((name) => ({ ...name, hidden: dots.filter((dot) => covers(name, dot)).length }))
      .toSorted((a, b) => a.hidden - b.hidden);
    const inTheWay = [...taken, ...(rank < sure ? [] : [...rings, ...shafts])];
    const free = options.filter(
      (name) => !inTheWay.some((other) => covers(name, other.middle, other.width, LINE)),
    );
    const best = free.find(({ hidden }) => rank < sure + liked || hidden === 0);
    const chosen = best ?? (rank < sure ? options[0] : undefined);
    sides[i] = chosen?.side;
    if (chosen) taken.push(chosen);
  });
  return sides;
}

/** Put an element of the page on a point. @param {HTMLElement} item @param {Point} point */
function put(item, [left, top]) {
  Object.assign(item.style, { left: `${left}%`, top: `${top}%` });
}

/** An arrow of the drawing. @param {string} kind */
function arrow(kind) {
  const [line, head] = [svg("line", { class: kind }), svg("polygon", { class: kind })];
  return {
    parts: [line, head],
    /** @param {Point} from @param {Point} to */
    update([x1, y1], [x2, y2]) {
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [bx, by] = [x2 - 4 * ux, y2 - 4 * uy];
      const corners = [
        [x2, y2],
        [bx - 1.6 * uy, by + 1.6 * ux],
        [bx + 1.6 * uy, by - 1.6 * ux],
      ];
      place(line, { x1, y1, x2: bx, y2: by });
      place(head, { points: corners.map((corner) => corner.join(",")).join(" ") });
    },
  };
}

/**
 * A handle on one of the three words.
 * @param {string} name @param {{at: (event: MouseEvent) => number, follows: () => boolean,
 *   choose: (index: number) => void, step: (direction: Point) => void,
 *   hold: (on: boolean) => void}} does
 */
function handleOf(name, { at, follows, choose, step, hold }) {
  const drag = (/** @type {PointerEvent} */ event) => {
    if (handle.hasPointerCapture(event.pointerId)) choose(at(event));
  };
  const handle = h("button", {
    type: "button",
    class: `wp-handle tl-handle wp-${name.toLowerCase()}`,
    "aria-label": `${name}: drag it to another word or use the arrow keys`,
    onpointerdown: (/** @type {PointerEvent} */ event) => handle.setPointerCapture(event.pointerId),
    ongotpointercapture: () => hold(true),
    onlostpointercapture: () => hold(false),
    onpointermove: (/** @type {PointerEvent} */ event) => follows() && drag(event),
    onpointerup: drag,
    onclick: (/** @type {Event} */ event) => event.stopPropagation(),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (!STEPS[event.key]) return;
      event.preventDefault();
      step(STEPS[event.key]);
    },
  });
  return handle;
}

/** The arrow, the same arrow from the start, and a ring around the answer. */
function arrows() {
  const [step, moved] = [arrow("wp-step"), arrow("wp-moved")];
  const ring = svg("circle", { class: "wp-ring", r: 2.6 });
  const size = { viewBox: "0 0 100 100", "aria-hidden": "true" };
  return {
    element: svg("svg", size, ...step.parts, ...moved.parts, ring),
    /** @param {Point[]} points from, to, start, tip and answer */
    update([from, to, start, tip, [cx, cy]]) {
      step.update(from, to);
      moved.update(start, tip);
      place(ring, { cx, cy });
    },
  };
}

/** Put the dots on their points, with the names that fit. @param {HTMLElement[]} dots @param {Point[]} at @param {Answers} results @param {Point} tip */
function placeWords(dots, at, { three, found, answer }, tip) {
  const named = [...new Set([...three, answer, ...found, ...WORDS.keys()])];
  const sure = new Set([...three, answer]).size;
  const [a, b, c] = three.map((i) => at[i]);
  const counts = { sure, liked: found.length - 1 };
  const sides = namesThatFit(at, WORDS, named, counts, [
    [a, b],
    [c, tip],
  ]);
  dots.forEach((dot, i) => {
    put(dot, at[i]);
    const kinds = ["wp-word", `wp-${sides[i] ?? "unnamed"}`];
    if (found.includes(i)) kinds.push("wp-found");
    if (three.includes(i) || i === answer) kinds.push("wp-chosen");
    if (dot.className !== kinds.join(" ")) dot.className = kinds.join(" "); // else nothing is styled
  });
}

/** The word under the pointer. @param {MouseEvent} event @param {Element} element @param {ReturnType<typeof frameOf>} frame @param {Point[]} points */
function wordUnder(event, element, frame, points) {
  const box = element.getBoundingClientRect();
  const left = (100 * (event.clientX - box.left)) / box.width;
  const top = (100 * (event.clientY - box.top)) / box.height;
  return nearestTo(points, frame.back([left, top]));
}

/**
 * The plane. `choose` puts one of the three handles on a word. While one is dragged no dot moves:
 * the frame stays, and a drawing whose dots depend on the words waits until it is let go.
 * @param {{choose: (which: number, index: number) => void, follows: () => boolean}} does
 */
export function plane({ choose, follows }) {
  const hidden = { "aria-hidden": "true" };
  const names = WORDS.map((word) => h("span", { class: "tl-word wp-name" }, word));
  const dots = names.map((name) => h("span", { class: "wp-word", ...hidden }, name));
  const shapes = arrows();
  let frame = frameOf([[0, 0]]);
  let held = false;
  /** @type {Answers | undefined} */
  let shown;
  /** @type {(event: MouseEvent) => number} */
  const wordAt = (event) => wordUnder(event, element, frame, shown?.points ?? []);
  const handles = HANDLES.map((name, which) =>
    handleOf(name, {
      at: wordAt,
      follows,
      choose: (index) => choose(which, index),
      step: (way) => shown && choose(which, stepFrom(shown.points, shown.three[which], way)),
      hold: (on) => {
        held = on && follows();
        if (!on && shown) update(shown);
      },
    }),
  );
  const onclick = (/** @type {MouseEvent} */ event) => choose(2, wordAt(event));
  const element = h(
    "div",
    { class: "tl-plane wp-plane", onclick },
    shapes.element,
    ...dots,
    ...handles,
  );
  /** @param {Answers} results */
  function update(results) {
    shown = results;
    const { points, target, three, answer } = results;
    if (!held) frame = frameOf([...points, target]);
    const [tip, ...at] = [target, ...points].map(frame.at);
    const [a, b, c] = three;
    placeWords(dots, at, results, tip);
    shapes.update([at[a], at[b], at[c], tip, at[answer]]);
    handles.forEach((handle, which) => put(handle, at[three[which]]));
  }
  return { element, update };
}
