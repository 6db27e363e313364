// @ts-check
// What remains of a token without its mean and its spread?

import { choice, form, resetButton, showing, slider, tied } from "../../kit/figures/controls.js";
import { assign, connect, h, inView, status } from "../../kit/figures/kit.js";
import { touring } from "../../kit/figures/tour.js";
import shared from "./layer_norm_lab.json" with { type: "json" };
import { tableView } from "./norm_groups.js";
import { compute, TOKEN } from "./norm_math.js";
import { epsText, tokenView } from "./norm_steps.js";

/** @typedef {import("./norm_math.js").State} State */

const VIEWS = /** @type {const} */ (["token", "table"]);
/** What Reset puts back: not the view. @type {(keyof State & string)[]} */
const TRAITS = [...TOKEN, "axis", "count_pads", "selected"];
/** @type {(keyof State & string)[]} */
const ALL = ["view", ...TRAITS];

/** ε by its place on the slider: 0, then 10⁻¹² to 1. @param {number} place */
export function epsAt(place) {
  return place === 0 ? 0 : Number(`1e${place - 13}`);
}

/** The place nearest to ε. @param {number} eps */
export function placeOf(eps) {
  return eps === 0 ? 0 : Math.max(1, Math.round(Math.log10(eps)) + 13);
}

/** @param {{model: import("./norm_math.js").Model, el: HTMLElement}} context */
function render({ model, el }) {
  const news = status();
  const views = { token: tokenView(model, news.say), table: tableView(model, news.say) };
  const kinds = { options: ["one token", "a table of tokens"], values: VIEWS };
  const eps = slider({
    label: "ε",
    min: 0,
    max: 13,
    step: 1,
    text: () => epsText(model.get("eps")),
    oninput: (place) => assign(model, "eps", epsAt(place)),
  });
  const panel = form([
    tied(model, "view", choice, { legend: "Normalize", ...kinds }),
    showing(eps, () => placeOf(model.get("eps"))),
    resetButton(model, TRAITS),
  ]);
  el.classList.add("tl-figure", "tl-layer-norm-lab");
  el.append(h("p", { class: "tl-aside" }, shared.question));
  el.append(inView(...panel.rows), news.element, views.token.element, views.table.element);

  return connect(model, ALL, () => {
    const shown = model.get("view");
    panel.update();
    for (const name of VIEWS) views[name].element.hidden = name !== shown;
    views[shown].redraw();
  });
}

export default { render: touring(render, ALL, shared.tour, compute) };
