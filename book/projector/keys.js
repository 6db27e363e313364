// @ts-check
// Maps keys to actions while a page is projected, except keys that the focused element needs.

/** @typedef {"next" | "previous" | "on" | "back" | "first" | "last" | "leave" | "answer" | "keys" | "full"} Wish */

/** @type {Record<string, Wish>} */
const WISHES = {
  ArrowRight: "next",
  ArrowLeft: "previous",
  ArrowDown: "on",
  PageDown: "on",
  ArrowUp: "back",
  PageUp: "back",
  Home: "first",
  End: "last",
  Escape: "leave",
  a: "answer",
  f: "full",
  "?": "keys",
};

/** The entries of the list of keys. @type {[string, string][]} */
export const LIST = [
  ["→", "next screen, or next moment of a figure's tour"],
  ["←", "previous screen or moment"],
  ["Space, Page down, ↓", "on: down a long screen first, then to the next"],
  ["Shift + Space, Page up, ↑", "back, in the same way"],
  ["Home, End", "first and last screen"],
  ["A", "open what a prediction covers, or cover it again"],
  ["F", "full screen, and back; a browser that keeps F for itself then leaves the screens too"],
  ["?", "these keys"],
  ["Esc", "from a field or a slider back to the screens; then out, to the same place of the page"],
];

export const FIELDS =
  "input, select, textarea, [contenteditable], [role=slider], [role=spinbutton], [role=listbox]";
const PRESSED = "button, summary, a, [role=button]";

/**
 * The focused element, as far as keys are concerned.
 * @typedef {object} Holder
 * @property {(selector: string) => boolean} matches
 * @property {boolean} slides whether it scrolls sideways
 * @property {boolean} outside whether no element of the page has the focus, so letters can be keys
 */

/** Return whether an element needs the keys that change screens. @param {Holder} holder */
export const isField = (holder) => holder.matches(FIELDS);

/**
 * @param {{key: string, shiftKey: boolean}} event @param {Holder} holder
 * @returns {Wish | ""} "" if the projector does not use the key
 */
export function commandOf({ key, shiftKey }, holder) {
  if (key === "Escape") return "leave";
  if (isField(holder)) return "";
  if (key === " ") return holder.matches(PRESSED) ? "" : shiftKey ? "back" : "on";
  if (holder.slides && (key === "ArrowLeft" || key === "ArrowRight")) return "";
  const letter = key.length === 1;
  if (letter && !holder.outside) return "";
  const name = letter ? key.toLowerCase() : key;
  return Object.hasOwn(WISHES, name) ? WISHES[name] : "";
}
