// @ts-check
// The mask lab: which query may attend to which key, and how are the weights divided?

import {
  choice,
  form,
  group,
  resetButton,
  showing,
  tied,
  toggle,
} from "../../kit/figures/controls.js";
import {
  assign,
  connect,
  counted,
  format,
  h,
  inView,
  panels,
  setText,
  status,
} from "../../kit/figures/kit.js";
import { tables } from "../../kit/figures/table.js";
import { touring } from "../../kit/figures/tour.js";
import shared from "./mask_lab.json" with { type: "json" };
import {
  compute,
  emptyText,
  fullyMaskedRows,
  leakText,
  namesOf,
  padsOf,
  rowsText,
  setPad,
} from "./mask_rules.js";

/** @typedef {import("./mask_rules.js").State} State */
/** @typedef {import("./mask_rules.js").Model} Model */
/** @typedef {import("./mask_rules.js").Results} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = [
  "token_ids",
  "words",
  "embeddings",
  "pad_id",
  "padding",
  "outer",
  "causal",
  "selected",
];
const MASKS = /** @type {const} */ (["padding", "look_ahead", "combined"]);
const SCORES = /** @type {const} */ (["scores", "masked", "plain", "lowered", "weights"]);

/** A checkbox a token, which makes it a pad. @param {Model} model @param {string[]} places */
function padBoxes(model, places) {
  const start = model.get("token_ids");
  /** @param {number} i @param {boolean} on */
  const change = (i, on) => {
    const ids = setPad(model.get("token_ids"), start, model.get("pad_id"), i, on);
    assign(model, "token_ids", ids);
  };
  const boxes = places.map((label, i) =>
    showing(toggle({ label, onchange: (on) => change(i, on) }), () => padsOf(model)[i]),
  );
  return {
    element: group("Pads", ...boxes.map((box) => box.element)),
    update: () => boxes.forEach((box) => box.update()),
  };
}

/** The controls, in their rows. @param {Model} model @param {string[]} places the tokens' numbers */
function controls(model, places) {
  const kinds = ["as keys (key-broadcast)", "as keys and queries (outer product)"];
  const outer = { options: kinds, values: [false, true] };
  const rule = tied(model, "outer", choice, { legend: "Pads hidden", ...outer });
  const { rows, update } = form(
    [
      padBoxes(model, places),
      tied(model, "selected", choice, { legend: "Follow row", options: places }),
      resetButton(model, TRAITS),
    ],
    [
      tied(model, "padding", toggle, { label: "apply the padding mask" }),
      tied(model, "causal", toggle, { label: "apply the look-ahead mask" }),
    ],
    [rule],
  );
  return {
    rows,
    update() {
      update();
      rule.element.disabled = !model.get("padding");
    },
  };
}

/** The tables. @param {number} size @param {number} width */
function tablesFor(size, width) {
  const square = { rows: size, columns: size };
  const mask = { ...square, kind: "tl-mask" };
  const weights = { ...square, write: (/** @type {number} */ x) => format(x, 3) };
  const views = tables(shared.captions, {
    padding: mask,
    look_ahead: mask,
    combined: mask,
    embeddings: { rows: size, columns: width },
    scores: square,
    masked: square,
    plain: weights,
    lowered: weights,
    weights: { ...weights, kind: "ml-cells" },
    on_pads: { rows: size, columns: shared.conventions.length },
  });
  views.scores.name({ width });
  return views;
}

/**
 * Fill the tables from the results.
 * @param {ReturnType<typeof tablesFor>} views @param {Model} model @param {Results} results @param {string[]} names
 */
function show(views, model, results, names) {
  const selected = model.get("selected");
  const labelled = names.map((name, i) => `${name}, id ${model.get("token_ids")[i]}`);
  const off = (/** @type {boolean} */ on) => ({ off: on ? "" : " (off)" });
  views.padding.name(off(model.get("padding")));
  views.look_ahead.name(off(model.get("causal")));
  for (const name of MASKS) {
    const ones = results[name].map((row) => row.map(Number));
    views[name].update(ones, names, names, selected);
  }
  for (const name of SCORES) views[name].update(results[name], names, names, selected);
  const entries = counted(results.embeddings[0]);
  views.embeddings.update(results.embeddings, labelled, entries, selected);
  views.on_pads.update(results.on_pads, names, shared.conventions, selected);
  const empty = fullyMaskedRows(results.combined);
  views.weights.mark("ml-pad", (i, j) => !results.padding[i][j]);
  views.weights.mark("ml-ahead", (i, j) => !results.look_ahead[i][j]);
  for (const view of [views.plain, views.lowered, views.weights])
    view.lines.forEach((line, i) => line.classList.toggle("tl-full", empty.includes(i)));
}

/** What the hatchings mean. */
function legend() {
  const signs = shared.legend.map(([kind, text]) =>
    h("span", {}, h("i", { class: `ml-sign ${kind}` }), ` ${text}`),
  );
  return h("p", { class: "tl-aside tl-signs", "aria-hidden": "true" }, ...signs);
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const places = counted(model.get("token_ids"));
  const [panel, news, conventions] = [controls(model, places), status(), h("p")];
  const { weights, ...views } = tablesFor(places.length, model.get("embeddings")[0].length);
  el.classList.add("tl-figure", "tl-mask-lab");
  el.append(
    h("p", { class: "tl-aside" }, shared.question),
    inView(...panel.rows),
    news.element,
    h("div", { class: "ml-stage tl-answer" }, weights.element, legend()),
    h(
      "details",
      {},
      h("summary", {}, shared.fold),
      panels(views.padding, views.look_ahead, views.combined),
      panels(views.embeddings, views.scores, views.masked),
      conventions,
      panels(views.plain, views.lowered, views.on_pads),
    ),
  );

  return connect(model, TRAITS, () => {
    const isPad = padsOf(model);
    const results = compute(model);
    const leak = leakText(results, isPad, model.get("selected"), model.get("padding"));
    panel.update();
    show({ ...views, weights }, model, results, namesOf(model));
    setText(conventions, rowsText(results));
    news.say(`${leak} ${emptyText(results)}`);
  });
}

export default { render: touring(render, TRAITS, shared.tour, compute) };
