// A page without a browser: as much of one as host.js asks for.

import { readFileSync } from "node:fs";
import vm from "node:vm";

const HOST = readFileSync(
  new URL("../../../../book/lessons/kit/figures/host.js", import.meta.url),
  "utf8",
);

class Element {
  /** @type {any[]} */
  children = [];
  attributes = {};
  dataset = {};
  textContent = "";
  classList = { add: (name) => this.classes.push(name), contains: (n) => this.classes.includes(n) };
  /** @type {string[]} */
  classes = [];
  /** @type {any} */
  parent;

  constructor(page, tag) {
    this.page = page;
    this.tag = tag;
  }
  append(child) {
    this.children.push(child);
    child.parent = this;
  }
  prepend(child) {
    this.children.unshift(child);
    child.parent = this;
  }
  remove() {
    this.parent.children.splice(this.parent.children.indexOf(this), 1);
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  focus() {
    this.page.document.activeElement = this;
  }
}

/** The element of one figure, with what a test asks of it. */
class Host extends Element {
  constructor(page, state, assets) {
    super(page, "div");
    this.state = state;
    if (assets) this.dataset.assets = JSON.stringify(assets);
  }
  querySelector() {
    return { textContent: JSON.stringify(this.state) };
  }
  get mounted() {
    return this.classes.includes("lf-mounted");
  }
  get notice() {
    return this.children.find((child) => child.className?.includes("lf-notice"));
  }
  get words() {
    return this.notice?.children[0].textContent;
  }
  get button() {
    return this.notice?.children.find((child) => child.tag === "button");
  }
}

/** A class of observers that keep what they watch in `page.watches`. */
function observerOf(page) {
  return class {
    constructor(callback, options) {
      Object.assign(this, { callback, options });
      page.watches.push(this);
    }
    observe(element) {
      Object.assign(this, { element });
    }
    disconnect() {
      page.watches.splice(page.watches.indexOf(this), 1);
    }
  };
}

/** The document of a page, as far as host.js knows it. */
function documentOf(page) {
  return {
    currentScript: { src: "https://book.test/_static/figures/host.js?v=1" },
    activeElement: undefined,
    head: { append: (script) => page.scripts.push(script) },
    createElement: (tag) => new Element(page, tag),
    querySelectorAll: () => page.hosts,
    querySelector: () => page.hosts.find((host) => "tour" in host.dataset),
    addEventListener: (type, heard) => page.heard.push([type, heard]),
  };
}

/** Wait until what has arrived is unpacked, and all that follows from it has happened. */
async function settle(page) {
  const end = performance.now() + 5000;
  do {
    await new Promise((done) => setImmediate(done));
    if (performance.now() > end) throw new Error("a figure loads and loads");
  } while (page.hosts.some((host) => host.words?.startsWith("Loading")));
}

/**
 * A page on which host.js has run, with one element a figure.
 * @param {{state?: object, assets?: object[]}[]} figures
 * @param {{observer?: boolean, busy?: boolean}} [options] whether the page tells what comes near the
 *   screen, and whether it has no time: then `page.rest()` gives it some
 */
export function pageWith(figures, { observer = true, busy = false } = {}) {
  /** @type {any} */
  const page = { scripts: [], watches: [], errors: [], events: [], heard: [] };
  page.settle = () => settle(page);
  page.location = { hash: "" };
  page.hosts = figures.map(({ state = {}, assets }) => new Host(page, state, assets));
  page.document = documentOf(page);
  const IntersectionObserver = observerOf(page);
  const waiting = [];
  page.rest = () => waiting.splice(0).forEach((f) => f());
  const requestIdleCallback = (f) => (busy ? void waiting.push(f) : f());
  const window = { requestIdleCallback, ...(observer ? { IntersectionObserver } : {}) };
  const console = { error: (error) => page.errors.push(error.message) };
  const dispatchEvent = (event) => void page.events.push(event.type);
  const { document, location } = page;
  const addEventListener = document.addEventListener;
  const observers = { IntersectionObserver, requestIdleCallback };
  const own = { window, document, location, console, ...observers };
  const offered = { Event, URL, atob, Blob, Response, DecompressionStream };
  vm.runInNewContext(HOST, { ...own, ...offered, addEventListener, dispatchEvent });
  page.figures = /** @type {any} */ (window).livingFigures;
  /** Tell the observer of a figure whether it is near. */
  page.see = (host, isIntersecting = true) => {
    for (const watch of page.watches.filter((w) => w.element === host))
      watch.callback([{ isIntersecting }]);
  };
  return page;
}
