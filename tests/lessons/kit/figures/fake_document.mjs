// As much of a browser's document as the figures draw on, to render them under node.

class ClassList extends Set {
  toggle(name, on = !this.has(name)) {
    if (on) this.add(name);
    else this.delete(name);
  }
  contains(name) {
    return this.has(name);
  }
}

class Element {
  /** @type {any[]} */
  children = [];
  attributes = {};
  dataset = {};
  listeners = [];
  /** @type {Element | undefined} */
  parent;
  classList = new ClassList();
  style = { setProperty: (name, value) => Object.assign(this.style, { [name]: value }) };
  hidden = false;
  value = "";

  constructor(tag) {
    this.tagName = tag;
  }
  append(...children) {
    for (const child of children) {
      if (child instanceof Element) child.parent = this;
      this.children.push(child instanceof Element ? child : String(child));
    }
  }
  replaceChildren(...children) {
    this.children = [];
    this.append(...children);
  }
  get textContent() {
    return this.children.map((c) => (c instanceof Element ? c.textContent : c)).join("");
  }
  set textContent(text) {
    this.replaceChildren(text);
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
    if (name === "class") this.classList = new ClassList(value.split(" ").filter(Boolean));
    if (name.startsWith("data-")) this.dataset[name.slice(5)] = value;
  }
  getAttribute(name) {
    return this.attributes[name] ?? null;
  }
  removeAttribute(name) {
    delete this.attributes[name];
  }
  addEventListener(type, listen) {
    this.listeners.push([type, listen]);
  }
  /** Let something happen to the element; it does not bubble. */
  dispatch(type, event = {}) {
    for (const [heard, listen] of this.listeners)
      if (heard === type) listen({ preventDefault() {}, stopPropagation() {}, ...event });
  }
  dispatchEvent({ type, detail }) {
    this.dispatch(type, { detail });
  }
  /** All elements below with this tag. */
  all(tag) {
    const below = this.children.filter((child) => child instanceof Element);
    return below.flatMap((child) => [...(child.tagName === tag ? [child] : []), ...child.all(tag)]);
  }
  /** Those of them that have a class. */
  marked(tag, name) {
    return this.all(tag).filter((one) => one.classList.has(name));
  }
  texts(tag) {
    return this.all(tag).map((one) => one.textContent);
  }
  button(text) {
    return this.all("button").find((one) => one.textContent === text);
  }
  press(text) {
    this.button(text).dispatch("click");
  }
  get visible() {
    return !this.hidden && (this.parent?.visible ?? true);
  }
  getContext() {
    const createImageData = (width, height) => ({
      data: new Uint8ClampedArray(4 * width * height),
    });
    return { createImageData, putImageData() {} };
  }
}

/** Give the figures a document to draw on. */
export function makeDocument() {
  const make = (tag) => new Element(tag);
  Object.assign(globalThis, {
    document: { createElement: make, createElementNS: (_, tag) => make(tag) },
  });
  return make("div");
}

/** A model over a state: what host.js gives a figure, without the page. */
export function makeModel(state) {
  const listeners = new Map();
  return {
    get: (name) => state[name],
    set(name, value) {
      state[name] = value;
      for (const listen of listeners.get(`change:${name}`) ?? []) listen();
    },
    save_changes() {},
    on: (event, listen) => listeners.set(event, [...(listeners.get(event) ?? []), listen]),
    off: (event) => listeners.delete(event),
  };
}

/** A figure drawn from a state; `stop` is its cleanup. */
export function rendered(figure, state) {
  /** @type {any} */
  const el = makeDocument();
  const model = makeModel(state);
  return { el, model, stop: figure.render({ model, el }) };
}

/** The tables that a reader sees: caption, heads, and the names and cells of the visible rows. */
export function tablesOf(el) {
  const visible = el.all("table").filter((table) => table.visible);
  return visible.map((table) => {
    const rows = table.all("tbody")[0].children.filter((row) => !row.hidden);
    const [caption] = table.texts("caption");
    const [head] = table.all("thead");
    const heads = head ? head.texts("th") : [];
    const names = rows.map((row) => row.texts("th")[0]);
    const cells = rows.map((row) => row.texts("td"));
    return { caption, heads, rows: names, cells };
  });
}
