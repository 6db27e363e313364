// @ts-check
// Position schemes: the same three tokens, the same scores, and what each scheme adds to them.

import { dot, frequencies, scoreMatrix } from "./math.js";
import { assign, choice, connect, controlRow, format, h, matrix, nameResults, resetButton, setText, slider, status } from "./kit.js";

/** @typedef {{tokens: string[], embeddings: number[][], scheme: string, shift: number,
 *   learned: number[][], vectors: number[][], numbers: number[]}} State */
/** @typedef {import("./kit.js").Model<State>} Model */
/** @typedef {Pick<Model, "get">} Source */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = ["tokens", "embeddings", "scheme", "shift", "learned", "vectors", "numbers"];
export const SCHEMES = ["none", "sinusoidal", "learned", "Shaw", "T5", "RoPE", "ALiBi"];
const FARTHEST = 20;
const SLOPE = 0.5; // the first of ALiBi's eight heads
const SAME = 1e-9;

/** @param {number} position @param {number} width */
export function sinusoid(position, width) {
  return frequencies(width).flatMap((speed) => [Math.sin(position * speed), Math.cos(position * speed)]);
}

/** Turn the pairs (i, i + half): transformer_lite.rotate_half_split. @param {number[]} row @param {number} position */
export function rotate(row, position) {
  const half = row.length / 2;
  const angles = frequencies(row.length).map((speed) => position * speed);
  return row.map((x, d) => {
    const angle = angles[d % half];
    return x * Math.cos(angle) + (d < half ? -row[d + half] : row[d - half]) * Math.sin(angle);
  });
}

/** T5's bucket among 8, for offsets up to 2. @param {number} offset key minus query */
export function bucket(offset) {
  return Math.abs(offset) + (offset > 0 ? 4 : 0);
}

/** What a token at a position becomes before scores are taken. @param {Source} model @param {string} scheme
 * @param {number[]} row @param {number} position */
function placed(model, scheme, row, position) {
  if (scheme === "RoPE") return rotate(row, position);
  const sinusoids = scheme === "sinusoidal" ? sinusoid(position, row.length) : row.map(() => 0);
  const added = scheme === "learned" ? model.get("learned")[position] : sinusoids;
  return row.map((x, d) => (added ? x + added[d] : NaN));
}

/** What is added to the score of query i and key j. @param {Source} model @param {string} scheme
 * @param {number} i @param {number} j */
function bias(model, scheme, i, j) {
  const rows = model.get("embeddings");
  if (scheme === "Shaw") {
    const vector = model.get("vectors")[Math.max(-1, Math.min(1, j - i)) + 1];
    return dot(rows[i], vector) / Math.sqrt(vector.length);
  }
  if (scheme === "T5") return model.get("numbers")[bucket(j - i)];
  return scheme === "ALiBi" ? -SLOPE * Math.abs(i - j) : 0;
}

/** The scores when the first token stands at `start`. @param {Source} model @param {string} scheme @param {number} start */
export function scoresAt(model, scheme, start) {
  const rows = model.get("embeddings").map((row, i) => placed(model, scheme, row, start + i));
  return scoreMatrix(rows, rows).map((row, i) =>
    row.map((s, j) => s / Math.sqrt(rows[0].length) + bias(model, scheme, i, j)));
}

/** @param {number[][]} a @param {number[][]} b */
function difference(a, b) {
  return a.map((row, i) => row.map((x, j) => x - b[i][j]));
}

/** Every number of the figure; the same names as PositionSchemes.results(). @param {Source} model */
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
  if (!shift) return `${scheme}: the sentence stands at positions 0 to 2. Move it and watch the scores.`;
  const where = `${scheme}, at positions ${shift} to ${shift + 2}`;
  const rest = `Unchanged: ${still.join(", ")}.`;
  if (Number.isNaN(moved)) return `${where}: the table ends at position ${learned.length - 1}, so there are scores missing. ${rest}`;
  if (moved < SAME) return `${where}: no score has changed. ${rest}`;
  return `${where}: scores have changed by up to ${format(moved)}. ${rest}`;
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const picker = choice({ legend: "Scheme", options: SCHEMES, onchange: (i) => assign(model, "scheme", SCHEMES[i]) });
  const shift = slider({ label: "first token at position", min: 0, max: FARTHEST, step: 1,
    oninput: (x) => assign(model, "shift", x) });
  const news = status();
  const square = { rows: 3, columns: 3 };
  const views = {
    content: matrix({ caption: "Content part", ...square }),
    position: matrix({ caption: "", ...square }),
    sum: matrix({ caption: "Score: the sum", ...square }),
    change: matrix({ caption: "", rows: SCHEMES.length, columns: 3, kind: "ps-bars" }),
  };
  nameResults(views);
  const sign = (/** @type {string} */ text) => h("span", { class: "ps-sign", "aria-hidden": "true" }, text);

  el.classList.add("tl-figure", "tl-position-schemes");
  el.append(controlRow(picker.element),
    controlRow(shift.element, resetButton(model, TRAITS)), news.element,
    h("div", { class: "ps-sum" }, views.content.element, sign("+"), views.position.element,
      sign("="), views.sum.element), views.change.element);

  return connect(model, TRAITS, () => {
    const state = /** @type {State} */ (Object.fromEntries(TRAITS.map((name) => [name, model.get(name)])));
    const results = compute(model);
    const names = state.tokens.map((token, i) => `${token}, ${state.shift + i}`);
    picker.update(SCHEMES.indexOf(state.scheme));
    shift.update(state.shift);
    setText(views.position.caption, `Position part: ${state.scheme}`);
    setText(views.change.caption, `${state.tokens[2]} looks at ${state.tokens[0]}, under all schemes`);
    for (const name of /** @type {const} */ (["content", "position", "sum"])) {
      views[name].update(results[name], state.tokens, names);
    }
    const heads = ["at 0", `at ${state.shift}`, "largest change of all"];
    views.change.update(results.change, SCHEMES, heads, SCHEMES.indexOf(state.scheme));
    const most = Math.max(1e-9, ...results.change.map((row) => row[2]).filter(Number.isFinite));
    results.change.forEach((row, i) => views.change.cells[i][2].style.setProperty("--share", String((row[2] || 0) / most)));
    news.say(verdict(results, state));
  });
}

export default { render };
