// @ts-check
// The scale lab: choose a scaling and change a row, see which row is nearest to the first.

import { choice, menu, resetButton, slider } from "../kit/controls.js";
import { assign, connect, controlRow, h, panels, status } from "../kit/kit.js";
import { tables } from "../kit/table.js";
import shared from "./scale_lab.json" with { type: "json" };
import { compute, nearest, newsText } from "./scale_math.js";
import { plane } from "./scale_plane.js";

/** @typedef {import("./scale_math.js").State} State */
/** @typedef {import("./scale_math.js").Model} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["table", "scaling", "divisor", "row"];
const SCALINGS = /** @type {State["scaling"][]} */ (shared.scalings);

/** The choice of a scaling and of a unit. @param {Model} model */
function scaleControls(model) {
  const scaling = choice({
    legend: "Scaling",
    options: SCALINGS,
    onchange: (i) => assign(model, "scaling", SCALINGS[i]),
  });
  const divisor = choice({
    legend: `Divide ${model.get("features")[1]} by`,
    options: shared.divisors.map(String),
    onchange: (i) => assign(model, "divisor", shared.divisors[i]),
  });
  return {
    element: controlRow(scaling.element, divisor.element),
    update() {
      scaling.update(SCALINGS.indexOf(model.get("scaling")));
      divisor.update(shared.divisors.indexOf(model.get("divisor")));
    },
  };
}

/** The choice of a row, and its two numbers. @param {Model} model */
function rowControls(model) {
  const row = menu({
    label: "Row",
    options: model.get("names"),
    onchange: (i) => assign(model, "row", i),
  });
  const numbers = model.get("features").map((name, d) =>
    slider({
      label: name,
      ...shared.numbers[d],
      oninput: (x) => {
        const [table, i] = [model.get("table"), model.get("row")];
        assign(model, "table", table.with(i, table[i].with(d, x)));
      },
    }),
  );
  const parts = [row, ...numbers].map((part) => part.element);
  return {
    element: controlRow(...parts, resetButton(model, TRAITS)),
    update() {
      row.update(model.get("row"));
      numbers.forEach((one, d) => one.update(model.get("table")[model.get("row")][d]));
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [names, features] = [model.get("names"), model.get("features")];
  const [scales, rows] = [scaleControls(model), rowControls(model)];
  const drawing = plane(names, features);
  const news = status();
  const views = tables(shared.captions, {
    table: { rows: names.length, columns: 2 },
    scaled: { rows: names.length, columns: 2 },
    distances: { rows: names.length, columns: 1 },
  });
  const stage = h("div", { class: "sl-stage" }, drawing.element, panels(...Object.values(views)));
  el.classList.add("tl-figure", "tl-scale-lab");
  el.append(scales.element, rows.element, news.element, stage);

  return connect(model, TRAITS, () => {
    const results = compute(model);
    const near = nearest(results.distances)[0];
    scales.update();
    rows.update();
    drawing.update(results);
    views.table.update(results.table, names, features, near);
    views.scaled.update(results.scaled, names, features, near);
    views.distances.update(results.distances, names, ["distance"], near);
    news.say(newsText(results, names));
  });
}

export default { render };
