// @ts-check
// What every figure is built from: elements, numbers as text, and the traits it is drawn from.
// Text goes in by textContent only, so nothing a reader types is ever read as markup.

/**
 * What a figure gets from Jupyter or from host.js: its traits, of the types that `State` lists.
 * @template [State=Record<string, any>]
 * @typedef {{get: <Name extends keyof State>(name: Name) => State[Name],
 *   set: <Name extends keyof State>(name: Name, value: State[Name]) => void, save_changes(): void,
 *   on(event: string, f: () => void): void, off(event: string, f: () => void): void}} Model
 */

// Each script of a page carries its own copy of this file: a bare count would repeat.
const idScope = Math.random().toString(36).slice(2, 10);
let serial = 0;

/** An id that no other control of the page has, for tying labels to controls. */
export function freshId() {
  serial += 1;
  return `tl-${idScope}-${serial}`;
}

/**
 * Make an element: h("p", {class: "note"}, "text", otherElement).
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, unknown>} [attributes] @param {...(Node|string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function")
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === "style")
      element.style.cssText = String(value); // as a strict policy allows
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  // JupyterLab would take arrow keys for its own and move between cells.
  if (["input", "select", "button"].includes(tag)) element.dataset.lmSuppressShortcuts = "true";
  element.append(...children);
  return element;
}

/**
 * Write a number for the eye: 4 decimals at most, a true minus sign, −∞ and NaN by name.
 * @param {number} x @param {number} [digits]
 */
export function format(x, digits = 4) {
  if (Number.isNaN(x)) return "NaN";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  return String(Number(x.toFixed(digits))).replace("-", "−");
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const INFINITE = /^[+-]?(∞|inf|infinity)$/i;

/**
 * The number that a reader typed: with a comma or a point, any minus sign, spaces, as a fraction,
 * "inf"; undefined if it is none.
 * @param {string} text @returns {number | undefined}
 */
export function readNumber(text) {
  const plain = text.replace(/\s/g, "").replace(/[−–]/g, "-").replaceAll(",", ".");
  if (INFINITE.test(plain)) return plain.startsWith("-") ? -Infinity : Infinity;
  const [top, bottom = "1", ...more] = plain.split("/");
  if (more.length || !NUMBER.test(top) || !NUMBER.test(bottom)) return undefined;
  return Number(bottom) === 0 ? undefined : Number(top) / Number(bottom);
}

/** Write a whole number as an exponent. @param {number} count at least 0 */
export function raised(count) {
  return [...String(count)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
}

/** Write a size, which is not negative: 3 digits, with a power of ten where it is small. @param {number} x */
export function power(x) {
  if (x === 0 || x >= 0.001) return format(x, 3);
  const [digits, exponent] = x.toExponential(1).split("e-");
  return `${format(Number(digits), 1)}·10⁻${raised(Number(exponent))}`;
}

/** @param {number[]} vector @param {number} [digits] */
export function formatVector(vector, digits = 4) {
  return `[${vector.map((x) => format(x, digits)).join(", ")}]`;
}

/**
 * Put words into a text that names them in braces, as Python's str.format does.
 * @param {string} text @param {Record<string, string | number>} words
 */
export function fill(text, words) {
  return text.replace(/\{(\w+)\}/g, (_, name) => String(words[name]));
}

/** The names "1", "2", …, one for each item of a list. @param {unknown[]} list */
export function counted(list) {
  return list.map((_, i) => String(i + 1));
}

/**
 * Change the text only where it differs: untouched cells cost no layout.
 * @param {Node} node @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** One row of controls, which wraps where the page is narrow. @param {...Node} parts */
export function controlRow(...parts) {
  return h("div", { class: "tl-controls" }, ...parts);
}

/** What stays in view while a reader scrolls down to the last table. @param {...Node} parts */
export function inView(...parts) {
  return h("div", { class: "tl-in-view" }, ...parts);
}

/**
 * What is folded away. It is drawn when it opens and while it is open: closed, it costs nothing.
 * @param {string} name @param {() => void} draw @param {...Node} parts
 */
export function folded(name, draw, ...parts) {
  const update = () => element.open !== false && draw();
  const element = h("details", { ontoggle: update }, h("summary", {}, name), ...parts);
  return { element, update };
}

/** Tables side by side, one below the other where the page is narrow. @param {...{element: Node}} views */
export function panels(...views) {
  return h("div", { class: "tl-panels" }, ...views.map((view) => view.element));
}

/** A line that is read aloud when it changes. */
export function status() {
  const element = h("p", { class: "tl-status", "aria-live": "polite" });
  /** @param {string} text */
  const say = (text) => setText(element, text);
  return { element, say };
}

/**
 * The named traits as they are now, as one object.
 * @template State @template {keyof State & string} Name
 * @param {Pick<Model<State>, "get">} model @param {Name[]} names
 */
export function stateOf(model, names) {
  const entries = names.map((name) => [name, model.get(name)]);
  return /** @type {Pick<State, Name>} */ (Object.fromEntries(entries));
}

/**
 * Redraw when any of the named traits changes; returns the function that stops it.
 * @template State
 * @param {Model<State>} model @param {(keyof State & string)[]} names @param {() => void} redraw
 */
export function connect(model, names, redraw) {
  for (const name of names) model.on(`change:${name}`, redraw);
  redraw();
  return () => names.forEach((name) => model.off(`change:${name}`, redraw));
}

/**
 * Set one trait from a control and pass it on.
 * @template State @template {keyof State} Name
 * @param {Model<State>} model @param {Name} name @param {State[Name]} value
 */
export function assign(model, name, value) {
  model.set(name, value);
  model.save_changes();
}

/**
 * Set several traits and pass them on in one message: a kernel checks them together.
 * @template State @param {Model<State>} model @param {Partial<State>} state
 */
export function assignAll(model, state) {
  for (const name of /** @type {(keyof State)[]} */ (Object.keys(state)))
    model.set(name, /** @type {State[keyof State]} */ (state[name]));
  model.save_changes();
}

/**
 * Numbers from 0 up to 1 that look random and are the same for the same seed: mulberry32.
 * @param {number} seed @returns {() => number}
 */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
