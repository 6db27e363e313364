// @ts-check
// Logits to loss: what does a logit do to the share of its word, and to the loss?

import { chart } from "../../kit/figures/chart.js";
import {
  button,
  choice,
  form,
  group,
  resetButton,
  showing,
  slider,
  tied,
} from "../../kit/figures/controls.js";
import {
  assign,
  connect,
  fill,
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
import shared from "./logits_to_loss.json" with { type: "json" };
import { compute, lossAt, raisedBy, stepped } from "./logits_to_loss_math.js";

/** @typedef {import("./logits_to_loss_math.js").State} State */
/** @typedef {import("./logits_to_loss_math.js").Results} Results */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {import("../../kit/figures/chart.js").Point} Point */

/** @type {(keyof State & string)[]} */
const TRAITS = ["words", "logits", "target", "label_smoothing"];
const ALMOST_0 = 0.005;
const REACH = 1.5; // of the line of the slope, to either side

/** A probability in words: one that rounds to 0 is not 0. @param {number} p */
function chance(p) {
  return p < 0.0001 ? "less than 0.0001" : format(p);
}

/** What the loss says about the right word, and where the gradient leads. @param {Results} results @param {string} word @param {number} target */
export function verdict({ probabilities, gradient, measures }, word, target) {
  const [p, wanted] = probabilities[target];
  const [[loss], [least]] = measures;
  const slope = gradient[target][0];
  const start = `“${word}” has probability ${chance(p)}, and the loss is ${format(loss)}`;
  const floor = least > 0 ? `; it cannot fall below ${format(least)}. ` : ". ";
  if (Math.abs(slope) < ALMOST_0) return `${start}${floor}The gradient of its logit is almost 0.`;
  const way =
    slope < 0
      ? "a step raises this logit, and lowers the others together by as much."
      : `a step lowers this logit, because p = ${format(p)} exceeds the target ${format(wanted)}.`;
  return `${start}${floor}The gradient of its logit is ${format(slope)}: ${way}`;
}

/**
 * A row for each word: the slider of its logit, its share as a bar, its target as an upright line,
 * and the gap between the two.
 * @param {Model} model
 */
function wordRows(model) {
  const sliders = model.get("words").map((label, j) => {
    const oninput = (/** @type {number} */ z) =>
      assign(model, "logits", model.get("logits").with(j, z));
    const text = (/** @type {number} */ z) => format(z, 2);
    return showing(slider({ label, ...shared.logit, oninput, text }), () => model.get("logits")[j]);
  });
  const hidden = { "aria-hidden": "true" };
  const bars = sliders.map(() => h("div", { class: "ll-bar", ...hidden }));
  const shares = sliders.map(() => h("span", { class: "ll-share", ...hidden }));
  const heads = shared.rows.map((text) => h("span", { class: "tl-aside" }, text));
  const rows = sliders.flatMap((part, j) => [part.element, bars[j], shares[j]]);
  const element = group("Logits", ...heads, ...rows);
  element.classList.add("ll-rows", "tl-drawn");
  return {
    element,
    update() {
      for (const part of sliders) part.update();
    },
    /** @param {number[][]} probabilities @param {number} target */
    draw(probabilities, target) {
      probabilities.forEach(([share, wanted], j) => {
        setText(shares[j], format(share, 3));
        bars[j].style.setProperty("--p", share.toFixed(4));
        bars[j].style.setProperty("--target", wanted.toFixed(4));
        bars[j].classList.toggle("ll-above", share > wanted);
        for (const one of [bars[j], shares[j]]) one.classList.toggle("ll-right", j === target);
      });
    },
  };
}

/** The controls. @param {Model} model */
function controls(model) {
  const smoothing = { label: "label smoothing", ...shared.smoothing };
  const step = () => assign(model, "logits", stepped(model.get("logits"), compute(model).gradient));
  const raise = () => assign(model, "logits", raisedBy(model.get("logits"), 1));
  const down = button("Step down the gradient", step);
  const up = button("Add 1 to all logits", raise);
  const words = wordRows(model);
  const { rows, update } = form(
    [words],
    [
      tied(model, "target", choice, { legend: "The right word", options: model.get("words") }),
      resetButton(model, TRAITS),
    ],
    [tied(model, "label_smoothing", slider, smoothing), down, up],
  );
  return {
    rows,
    draw: words.draw,
    update() {
      update();
      up.disabled = Math.max(...model.get("logits")) > shared.logit.max - 1;
    },
  };
}

/** The curve of the loss over the right word's logit, its current point, and its slope there. */
function lossCurve() {
  const { min, max } = shared.logit;
  const drawing = chart({ width: 330, height: 200, lines: 3 });
  const places = Array.from({ length: 61 }, (_, i) => min + ((max - min) * i) / 60);
  return {
    element: drawing.element,
    /** @param {State} state @param {Results} results */
    update(state, { gradient, measures }) {
      const { words, logits, target } = state;
      const [z, [loss], [slope]] = [logits[target], measures[0], gradient[target]];
      /** @type {Point[]} */
      const curve = places.map((x) => [x, lossAt(state, x)]);
      const top = Math.ceil(Math.max(...curve.map(([, y]) => y)) / 4) * 4; // so that it seldom moves
      const reach = Math.min(REACH, loss / Math.abs(slope)); // not below 0
      const ends = [Math.max(min, z - reach), Math.min(max, z + reach)];
      const texts = { word: words[target], loss: format(loss, 2), slope: format(slope, 2) };
      const [label, ...names] = shared.curve.map((text) => fill(text, texts));
      drawing.update({
        x: { label, min, max },
        y: { label: "loss", min: 0, max: top },
        lines: [
          { name: names[0], points: curve },
          { name: names[1], points: ends.map((x) => [x, loss + slope * (x - z)]) },
          { name: names[2], points: [[z, loss]], marks: true },
        ],
      });
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const words = model.get("words");
  const [panel, news, curve] = [controls(model), status(), lossCurve()];
  const views = tables(shared.captions, {
    probabilities: { rows: words.length, columns: 2 },
    gradient: { rows: words.length, columns: 1 },
    measures: { rows: shared.measures.length, columns: 1, kind: "tl-plain" },
  });
  const numbers = panels(views.probabilities, views.gradient, views.measures);
  const [bars, ...others] = panel.rows;
  bars.classList.add("tl-answer");
  el.classList.add("tl-figure", "tl-logits-to-loss", "tl-spotted");
  el.append(h("p", { class: "tl-aside" }, shared.aside), inView(bars));
  el.append(h("div", { class: "ll-below" }, curve.element, h("div", {}, ...others)), news.element);
  el.append(h("details", {}, h("summary", {}, shared.fold), numbers));

  return connect(model, TRAITS, () => {
    const [results, target] = [compute(model), model.get("target")];
    panel.update();
    panel.draw(results.probabilities, target);
    curve.update(stateOf(model, TRAITS), results);
    views.probabilities.update(results.probabilities, words, shared.heads.probabilities, target);
    views.gradient.update(results.gradient, words, shared.heads.gradient, target);
    views.measures.update(results.measures, shared.measures, shared.heads.measures);
    news.say(verdict(results, words[target], target));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
