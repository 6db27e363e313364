// @ts-check
// A drill on the page: the problem, boxes to type into, the answer to them, and the way.

import { connect, controlRow, format, h, randomNumbers, setText, status } from "../figures/kit.js";
import { boxNames, fresh, judge } from "./judge.js";

const WAY = "Show me the way";

/**
 * A table whose cells hold what `cell` makes for them.
 * @param {import("./judge.js").Frame} frame @param {(i: number, j: number) => Node | string} cell
 */
function table({ caption, heads, rows }, cell) {
  const head = h("tr", {}, h("td"), ...heads.map((name) => h("th", { scope: "col" }, name)));
  const lines = rows.map((row, i) => {
    const cells = heads.map((_, j) => h("td", {}, cell(i, j)));
    return h("tr", {}, h("th", { scope: "row" }, row), ...cells);
  });
  const parts = [h("caption", {}, caption), h("thead", {}, head), h("tbody", {}, ...lines)];
  return h("div", { class: "tl-matrix-box" }, h("table", { class: "tl-matrix" }, ...parts));
}

/** @param {import("./judge.js").Entry} entry */
function written(entry) {
  return typeof entry === "number" ? format(entry) : entry;
}

/** A box to type into, which forgets its verdict when it changes. @param {string} label */
function box(label) {
  const silent = { autocomplete: "off", spellcheck: "false", autocapitalize: "off" };
  const input = h("input", { type: "text", inputmode: "text", "aria-label": label, ...silent });
  input.addEventListener("input", () => mark(input, "empty"));
  return input;
}

/** @param {HTMLInputElement} input @param {import("./judge.js").Verdict} verdict */
function mark(input, verdict) {
  input.setAttribute("aria-invalid", String(["wrong", "unread"].includes(verdict)));
  if (input.parentElement) input.parentElement.className = `tl-${verdict}-box`;
}

/** The steps of the way, shown one by one. */
function steps() {
  const list = h("ol", { class: "tl-way", "aria-live": "polite" });
  const button = h("button", { type: "button", onclick: () => next() }, WAY);
  /** @type {string[]} */
  let way = [];
  const show = (/** @type {number} */ count) => {
    const more = way.slice(list.children.length, count).map((step) => h("li", {}, step));
    if (count) list.append(...more);
    else list.replaceChildren();
    list.hidden = !count;
    const left = `Next step (${count + 1} of ${way.length})`;
    setText(button, count === 0 ? WAY : count < way.length ? left : "Hide the way");
  };
  const next = () => show((list.children.length + 1) % (way.length + 1));
  return {
    list,
    button,
    /** @param {string[]} lines */
    update(lines) {
      way = lines;
      show(0);
    },
  };
}

/** The longest of some texts. @param {string[]} texts */
function longest(texts) {
  return texts.reduce((a, b) => (b.length > a.length ? b : a));
}

/**
 * What changes with the problem: task, tables with boxes, what is said, the way.
 * @template Problem @param {import("./judge.js").Drill<Problem>} drill
 */
function board(drill) {
  const [task, tables, news, way] = [h("p"), h("div", { class: "tl-panels" }), status(), steps()];
  const room = h("div", { class: "tl-room" }, news.element);
  /** @type {HTMLInputElement[]} */
  let boxes = [];
  return {
    ...{ task, tables, room, way, say: news.say },
    /** Show a problem with empty boxes. @param {Problem} problem */
    show(problem) {
      const { asked, given, ...sheet } = drill.show(problem);
      boxes = boxNames(asked).map((name) => box(`${asked.caption}: ${name}`));
      const shown = given.map((one) => table(one, (i, j) => written(one.cells[i][j])));
      setText(task, sheet.task);
      tables.replaceChildren(
        ...shown,
        table(asked, (i, j) => boxes[i * asked.heads.length + j]),
      );
      way.update(sheet.way);
      const causes = drill.mistakes(problem).map(({ cause }) => `Not yet. ${cause}`);
      room.dataset.room = longest([`Right. ${sheet.praise}`, ...causes]);
    },
    /** Judge what is typed, and say it; whether all is right, undefined where more is to come. @param {Problem} problem */
    check(problem) {
      const texts = boxes.map(({ value }) => value);
      const { verdicts, say, done } = judge(drill, problem, texts);
      boxes.forEach((input, i) => mark(input, verdicts[i]));
      news.say(say);
      return done || verdicts.includes("wrong") ? done : undefined;
    },
    focus: () => boxes[0].focus(),
  };
}

/** Let the page know of an answer. @param {HTMLElement} el @param {string} id @param {boolean} right */
function tell(el, id, right) {
  const detail = { kind: "drill", id, right };
  el.dispatchEvent(new CustomEvent("tl:practised", { bubbles: true, detail }));
}

/**
 * Put the parts of a drill into its place, under its title.
 * @param {HTMLElement} el @param {string} title @param {(event: Event) => void} onsubmit
 * @param {Node[]} parts
 */
function furnish(el, title, onsubmit, parts) {
  el.classList.add("tl-figure", "tl-drill");
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", `Drill: ${title}`);
  const heading = h("p", { class: "tl-title" }, h("span", {}, "Drill"), ` ${title}`);
  // JupyterLab keeps browsers from sending a form by themselves when Enter is pressed in a box.
  const onkeydown = (/** @type {KeyboardEvent} */ event) =>
    event.key === "Enter" && event.target instanceof HTMLInputElement && onsubmit(event);
  el.append(h("form", { onsubmit, onkeydown }, heading, ...parts));
}

/**
 * A drill and what renders it: its first problem follows from the seed, the next ones too if one is
 * given.
 * @template Problem @param {import("./judge.js").Drill<Problem>} drill
 */
export function play(drill) {
  /** @param {{model: import("../figures/kit.js").Model<{seed: number | null}>, el: HTMLElement}} context */
  const render = ({ model, el }) => {
    const { task, tables, room, way, ...view } = board(drill);
    /** @type {Problem} */
    let problem;
    let random = Math.random;
    let praised = false;

    const start = (/** @type {Problem} */ drawn, news = "") => {
      problem = drawn;
      praised = false;
      view.show(problem);
      view.say(news);
    };
    const check = (/** @type {Event} */ event) => {
      event.preventDefault();
      const right = view.check(problem);
      if (right === undefined || praised) return;
      praised = right;
      tell(el, drill.name, right);
    };
    const another = (/** @type {MouseEvent} */ event) => {
      start(fresh(drill, random, problem), "A new problem.");
      if (event.detail === 0) view.focus(); // by keyboard: typing goes on there
    };

    const buttons = controlRow(
      h("button", { type: "submit" }, "Check"),
      h("button", { type: "button", onclick: another }, "Another one"),
      way.button,
    );
    const note = h("p", { class: "tl-note" }, drill.note);
    furnish(el, drill.title, check, [task, tables, note, buttons, room, way.list]);
    return connect(model, ["seed"], () => {
      const seed = model.get("seed");
      const own = randomNumbers(seed ?? 0);
      random = seed === null ? Math.random : own;
      start(fresh(drill, own));
    });
  };
  return { drill, render };
}
