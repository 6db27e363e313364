// @ts-check
// What did each model change, and what does it cost? Pick one: its block, its weights, its room.

import { choice, form, resetButton, steps, tied } from "../../kit/figures/controls.js";
import {
  assign,
  connect,
  fill,
  folded,
  freshId,
  format,
  h,
  inView,
  panels,
  setText,
  stateOf,
  status,
} from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import { short } from "../../kit/figures/units.js";
import { block } from "./block_drawing.js";
import shared from "./family_tree.json" with { type: "json" };
import { chosenOf, compute, family, grouped, keysOf, announcementText } from "./tree_math.js";

/** @typedef {import("./tree_math.js").State} State */
/** @typedef {import("./tree_math.js").Stored} Stored */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["model", "dtype", "context", "texts"];
const DTYPES = /** @type {import("./tree_math.js").Dtype[]} */ (Object.keys(shared.dtypes));

/** The tree: a radio button for each model, below its parent. @param {Model} source */
function tree(source) {
  const models = source.get("models");
  const name = freshId();
  const nodes = models.map((model, i) => {
    const id = freshId();
    const input = h("input", {
      type: "radio",
      id,
      name,
      onchange: () => assign(source, "model", model.name),
    });
    const parent = models.findIndex((other) => other.name === model.line[model.line.length - 2]);
    const style = `--deep:${model.line.length - 1};--up:${i - parent}`;
    const label = h("label", { for: id }, model.name);
    const year = h("span", { class: "ft-year" }, String(model.year));
    const kind = parent < 0 ? "tl-option ft-root" : "tl-option";
    const element = h("span", { class: kind, style }, input, label, year);
    return { model, input, element };
  });
  const legend = h("legend", { class: "lf-quiet" }, "Family");
  const box = h("fieldset", { class: "tl-choice" }, legend, ...nodes.map((node) => node.element));
  return {
    element: h("div", { class: "ft-tree" }, box),
    /** @param {Stored} chosen */
    update(chosen) {
      nodes.forEach(({ model, input, element }) => {
        input.checked = model.name === chosen.name;
        element.classList.toggle("ft-line-of", chosen.line.includes(model.name));
      });
    },
  };
}

/** A slider that steps through a list. @param {Model} model @param {string} label @param {"context" | "texts"} trait @param {number[]} list */
function countSlider(model, label, trait, list) {
  return tied(model, trait, steps, { label, options: list.map(grouped), values: list });
}

/** Bars under a heading; a table says the same in numbers. @param {string} title @param {number} count */
function bars(title, count) {
  const rows = Array.from({ length: count }, () => ({
    name: h("span"),
    bar: h("i"),
    text: h("span"),
  }));
  const cells = rows.flatMap(({ name, bar, text }) => [name, h("span", {}, bar), text]);
  return {
    element: h("div", { class: "ft-rows", "aria-hidden": "true" }, h("b", {}, title), ...cells),
    /** @param {string[]} names @param {number[]} shares from 0 to 1 @param {string[]} texts */
    update(names, shares, texts) {
      rows.forEach(({ name, bar, text }, i) => {
        setText(name, names[i]);
        bar.style.width = `${100 * shares[i]}%`;
        setText(text, texts[i]);
      });
    },
  };
}

/** What a model costs, in bars: its weights by part, and their bytes next to those of the cache. */
function costBars() {
  const [weights, room] = [bars(shared.bars[0], 5), bars(shared.bars[1], 2)];
  return {
    element: h("div", { class: "ft-costs" }, weights.element, room.element),
    /** @param {import("./tree_math.js").Results} results */
    update({ parameters, bytes }) {
      const shares = parameters.slice(0, 5).map((row) => row[1] / 100);
      const percent = shares.map((share) => `${format(100 * share, 0)} %`);
      weights.update(shared.parameters, shares, percent);
      const held = [bytes[0][0], bytes[3][0]];
      const parts = held.map((size) => size / Math.max(...held));
      const texts = held.map((size) => short(size, shared.byte_units));
      room.update(["weights", "cache"], parts, texts);
    },
  };
}

/** What the costs depend on besides the model. @param {Model} model */
function settings(model) {
  return form([
    countSlider(model, "context S", "context", shared.contexts),
    countSlider(model, "texts at once", "texts", shared.texts),
    tied(model, "dtype", choice, { legend: "Numbers as", options: DTYPES, values: DTYPES }),
    resetButton(model, TRAITS),
  ]);
}

/** The table of parts. */
function familyTable() {
  const heads = shared.family_heads.map((head) => h("th", { scope: "col" }, head));
  const body = h("tbody");
  const table = h(
    "table",
    { class: "tl-matrix ft-family" },
    h("caption", {}, shared.captions.family),
    h("thead", {}, h("tr", {}, h("td"), ...heads)),
    body,
  );
  return {
    element: h("div", { class: "tl-matrix-box" }, table),
    /** @param {Stored} model */
    update(model) {
      const rows = family(model).map(([label, ...texts]) => {
        const cells = texts.map((text) => h("td", {}, text));
        const kind = texts.includes(shared.new) ? "ft-fresh" : "";
        return h("tr", { class: kind }, h("th", { scope: "row" }, label), ...cells);
      });
      body.replaceChildren(...rows);
    },
  };
}

/** The tables of numbers. @param {Model} model */
function costs(model) {
  const [kind, units] = ["tl-plain ft-bars", shared.byte_units];
  const views = tables(shared.captions, {
    parameters: { rows: 6, columns: 2, kind, write: grouped },
    work: { rows: 6, columns: 2, kind, write: (/** @type {number} */ x) => short(x, shared.units) },
    bytes: { rows: 4, columns: 1, kind, write: (/** @type {number} */ x) => short(x, units) },
  });
  const note = h("p", { class: "ft-note" });
  return {
    element: panels(views.parameters, views.work, views.bytes, { element: note }),
    /** @param {import("./tree_math.js").Results} results */
    update(results) {
      const { context, texts, dtype } = stateOf(model, TRAITS);
      const chosen = chosenOf(model);
      setText(note, chosen.note);
      const keys = grouped(keysOf(chosen, context));
      const words = { keys, dtype, texts: texts === 1 ? "1 text" : `${texts} texts` };
      const filled = (/** @type {string[]} */ list) => list.map((text) => fill(text, words));
      for (const key of /** @type {const} */ (["parameters", "work", "bytes"]))
        views[key].update(results[key], filled(shared[key]), filled(shared[`${key}_heads`]));
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [nodes, drawing, parts] = [tree(model), block(), familyTable()];
  const [panel, numbers, news] = [settings(model), costs(model), status()];
  const costly = costBars();
  let drawn = "";
  el.classList.add("tl-figure", "tl-family-tree");
  const stage = h(
    "div",
    { class: "ft-stage" },
    nodes.element,
    h("div", { class: "ft-block" }, drawing.element),
    costly.element,
  );
  const draw = () => {
    parts.update(chosenOf(model));
    numbers.update(compute(model));
  };
  const summary = "Parts and costs in numbers";
  const fold = folded(summary, draw, parts.element, numbers.element);
  el.append(h("p", { class: "tl-aside" }, shared.question), stage);
  el.append(inView(...panel.rows), news.element, fold.element);

  return connect(model, TRAITS, () => {
    const chosen = chosenOf(model);
    const results = compute(model);
    if (drawn !== chosen.name) {
      drawn = chosen.name; // else its parts would fade in again with every slider
      nodes.update(chosen);
      drawing.update(chosen);
    }
    panel.update();
    fold.update();
    costly.update(results);
    news.say(announcementText(chosen, results, stateOf(model, ["dtype", "context"])));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
