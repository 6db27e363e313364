// @ts-check
// The scale lab: who is nearest to the first row, and what does a scale do to that?

import {
  choice,
  form,
  menu,
  resetButton,
  showing,
  slider,
  tied,
} from "../../kit/figures/controls.js";
import { assign, connect, fill, h, inView, panels, status } from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import shared from "./scale_lab.json" with { type: "json" };
import { compute, nearest, announcementText } from "./scale_math.js";
import { plane } from "./scale_plane.js";

/** @typedef {import("./scale_math.js").State} State */
/** @typedef {import("./scale_math.js").Model} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["table", "scaling", "divisor", "row"];
const SCALINGS = /** @type {State["scaling"][]} */ (shared.scalings);

/** The scaling and the unit; below them a row with its two numbers. @param {Model} model */
function controls(model) {
  const [options, features] = [model.get("names"), model.get("features")];
  const divisors = { options: shared.divisors.map(String), values: shared.divisors };
  const numbers = features.map((label, d) => {
    const oninput = (/** @type {number} */ x) => {
      const [table, i] = [model.get("table"), model.get("row")];
      assign(model, "table", table.with(i, table[i].with(d, x)));
    };
    const part = slider({ label, ...shared.numbers[d], oninput });
    return showing(part, () => model.get("table")[model.get("row")][d]);
  });
  return form(
    [
      tied(model, "scaling", choice, { legend: "Scaling", options: SCALINGS, values: SCALINGS }),
      tied(model, "divisor", choice, { legend: `Divide ${features[1]} by`, ...divisors }),
      resetButton(model, TRAITS),
    ],
    [tied(model, "row", menu, { label: "Row", options }), ...numbers],
  );
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [names, features] = [model.get("names"), model.get("features")];
  const panel = controls(model);
  const drawing = plane(names, features);
  const news = status();
  const views = tables(shared.captions, {
    table: { rows: names.length, columns: 2 },
    scaled: { rows: names.length, columns: 2 },
    distances: { rows: names.length, columns: 1, kind: "tl-bars" },
  });
  const { distances, ...steps } = views;
  distances.name({ first: names[0] });
  const fold = h("summary", {}, shared.fold);
  el.classList.add("tl-figure", "tl-scale-lab");
  el.append(
    h("p", { class: "tl-aside" }, fill(shared.question, { first: names[0] })),
    inView(...panel.rows),
    news.element,
    h("div", { class: "sl-stage" }, drawing.element, distances.element),
    h("details", {}, fold, panels(...Object.values(steps))),
  );

  return connect(model, TRAITS, () => {
    const results = compute(model);
    const near = nearest(results.distances)[0];
    panel.update();
    drawing.update(results);
    views.table.update(results.table, names, features, near);
    views.scaled.update(results.scaled, names, features, near);
    distances.update(results.distances, names, ["distance"], near);
    news.say(announcementText(results, names));
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
