// @ts-check
// Tables of texts: how a race ended, seed by seed.

import { fill, h } from "../kit.js";
import { endOf } from "./runs.js";
import { TEXTS } from "./texts.js";

/** @typedef {import("./runs.js").Run} Run */

/** A table of texts with names in its first row and column. @param {string} caption @param {string} kind */
export function textTable(caption, kind = "") {
  const [head, body] = [h("thead"), h("tbody")];
  const table = h("table", { class: `tl-matrix ${kind}` }, h("caption", {}, caption), head, body);
  let shown = "";
  return {
    element: h("div", { class: "tl-matrix-box" }, table),
    /** @param {string[]} rows @param {string[]} columns @param {string[][]} cells */
    update(rows, columns, cells) {
      const now = JSON.stringify([rows, columns, cells]);
      if (now === shown) return;
      shown = now;
      const heads = columns.map((text) => h("th", { scope: "col" }, text));
      head.replaceChildren(h("tr", {}, h("td"), ...heads));
      body.replaceChildren(
        ...rows.map((name, i) => {
          const texts = cells[i].map((text) => h("td", {}, text));
          return h("tr", {}, h("th", { scope: "row" }, name), ...texts);
        }),
      );
    },
  };
}

/** How the race ended, a column for each seed. */
export function endsTable() {
  const table = textTable(TEXTS.captions.ends);
  return {
    element: table.element,
    /** @param {Run[]} runs */
    update(runs) {
      const longest = runs[0].seeds.length >= runs[1].seeds.length ? runs[0] : runs[1];
      const heads = longest.seeds.map(({ seed }) => fill(TEXTS.seed, { seed }));
      const cells = runs.map((run) => [
        run.count.toLocaleString("en"),
        ...longest.seeds.map((_, i) => endOf(run.seeds[i])),
      ]);
      table.element.hidden = heads.length === 0;
      table.update(TEXTS.rows, [TEXTS.weights_head, ...heads], cells);
    },
  };
}
