// @ts-check
// Follow a number: one sequence's pass through a trained machine, and how each number was made.

import { menu } from "../../kit/figures/controls.js";
import { colorField } from "../../kit/figures/color_field.js";
import { controlRow, fill, h, setText } from "../../kit/figures/kit.js";
import { HINT, madeOf } from "../../kit/figures/made.js";
import { seen } from "../../kit/figures/race_lab/lanes.js";
import { TEXTS } from "../../kit/figures/race_lab/texts.js";
import { passOf } from "./one_pass.js";
import shared from "./workbench.json" with { type: "json" };

/** @typedef {import("../../kit/figures/race_lab/machine_room.js").Report} Report */
/** @typedef {import("./one_pass.js").Step} Step */

const { follow } = shared;

/** @param {(kind: number) => void} ask for the weights of a machine, and a sequence */
export function followView(ask) {
  const note = h("p", {}, shared.weights.none);
  const choices = h("div", {});
  const picture = h("div", { class: "wb-follow" });
  const number = h("p", { class: "wb-read", "aria-live": "polite" });
  const made = h("div", { class: "tl-made", "aria-live": "polite" });
  /** @type {Step[]} */ let steps = [];
  /** @type {string[]} */ let tokens = [];
  /** @type {string[]} */ let alphabet = [];

  /** @param {Step} step */
  function draw(step) {
    const last = step.values[0].length === alphabet.length && step.block === follow.blocks.output;
    const heads = step.keys ? tokens : last ? alphabet : undefined;
    const name = (/** @type {number} */ i, /** @type {number} */ j) =>
      fill(step.keys ? follow.pair : follow.cell, {
        token: `${i + 1}, ${tokens[i]}`,
        column: step.keys ? `${j + 1}, ${tokens[j]}` : last ? alphabet[j] : j + 1,
      });
    const pick = (/** @type {number} */ i, /** @type {number} */ j) =>
      made.replaceChildren(...madeOf(step.origin(i, j)));
    const title = `${step.block}: ${step.name}`;
    const kept = tokens.map(() => false);
    const matrix = { title, values: step.values, rows: tokens, kept, name, pick, heads };
    made.replaceChildren();
    setText(number, HINT);
    picture.replaceChildren(colorField(matrix, (text) => setText(number, text)));
  }

  /** Choose a step of a block. @param {string} block */
  function stepMenu(block) {
    const own = steps.filter((step) => step.block === block);
    const options = own.map((step) => step.name);
    const choose = menu({ label: follow.step, options, onchange: (i) => draw(own[i]) });
    draw(own[0]);
    return choose.element;
  }

  const which = menu({ label: follow.of, options: TEXTS.names, onchange: ask });
  return {
    element: h("div", {}, controlRow(which.element), note, choices, picture, number, made),
    kind: () => which.input.selectedIndex,
    /** @param {Report | null} report @param {string[]} letters */
    update(report, letters) {
      note.hidden = report !== null;
      for (const part of [choices, picture, made]) part.replaceChildren();
      setText(number, "");
      if (!report) return;
      alphabet = letters.map(seen);
      tokens = report.ids.map((/** @type {number} */ id) => alphabet[id]);
      steps = passOf(report.config, report.weights, report.ids, tokens);
      const blocks = [...new Set(steps.map(({ block }) => block))];
      const row = controlRow();
      const choose = (/** @type {number} */ i) =>
        row.replaceChildren(blockMenu.element, stepMenu(blocks[i]));
      const blockMenu = menu({ label: follow.block, options: blocks, onchange: choose });
      choose(0);
      choices.replaceChildren(row);
    },
  };
}
