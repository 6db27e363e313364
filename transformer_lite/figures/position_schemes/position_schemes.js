// @ts-check
// Position schemes: the same three tokens, the same scores, and what each scheme adds to them.

import { choice, form, resetButton, slider, tied } from "../kit/controls.js";
import { connect, fill, format, h, stateOf, status } from "../kit/kit.js";
import { tables } from "../kit/table.js";
import shared from "./position_schemes.json" with { type: "json" };
import { scoresAt } from "./scheme_scores.js";

/** @typedef {import("./scheme_scores.js").State} State */
/** @typedef {import("./scheme_scores.js").Model} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = ["tokens", "embeddings", "scheme", "shift", "learned", "vectors", "numbers"];
const SCHEMES = shared.schemes;
const SAME = 1e-9;

/** @param {number[][]} a @param {number[][]} b */
function difference(a, b) {
  return a.map((row, i) => row.map((x, j) => x - b[i][j]));
}

/** Every number of the figure; the same names as PositionSchemes.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const [scheme, shift] = [model.get("scheme"), model.get("shift")];
  const content = scoresAt(model, "none", 0);
  const sum = scoresAt(model, scheme, shift);
  const change = SCHEMES.map((name) => {
    const [first, here] = [scoresAt(model, name, 0), scoresAt(model, name, shift)];
    return [first[2][0], here[2][0], Math.max(...difference(here, first).flat().map(Math.abs))];
  });
  return { content, position: difference(sum, content), sum, change };
}

/** Whether the scores have moved with the tokens, in words. @param {Results} results @param {State} state */
export function verdict({ change }, { scheme, shift, learned }) {
  const moved = change[SCHEMES.indexOf(scheme)][2];
  const still = SCHEMES.filter((_, i) => change[i][2] < SAME);
  if (!shift)
    return `${scheme}: the sentence stands at positions 0 to 2. Move it and watch the scores.`;
  const where = `${scheme}, at positions ${shift} to ${shift + 2}`;
  const rest = `Unchanged: ${still.join(", ")}.`;
  if (Number.isNaN(moved))
    return `${where}: the table ends at position ${learned.length - 1}, so there are scores missing. ${rest}`;
  if (moved < SAME) return `${where}: no score has changed. ${rest}`;
  return `${where}: scores have changed by up to ${format(moved)}. ${rest}`;
}

/** The controls, in their rows. @param {Model} model */
function controls(model) {
  const label = "first token at position";
  return form(
    [tied(model, "scheme", choice, { legend: "Scheme", options: SCHEMES, values: SCHEMES })],
    [tied(model, "shift", slider, { label, ...shared.shift }), resetButton(model, TRAITS)],
  );
}

/** The tables. */
function tablesFor() {
  const square = { rows: 3, columns: 3 };
  const change = { rows: SCHEMES.length, columns: 3, kind: "ps-bars" };
  return tables(shared.captions, { content: square, position: square, sum: square, change });
}

/** Fill the tables. @param {ReturnType<typeof tablesFor>} views @param {Results} results @param {State} state */
function show(views, results, { tokens, shift, scheme }) {
  const names = tokens.map((token, i) => `${token}, ${shift + i}`);
  const heads = shared.change.map((head) => fill(head, { shift }));
  views.position.name({ scheme });
  views.change.name({ first: tokens[0], last: tokens[2] });
  for (const name of /** @type {const} */ (["content", "position", "sum"]))
    views[name].update(results[name], tokens, names);
  views.change.update(results.change, SCHEMES, heads, SCHEMES.indexOf(scheme));
  const most = Math.max(1e-9, ...results.change.map((row) => row[2]).filter(Number.isFinite));
  results.change.forEach((row, i) =>
    views.change.cells[i][2].style.setProperty("--share", String((row[2] || 0) / most)),
  );
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const panel = controls(model);
  const news = status();
  const views = tablesFor();
  const sign = (/** @type {string} */ text) =>
    h("span", { class: "ps-sign", "aria-hidden": "true" }, text);
  const [content, position, sum] = [views.content, views.position, views.sum].map((v) => v.element);
  el.classList.add("tl-figure", "tl-position-schemes");
  el.append(
    ...panel.rows,
    news.element,
    h("div", { class: "ps-sum" }, content, sign("+"), position, sign("="), sum),
    views.change.element,
  );

  return connect(model, TRAITS, () => {
    const results = compute(model);
    const state = stateOf(model, TRAITS);
    panel.update();
    show(views, results, state);
    news.say(verdict(results, state));
  });
}

export default { render };
