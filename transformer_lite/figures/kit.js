// @ts-check
// What every figure is built from: elements, native controls and tables of numbers.
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
    if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
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

/** @param {number[]} vector @param {number} [digits] */
export function formatVector(vector, digits = 4) {
  return `[${vector.map((x) => format(x, digits)).join(", ")}]`;
}

/** Change the text only where it differs: untouched cells cost no layout. @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** What each cell shows. A cell that does not change costs nothing. @type {WeakMap<Element, string>} */
const shown = new WeakMap();

/**
 * Show one number in a table cell: its text, its full precision, its shade among `largest`.
 * @param {HTMLTableCellElement} cell @param {number} value @param {number} largest
 * @param {(x: number) => string} [write]
 */
export function showNumber(cell, value, largest, write = format) {
  const heat = (Number.isFinite(value) ? Math.abs(value) / largest : 0).toFixed(3);
  if (shown.get(cell) === `${value} ${heat}`) return;
  shown.set(cell, `${value} ${heat}`);
  setText(cell, write(value));
  cell.dataset.value = String(value);
  cell.style.setProperty("--heat", heat);
  cell.classList.toggle("tl-off", value === -Infinity);
  cell.classList.toggle("tl-nan", Number.isNaN(value));
  cell.classList.toggle("tl-negative", value < 0 && Number.isFinite(value));
}

/**
 * A table of numbers with row and column names. Shading shows size, the text shows the number.
 * @param {{caption: string, rows: number, columns: number, kind?: string, write?: (x: number) => string}} shape
 */
export function matrix({ caption, rows, columns, kind = "", write = format }) {
  /** @type {HTMLTableCellElement[][]} */
  const cells = [];
  /** @type {HTMLTableCellElement[]} */
  const rowNames = [];
  const body = h("tbody");
  const columnNames = Array.from({ length: columns }, () => h("th", { scope: "col" }));
  for (let i = 0; i < rows; i += 1) {
    rowNames.push(h("th", { scope: "row" }));
    cells.push(Array.from({ length: columns }, () => h("td")));
    body.append(h("tr", {}, rowNames[i], ...cells[i]));
  }
  const captionNode = h("caption", {}, caption);
  const table = h("table", { class: `tl-matrix ${kind}` }, captionNode,
    h("thead", {}, h("tr", {}, h("td"), ...columnNames)), body);
  return {
    element: h("div", { class: "tl-matrix-box" }, table),
    caption: captionNode,
    cells,
    /** @param {number[][]} values @param {string[]} names @param {string[]} heads @param {number} [selected] */
    update(values, names, heads, selected = -1) {
      const largest = Math.max(1e-9, ...values.flat().filter(Number.isFinite).map(Math.abs));
      heads.forEach((name, j) => setText(columnNames[j], name));
      values.forEach((row, i) => {
        setText(rowNames[i], names[i]);
        body.rows[i].classList.toggle("tl-selected", i === selected);
        row.forEach((value, j) => showNumber(cells[i][j], value, largest, write));
      });
    },
  };
}

/**
 * A slider with its value beside it, which `text` writes for the eye.
 * @param {{label: string, min: number, max: number, step: number, oninput: (x: number) => void,
 *   text?: (x: number) => string}} spec
 */
export function slider({ label, min, max, step, oninput, text = (x) => format(x, 5) }) {
  const id = freshId();
  const output = h("output", { for: id });
  const input = h("input", { type: "range", id, min, max, step,
    oninput: () => oninput(Number(input.value)) });
  return {
    element: h("div", { class: "tl-control" }, h("label", { for: id }, label), input, output),
    input,
    /** @param {number} value */
    update(value) {
      if (Number(input.value) !== value) input.value = String(value);
      setText(output, text(value));
      input.setAttribute("aria-valuetext", text(value));
    },
  };
}

/**
 * A menu of which one line is picked.
 * @param {{label: string, options: string[], onchange: (index: number) => void}} spec
 */
