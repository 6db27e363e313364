// @ts-check
// The bar under the screens: the current position, buttons to move, and the list of keys.
import { LIST } from "./keys.js";

/** @typedef {import("./keys.js").Wish} Wish */

/** @type {[Wish, string, string][]} action, icon or sign, name */
const BUTTONS = [
  ["previous", "fa-angle-left", "Previous screen"],
  ["next", "fa-angle-right", "Next screen"],
  ["keys", "?", "Keys"],
  ["full", "fa-expand", "Full screen"],
  ["leave", "fa-xmark", "Leave the projector"],
];

/**
 * @param {string} tag @param {Record<string, any>} properties @param {(Node | string)[]} children
 * @returns {any} the new element
 */
function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Return a dialog with the list of keys. @returns {HTMLDialogElement} */
function keyList() {
  const rows = LIST.map(([keys, does]) =>
    make("div", {}, make("dt", {}, make("kbd", {}, keys)), make("dd", {}, does)),
  );
  const title = make("h2", { id: "tl-projector-keys" }, "Keys of the projector");
  const close = make("button", { type: "button", onclick: () => list.close() }, "Close");
  const list = make("dialog", { className: "tl-projector-list" });
  list.setAttribute("aria-labelledby", title.id);
  list.append(title, make("dl", {}, ...rows), close);
  return list;
}

/** @param {(wish: Wish) => void} wish called when a button is pressed */
export function barOf(wish) {
  const buttons = BUTTONS.map(([name, sign, title]) => {
    const icon = sign.startsWith("fa-") ? make("i", { className: `fas ${sign}` }) : sign;
    const button = make("button", { type: "button", title, onclick: () => wish(name) }, icon);
    button.setAttribute("aria-label", title);
    return button;
  });
  const [previous, next, , full] = buttons;
  full.hidden = !document.fullscreenEnabled;
  const count = make("span", { className: "tl-projector-count" });
  const name = make("span", { className: "tl-projector-name" });
  const more = make("span", { className: "tl-projector-more", hidden: true }, "more below ↓");
  const place = make("p", {}, count, " ", name);
  place.setAttribute("role", "status");
  const list = keyList();
  const bar = make("nav", { className: "tl-projector" }, place, more, ...buttons, list);
  bar.setAttribute("aria-label", "Projector");
  return {
    element: bar,
    list,
    /** @param {{at: number, of: number, section: string, note: string}} screen */
    tell({ at, of, section, note }) {
      count.textContent = `${at + 1} of ${of}`;
      name.textContent = note || section;
      previous.disabled = at === 0;
      next.disabled = at === of - 1;
      bar.style.setProperty("--tl-share", `${(100 * (at + 1)) / of}%`);
    },
    /** @param {boolean} below whether the screen continues below */
    tellMore(below) {
      more.hidden = !below;
    },
  };
}
