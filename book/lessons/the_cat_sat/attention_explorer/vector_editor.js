// @ts-check
// The attention explorer's table of boxes, in which tokens and vectors are edited.

import { numberBox } from "../../kit/figures/number_box.js";
import { assign, h } from "../../kit/figures/kit.js";
import shared from "./attention_explorer.json" with { type: "json" };

/** @typedef {import("../../kit/figures/kit.js").Model<{tokens: string[], vectors: number[][]}>} Model */

/** The box of a token's name. @param {Model} model @param {number} i */
function nameBox(model, i) {
  const oninput = () => assign(model, "tokens", model.get("tokens").with(i, input.value));
  const silent = { maxlength: 12, autocomplete: "off", spellcheck: "false" };
  const label = `Name of token ${i + 1}`;
  const input = h("input", {
    type: "text",
    class: "tl-name",
    "aria-label": label,
    ...silent,
    oninput,
  });
  return input;
}

/**
 * The box of one entry of a vector.
 * @param {Model} model @param {number} i @param {number} d @param {(message: string) => void} onerror
 */
function entryBox(model, i, d, onerror) {
  const label = `Token ${i + 1}, entry ${d + 1}`;
  /** @param {number} x */
  const oninput = (x) => {
    const vectors = model.get("vectors");
    assign(model, "vectors", vectors.with(i, vectors[i].with(d, x)));
  };
  return numberBox({ label, ...shared.entry, oninput, onerror });
}

/** The table. @param {Model} model @param {(message: string) => void} onerror */
export function vectorEditor(model, onerror) {
  const vectors = model.get("vectors");
  const names = vectors.map((_, i) => nameBox(model, i));
  const boxes = vectors.map((row, i) => row.map((_, d) => entryBox(model, i, d, onerror)));
  const rows = boxes.map((row, i) => {
    const cells = row.map((box) => h("td", {}, box.element));
    return h("tr", {}, h("th", { scope: "row" }, names[i]), ...cells);
  });
  const caption = h("caption", {}, shared.captions.vectors);
  const table = h("table", { class: "tl-matrix tl-editor" }, caption, h("tbody", {}, ...rows));
  return {
    element: h("div", { class: "tl-matrix-box" }, table),
    update() {
      model.get("tokens").forEach((name, i) => {
        if (names[i].value !== name) names[i].value = name;
      });
      model.get("vectors").forEach((row, i) => row.forEach((x, d) => boxes[i][d].update(x)));
    },
  };
}