export function menu({ label, options, onchange }) {
  const id = freshId();
  const input = h("select", { id, onchange: () => onchange(input.selectedIndex) },
    ...options.map((text) => h("option", {}, text)));
  return {
    element: h("div", { class: "tl-control" }, h("label", { for: id }, label), input),
    input,
    /** @param {number} index */
    update(index) { input.selectedIndex = index; },
  };
}

/** A checkbox. @param {{label: string, onchange: (on: boolean) => void}} spec */
export function toggle({ label, onchange }) {
  const id = freshId();
  const input = h("input", { type: "checkbox", id, onchange: () => onchange(input.checked) });
  return {
    element: h("div", { class: "tl-control" }, input, h("label", { for: id }, label)),
    input,
    /** @param {boolean} on */
    update(on) { input.checked = on; },
  };
}

/**
 * A group of radio buttons; arrow keys move within it.
 * @param {{legend: string, options: string[], onchange: (index: number) => void}} spec
 */
export function choice({ legend, options, onchange }) {
  const name = freshId();
  /** @type {HTMLInputElement[]} */
  const inputs = [];
  /** @type {HTMLLabelElement[]} */
  const labels = [];
  options.forEach((text, index) => {
    const id = freshId();
    inputs.push(h("input", { type: "radio", id, name, onchange: () => onchange(index) }));
    labels.push(h("label", { for: id }, text));
  });
  return {
    element: h("fieldset", { class: "tl-choice" }, h("legend", {}, legend),
      ...inputs.map((input, i) => h("span", { class: "tl-option" }, input, labels[i]))),
    inputs,
    labels,
    /** @param {number} index */
    update(index) { inputs.forEach((input, i) => { input.checked = i === index; }); },
  };
}

/**
 * A box for one number. What is no number in range is refused in words and changes nothing.
 * @param {{label: string, min: number, max: number, step: number,
 *   oninput: (x: number) => void, onerror: (message: string) => void}} spec
 */
export function numberBox({ label, min, max, step, oninput, onerror }) {
  const input = h("input", { type: "text", inputmode: "decimal", class: "tl-number",
    "aria-label": label, autocomplete: "off", spellcheck: "false" });
  input.addEventListener("input", () => {
    const value = Number(input.value.replace("−", "-").replace(",", "."));
    const good = input.value.trim() !== "" && value >= min && value <= max;
    input.setAttribute("aria-invalid", String(!good));
    if (good) oninput(value);
    else onerror(`${label} must be a number from ${format(min)} to ${format(max)}, got “${input.value}”.`);
  });
  input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const value = Number(input.value.replace("−", "-")) + way * step;
    if (Number.isFinite(value)) oninput(Math.min(max, Math.max(min, Number(value.toFixed(6)))));
  });
  return {
    element: input,
    input,
    /** @param {number} value */
    update(value) {
      if (Number(input.value.replace("−", "-").replace(",", ".")) === value && input.value.trim() !== "") return;
      input.value = format(value, 6);
      input.setAttribute("aria-invalid", "false");
    },
  };
}

/** One row of controls, which wraps where the page is narrow. @param {...Node} parts */
export function controlRow(...parts) {
  return h("div", { class: "tl-controls" }, ...parts);
}

/**
 * Give each table the name of the result that it shows, by which the tests find it.
 * @param {Record<string, {element: HTMLElement}>} views
 */
export function nameResults(views) {
  for (const [name, view] of Object.entries(views)) view.element.dataset.result = name;
}

/** A line that is read aloud when it changes. */
export function status() {
  const element = h("p", { class: "tl-status", "aria-live": "polite" });
  /** @param {string} text */
  const say = (text) => setText(element, text);
  return { element, say };
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
 * A button that puts the named traits back to what they are now.
 * @template State @param {Model<State>} model @param {(keyof State)[]} names
 */
export function resetButton(model, names) {
  const start = names.map((name) => model.get(name));
  const onclick = () => {
    names.forEach((name, i) => model.set(name, start[i]));
    model.save_changes(); // one message: a kernel checks the traits together
  };
  return h("button", { type: "button", onclick }, "Reset");
}
