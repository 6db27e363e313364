// @ts-check
// Shows a page as screens for a class: large type, one section at a time. shell.js loads this
// script when a reader asks for it.
import { barOf } from "./bar.js";
import {
  fitHeight,
  fitMoment,
  fitWidths,
  measure,
  nameOf,
  piecesOf,
  showAll,
  showOnly,
  unfit,
} from "./blocks.js";
import { FIELDS, isField, commandOf } from "./keys.js";
import { cut, inTurn, readPlace, screenOf, writePlace } from "./screens.js";

/** @typedef {import("./blocks.js").Piece} Piece */
/** @typedef {import("./screens.js").Screen} Screen */

const root = document.documentElement;
const stage = /** @type {HTMLElement} */ (document.querySelector("article.bd-article"));
const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
const ROOT = Number.parseFloat(getComputedStyle(root).fontSize); // the font size that figures are designed for
const STEP = 0.85; // the part of the height to scroll on a long screen
const SMALL = 0.7; // the smallest size of a figure; a taller one scrolls
const SMALLEST = 0.5; // the smallest size at a moment, which shows the whole figure
const ON = "tl-projecting";

/** @type {Piece[]} */
let pieces = [];
/** @type {Screen[]} */
let screens = [];
let at = 0;
let size = 1; // of the figure at a moment
let note = "";
let asked = 0; // pending changes of full screen that this script requested

const bar = barOf((name) => wishes[name]());
const isOn = () => root.classList.contains(ON);
/** Return the first block of the screen. */
const first = () => pieces[screens[at].first];
const shown = () => pieces.slice(screens[at].first, screens[at].end).map(({ element }) => element);
const isFull = () => document.fullscreenElement !== null;

/** Lay out all blocks and cut the page into screens again; keep the first visible block. */
function layOut() {
  const kept = screens.length ? { ...screens[at], element: first().element } : undefined;
  showAll(stage);
  unfit(stage);
  pieces = piecesOf(stage);
  const style = getComputedStyle(stage);
  stage.style.setProperty("--tl-zoom", `${Number.parseFloat(style.fontSize) / ROOT}`);
  fitWidths(stage);
  const room = stage.clientHeight - Number.parseFloat(style.paddingTop) * 2;
  const moments = pieces.map(({ tour }) => tour.length);
  screens = inTurn(cut(measure(pieces), room), moments);
  const block = pieces.findIndex(({ element }) => element === kept?.element);
  at = screenOf(screens, Math.max(0, block), kept?.moment);
  size = 1;
}

/**
 * Set the figures to the moment of the screen. Tours that are not on it end, and their figures
 * return to the state in which the reader left them.
 */
function lead() {
  for (const live of stage.querySelectorAll("[data-tour] > .lf-live")) {
    const detail = first().element.contains(live) ? screens[at].moment : -1;
    live.dispatchEvent(new CustomEvent("tl:moment", { detail }));
  }
}

/** Show the screen and its position. @param {boolean} [anew] whether the screen has changed */
function draw(anew = false) {
  const [now, { moment }, { section, tour }] = [shown(), screens[at], first()];
  showOnly(stage, pieces, new Set(now), moment >= 0);
  if (anew) lead();
  if (moment < 0) fitHeight(stage, now, SMALL);
  else size = fitMoment(stage, now, [SMALL, SMALLEST], size);
  const place = moment < 0 ? "" : `, moment ${moment + 1} of ${tour.length}`;
  bar.tell({ at, of: screens.length, section: nameOf(section) + place, note });
  tellMore();
  dispatchEvent(new Event("tl:look")); // shell.js then gives scrolling boxes a tab stop
}

/** Cut the page again, because the size of the screen or of the letters has changed. */
function fit() {
  if (!isOn()) return;
  layOut();
  draw();
}

/** Return the address of the moment, or of the section and the screen's offset in it. */
function placeNow() {
  const [{ section, tour }, { moment }] = [first(), screens[at]];
  if (moment >= 0) return writePlace(tour[moment]);
  const own = pieces.findIndex((piece) => piece.section === section);
  return writePlace(section.id, screens[at].first - own);
}

/** Go to a screen, and put its position into the address. @param {number} to */
function go(to) {
  const from = screens[at].first;
  at = Math.min(Math.max(to, 0), screens.length - 1);
  if (screens[at].first !== from) size = 1;
  note = "";
  draw(true);
  stage.scrollTo({ top: 0, behavior: "instant" });
  tellMore();
  if (!bar.element.contains(document.activeElement)) stage.focus({ preventScroll: true });
  history.replaceState(null, "", placeNow());
}

/** Return the screen that an address names. @param {string} id @param {number} [steps] */
function screenAt(id, steps = 0) {
  const target = id ? document.getElementById(id) : null;
  if (!target || !stage.contains(target)) return 0;
  const cover = target.closest(".tl-covered");
  if (cover instanceof HTMLElement && cover.hidden) {
    cover.hidden = false;
    layOut();
  }
  const found = pieces.findIndex(
    ({ element }) => element.contains(target) || target.contains(element),
  );
  return screenOf(screens, Math.max(0, found) + steps, pieces[found]?.tour.indexOf(id));
}

/** @param {number} block where to begin */
function open(block) {
  document.body.append(bar.element);
  root.classList.add(ON);
  stage.tabIndex = 0;
  layOut();
  go(screenOf(screens, block));
}

/** Return the first block that is visible on the page. */
function blockInView() {
  if (scrollY < 100) return 0;
  const high = Number.parseFloat(getComputedStyle(root).scrollPaddingTop) || 0;
  const found = piecesOf(stage).findIndex(({ element }) => {
    return element.getBoundingClientRect().bottom > high + 10;
  });
  return Math.max(0, found);
}

