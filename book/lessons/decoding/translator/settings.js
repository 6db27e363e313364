// @ts-check
// The controls of the translator: how words are picked, where one looks, and what is broken.

import {
  button,
  choice,
  form,
  group,
  menu,
  resetButton,
  slider,
  tied,
  toggle,
} from "../../kit/figures/controls.js";
import { assign, assignAll, controlRow, h, inView, setText } from "../../kit/figures/kit.js";
import shared from "./translator.json" with { type: "json" };

/** @typedef {import("./translator_math.js").State} State */
/** @typedef {import("./translator_math.js").Silenced} Silenced */
/** @typedef {import("../../kit/figures/translator/parts.js").Part} Part */
/** @typedef {import("../../kit/figures/translator/weights.js").Translator} Translator */
/** @typedef {import("../../kit/figures/translator/weights.js").Config} Config */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
export const TRAITS = [
  "text",
  "method",
  "beams",
  "alpha",
  "temperature",
  "seed",
  "part",
  "layer",
  "head",
  "place",
  "form",
  "silenced",
  "positions",
  "mask",
];

const PARTS = /** @type {Part[]} */ (shared.parts);
const upTo = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i);

/** How many layers have this attention. @param {Config} config @param {Part} part */
function layersOf(config, part) {
  return part === "encoder" ? config.num_encoder_layers : config.num_decoder_layers;
}

/** The heads that the menus point at: one, or all of a layer. @param {Pick<Model, "get">} model @param {Config} config @returns {Silenced[]} */
function pointedAt(model, config) {
  const [part, layer, head] = [model.get("part"), model.get("layer"), model.get("head")];
  const heads = head < 0 ? upTo(config.num_heads) : [head];
  return heads.map((h) => [part, layer, h]);
}

/** @param {Silenced} a @param {Silenced} b */
const same = (a, b) => a.every((x, i) => x === b[i]);

/** Whether all of these heads are off. @param {Silenced[]} silenced @param {Silenced[]} heads */
export function areOff(silenced, heads) {
  return heads.every((head) => silenced.some((name) => same(name, head)));
}

/** The heads that are off after these have been switched. @param {Silenced[]} silenced @param {Silenced[]} heads @param {boolean} off */
export function switched(silenced, heads, off) {
  const others = silenced.filter((name) => !heads.some((head) => same(name, head)));
  return off ? [...others, ...heads] : others;
}

/** Look at another attention; at its last layer, if it has fewer. @param {Model} model @param {Config} config @param {Part} part */
function lookAt(model, config, part) {
  // The layer first: at no moment is one looked at that is not there.
  assignAll(model, { layer: Math.min(model.get("layer"), layersOf(config, part) - 1), part });
}

/** How words are picked, with the sliders that belong to each way. @param {Model} model */
export function sentenceControls(model) {
  const picks = /** @type {Record<string, string>} */ (shared.picks);
  const methods = { options: shared.methods.map((name) => picks[name]), values: shared.methods };
  const beams = tied(model, "beams", slider, { label: "beams", ...shared.beams });
  const alpha = tied(model, "alpha", slider, { label: "length penalty", ...shared.alpha });
  const heat = { label: "temperature", ...shared.temperature };
  const temperature = tied(model, "temperature", slider, heat);
  const again = button("Again", () => assign(model, "seed", model.get("seed") + 1));
  const way = tied(model, "method", choice, { legend: "It takes", ...methods });
  const { rows, update } = form([way, beams, alpha, temperature, again]);
  const own = { beam: [beams.element, alpha.element], chance: [temperature.element, again] };
  return {
    element: rows[0],
    update() {
      update();
      for (const [name, parts] of Object.entries(own))
        for (const part of parts) part.hidden = name !== model.get("method");
    },
  };
}

/** Which attention is looked at, as what, and whether its head is off. @param {Model} model @param {Translator} translator */
export function viewControls(model, { config }) {
  const part = menu({
    label: "look at",
    options: PARTS.map((name) => shared.looks[name]),
    onchange: (i) => lookAt(model, config, PARTS[i]),
  });
  const layer = menu({
    label: "layer",
    options: upTo(Math.max(...PARTS.map((name) => layersOf(config, name)))).map((i) =>
      String(i + 1),
    ),
    onchange: (i) => assign(model, "layer", i),
  });
  const head = tied(model, "head", menu, {
    label: "head",
    options: ["all", ...upTo(config.num_heads).map((i) => String(i + 1))],
    values: [-1, ...upTo(config.num_heads)],
  });
  const silent = toggle({
    label: "head off",
    onchange: (off) =>
      assign(model, "silenced", switched(model.get("silenced"), pointedAt(model, config), off)),
  });
  const asTable = toggle({
    label: "as a table",
    onchange: (on) => assign(model, "form", on ? "table" : "lines"),
  });
  const row = [part, layer, head, silent, asTable].map((control) => control.element);
  return {
    element: inView(controlRow(...row)),
    update() {
      part.update(PARTS.indexOf(model.get("part")));
      layer.update(model.get("layer"), layersOf(config, model.get("part")));
      layer.element.hidden = layersOf(config, model.get("part")) === 1; // nothing to choose
      head.update();
      silent.update(areOff(model.get("silenced"), pointedAt(model, config)));
      asTable.update(model.get("form") === "table");
    },
  };
}

/** What a reader may break besides heads, and the way back. @param {Model} model @param {Translator} translator */
export function ablationControls(model, { config }) {
  const layers = PARTS.reduce((sum, part) => sum + layersOf(config, part), 0);
  const positions = toggle({
    label: "no positions",
    onchange: (off) => assign(model, "positions", !off),
  });
  const mask = toggle({ label: "no mask", onchange: (off) => assign(model, "mask", !off) });
  const off = h("span", { class: "tr-off" });
  const parts = [positions.element, mask.element, off];
  return {
    element: controlRow(group("What if", ...parts), resetButton(model, TRAITS)),
    update() {
      const count = model.get("silenced").length;
      positions.update(!model.get("positions"));
      mask.update(!model.get("mask"));
      setText(off, `${count} of ${layers * config.num_heads} heads are off`);
    },
  };
}
