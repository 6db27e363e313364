// @ts-check
// Logits to loss: drag a logit and see probability, loss and gradient move.

import { choice, form, group, resetButton, showing, slider, tied } from "../kit/controls.js";
import { assign, connect, format, h, inView, panels, status } from "../kit/kit.js";
import { tables } from "../kit/table.js";
import shared from "./logits_to_loss.json" with { type: "json" };
import { compute, raisedBy, stepped } from "./logits_to_loss_math.js";

/** @typedef {import("./logits_to_loss_math.js").State} State */
/** @typedef {import("./logits_to_loss_math.js").Results} Results */
/** @typedef {import("../kit/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["words", "logits", "target", "label_smoothing"];
const ALMOST_0 = 0.005;

/** A probability in words: one that rounds to 0 is not 0. @param {number} p */
function chance(p) {
  return p < 0.0001 ? "less than 0.0001" : format(p);
}

/** What the loss says about the right word, and where the gradient leads. @param {Results} results @param {string} word @param {number} target */
export function verdict({ probabilities, gradient, measures }, word, target) {
  const [p, wanted] = probabilities[target];
  const [[loss], [least]] = measures;
  const slope = gradient[target][0];
  const start = `“${word}” gets ${chance(p)}, and the loss is ${format(loss)}`;
  const floor = least > 0 ? `, of which ${format(least)} cannot be learned away. ` : ". ";
  if (Math.abs(slope) < ALMOST_0) return `${start}${floor}Its gradient is almost 0.`;
  const way =
    slope < 0
      ? "a step raises this logit, and lowers the others by as much, taken together."
      : `a step lowers this logit, because ${format(p)} is more than its target ${format(wanted)}.`;
  return `${start}${floor}Its gradient is ${format(slope)}: ${way}`;
}

/** A slider for each logit. @param {Model} model */
function logitSliders(model) {
  const sliders = model.get("words").map((label, j) => {
    const oninput = (/** @type {number} */ z) =>
      assign(model, "logits", model.get("logits").with(j, z));
    const text = (/** @type {number} */ z) => format(z, 2);
    return showing(slider({ label, ...shared.logit, oninput, text }), () => model.get("logits")[j]);
  });
  const element = group("Logits", ...sliders.map((part) => part.element));
  element.classList.add("ll-logits");
  return { element, update: () => sliders.forEach((part) => part.update()) };
}

/** The controls. @param {Model} model */
function controls(model) {
  const smoothing = { label: "label smoothing", ...shared.smoothing };
  const step = () => assign(model, "logits", stepped(model.get("logits"), compute(model).gradient));
  const raise = () => assign(model, "logits", raisedBy(model.get("logits"), 1));
  const down = h("button", { type: "button", onclick: step }, "Step down the gradient");
  const up = h("button", { type: "button", onclick: raise }, "Add 1 to all logits");
  const { rows, update } = form(
    [logitSliders(model)],
    [tied(model, "target", choice, { legend: "The right word", options: model.get("words") })],
    [tied(model, "label_smoothing", slider, smoothing), down, up, resetButton(model, TRAITS)],
  );
  return {
    rows,
    update() {
      update();
      up.disabled = Math.max(...model.get("logits")) > shared.logit.max - 1;
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const words = model.get("words");
  const [panel, news] = [controls(model), status()];
  const views = tables(shared.captions, {
    probabilities: { rows: words.length, columns: 2, kind: "tl-bars ll-probabilities" },
    gradient: { rows: words.length, columns: 1, kind: "tl-bars ll-gradient" },
    measures: { rows: shared.measures.length, columns: 1, kind: "tl-plain" },
  });
  el.classList.add("tl-figure", "tl-logits-to-loss");
  el.append(inView(...panel.rows), news.element);
  el.append(panels(views.probabilities, views.gradient, views.measures));

  return connect(model, TRAITS, () => {
    const [results, target] = [compute(model), model.get("target")];
    panel.update();
    views.probabilities.update(results.probabilities, words, shared.heads.probabilities, target);
    views.gradient.update(results.gradient, words, shared.heads.gradient, target);
    views.measures.update(results.measures, shared.measures, shared.heads.measures);
    results.probabilities.forEach((row, i) => {
      row.forEach((share, j) =>
        views.probabilities.cells[i][j].style.setProperty("--share", String(share)),
      );
      views.gradient.cells[i][0].style.setProperty("--slope", String(results.gradient[i][0]));
    });
    news.say(verdict(results, words[target], target));
  });
}

export default { render };
