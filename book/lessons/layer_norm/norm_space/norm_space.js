// @ts-check
// The norm space: where does a norm move a token of three numbers?

import { choice, form, resetButton, showing, slider, tied } from "../../kit/figures/controls.js";
import { assign, assignAll, connect, h, inView, status } from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import shared from "./norm_space.json" with { type: "json" };
import { space } from "./space_drawing.js";
import { compute, announcementText } from "./space_math.js";

/** @typedef {import("./space_math.js").State} State */
/** @typedef {import("./space_math.js").Model} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["token", "norm", "turn", "tilt"];
const NORMS = /** @type {State["norm"][]} */ (shared.norms);

/** The norm; below it the three numbers, and the side that the drawing is seen from. @param {Model} model */
function controls(model) {
  const numbers = shared.entries.map((label, i) => {
    const oninput = (/** @type {number} */ x) =>
      assign(model, "token", model.get("token").with(i, x));
    return showing(slider({ label, ...shared.number, oninput }), () => model.get("token")[i]);
  });
  return form(
    [
      tied(model, "norm", choice, { legend: "Norm", options: NORMS, values: NORMS }),
      resetButton(model, TRAITS),
    ],
    numbers,
    [
      tied(model, "turn", slider, { label: "Turn", ...shared.turn }),
      tied(model, "tilt", slider, { label: "Tilt", ...shared.tilt }),
    ],
  );
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const panel = controls(model);
  const drawing = space(
    () => [model.get("turn"), model.get("tilt")],
    (turn, tilt) => assignAll(model, { turn, tilt }),
  );
  const news = status();
  const views = tables(shared.captions, {
    steps: { rows: 3, columns: 3 },
    removed: { rows: 2, columns: 1 },
  });
  el.classList.add("tl-figure", "tl-norm-space");
  el.append(
    h("p", { class: "tl-aside" }, shared.question),
    inView(...panel.rows),
    news.element,
    h(
      "div",
      { class: "ns-stage" },
      drawing.element,
      h("div", { class: "ns-tables" }, views.steps.element, views.removed.element),
    ),
  );
  return connect(model, TRAITS, () => {
    const results = compute(model);
    const [norm, turn, tilt] = [model.get("norm"), model.get("turn"), model.get("tilt")];
    panel.update();
    drawing.update(results, { token: model.get("token"), norm, turn, tilt });
    views.steps.update(results.steps, shared.rows[norm], shared.entries);
    views.removed.update(results.removed, shared.removed[norm], ["number"]);
    news.say(announcementText(results, norm));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