/** Return to the page, at the position of the screen. */
function close() {
  const { element } = first();
  showAll(stage);
  root.classList.remove(ON);
  bar.list.close();
  bar.element.remove();
  stage.removeAttribute("tabindex");
  if (isFull()) toggleFull();
  element.scrollIntoView({ behavior: "instant" });
  element.tabIndex = -1; // the next tab goes on from here
  element.focus({ preventScroll: true });
  element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
}

function leave() {
  const { section, tour } = first();
  history.replaceState(null, "", `#${tour[screens[at].moment] ?? section.id}`);
  close();
}

/** Scroll down or up a long screen; at its end, go to the next one. @param {1 | -1} way */
function scroll(way) {
  const { scrollTop, clientHeight, scrollHeight } = stage;
  const left = way > 0 ? scrollHeight - clientHeight - scrollTop : scrollTop;
  if (left > 2) stage.scrollBy({ top: way * STEP * clientHeight });
  else go(at + way);
}

function tellMore() {
  bar.tellMore(stage.scrollTop + stage.clientHeight < stage.scrollHeight - 2);
}

/** Toggle full screen. If the browser refuses, the projector works without it. */
async function toggleFull() {
  asked += 1;
  try {
    if (isFull()) await document.exitFullscreen();
    else await root.requestFullscreen();
  } catch {}
  // The change event arrives with the next frame, and another key may be pressed before that.
  await new Promise(requestAnimationFrame);
  asked -= 1;
  // If the browser allows it, handle Escape here: first leave a slider, then the projector.
  if (isFull()) /** @type {any} */ (navigator).keyboard?.lock(["Escape"]).catch(() => {});
}

/** Press the button of the first prediction on the screen. */
function answer() {
  const bars = shown().filter((element) => element.matches(".tl-cover-bar"));
  bars[0]?.querySelector("button")?.click();
}

/** @type {Record<import("./keys.js").Wish, () => void>} */
const wishes = {
  next: () => go(at + 1),
  previous: () => go(at - 1),
  on: () => scroll(1),
  back: () => scroll(-1),
  first: () => go(0),
  last: () => go(screens.length - 1),
  leave,
  answer,
  keys: () => bar.list.showModal(),
  full: toggleFull,
};

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (!isOn() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  const target = event.target instanceof Element ? event.target : stage;
  const holder = {
    matches: (/** @type {string} */ selector) => target.matches(selector),
    slides: target !== stage && target.scrollWidth > target.clientWidth + 1,
    outside: !stage.contains(target) || target === stage,
  };
  const wish = commandOf(event, holder);
  if (!wish) return;
  event.preventDefault();
  if (wish === "leave" && isField(holder)) stage.focus({ preventScroll: true });
  else wishes[wish]();
}

/** Follow a link within the page to the target's screen. @param {MouseEvent} event */
function onClick(event) {
  const link = event.target instanceof Element && event.target.closest("a[href^='#']");
  if (!isOn() || !link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, "", placeNow());
  const id = decodeURIComponent((link.getAttribute("href") ?? "").slice(1));
  go(screenAt(id));
}

/** React to a changed address, edited by hand or by the browser's buttons. */
function follow() {
  const place = readPlace(location.hash);
  if (!place) return isOn() && close();
  if (isOn()) go(screenAt(place.id, place.steps));
  else start();
}

/** React to an answer that was covered or uncovered, or to a figure that became live. @param {MutationRecord[]} changes */
function renew(changes) {
  const parts = changes.flatMap(({ target, attributeName }) => {
    const part = /** @type {Element} */ (target);
    return part.matches(attributeName === "hidden" ? ".tl-covered" : ".tl-host") ? [part] : [];
  });
  if (!isOn() || !parts.length) return;
  layOut();
  const opened = parts.find((part) => part.matches(".tl-covered:not([hidden])"));
  const behind = opened && pieces.findIndex(({ element }) => opened.contains(element));
  note = behind && screenOf(screens, behind) > at ? "The answer is on the next screen." : "";
  draw(parts.some((part) => first().element.contains(part)));
}

function start() {
  const place = readPlace(location.hash);
  if (!place) history.pushState(null, "", location.href);
  open(place ? 0 : blockInView());
  if (place) go(screenAt(place.id, place.steps));
}

function watch() {
  root.addEventListener("keydown", onKey); // before Sphinx, which stops Escape at the document
  addEventListener("hashchange", follow);
  stage.addEventListener("click", onClick);
  stage.addEventListener("scroll", tellMore);
  document.addEventListener("fullscreenchange", () => {
    if (isFull() || !isOn() || asked) return;
    // If the browser handled Escape while a slider had the focus, stay in the projector.
    if (document.activeElement?.matches(FIELDS)) stage.focus({ preventScroll: true });
    else leave();
  });
  document.querySelector(".btn-projector")?.addEventListener("click", () => {
    if (isOn()) return;
    start();
    if (!isFull()) toggleFull();
  });
  new ResizeObserver(fit).observe(stage);
  const options = { attributeFilter: ["hidden", "class"], subtree: true };
  new MutationObserver(renew).observe(stage, options);
}

/** The stylesheet, which must be loaded before anything is measured. */
const sheet = Object.assign(document.createElement("link"), {
  rel: "stylesheet",
  href: src.replace("projector.js", "projector.css"),
  onload() {
    watch();
    start();
    if (navigator.userActivation?.isActive && !isFull()) toggleFull();
    document.fonts.ready.then(fit);
  },
});
document.head.append(sheet);
