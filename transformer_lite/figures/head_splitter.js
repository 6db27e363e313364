// @ts-check
// The head splitter: follow one number from the values through its head to the output.

import { dot, mix, scoreMatrix, softmax } from "./math.js";
import { assign, choice, connect, controlRow, format, h, matrix, menu, nameResults, resetButton, setText, slider, status } from "./kit.js";

/** @typedef {{tokens: string[], embeddings: number[][], d_model: number, num_heads: number,
 *   token: number, feature: number, query: number}} State */
/** @typedef {import("./kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = ["tokens", "embeddings", "d_model", "num_heads", "token", "feature", "query"];
const SPLITS = [[4, 2], [6, 2], [6, 3], [8, 1], [8, 2], [8, 4]]; // d_model, num_heads
const WAY = ["number", "weight", "product", "joined"];
const PLACES = ["offset", "head", "row", "place", "joined column"];
const range = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => i);

/** The address of an offset: right with words before heads, wrong with heads before words.
 * @param {number} offset @param {number} count words @param {number} heads @param {number} width of a head */
export function address(offset, count, heads, width) {
  const place = offset % width;
  const [head, row] = [Math.floor(offset / width) % heads, Math.floor(offset / (width * heads))];
  const [viewHead, viewRow] = [Math.floor(offset / (width * count)), Math.floor(offset / width) % count];
  return { split: [offset, head, row, place, head * width + place],
    viewed: [offset, viewHead, viewRow, place, viewHead * width + place] };
}

/** The entries of a table in memory order, cut into rows. @param {number[]} memory @param {number} width */
function rowsOf(memory, width) {
  return range(memory.length / width).map((i) => memory.slice(i * width, (i + 1) * width));
}

/** Columns of one head, from every row. @param {number[][]} x @param {number} head @param {number} width */
export function headOf(x, head, width) {
  return x.map((row) => row.slice(head * width, (head + 1) * width));
}

/** Every number of the figure; the same names as HeadSplitter.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const [size, heads, token, feature, query] = /** @type {const} */ (
    ["d_model", "num_heads", "token", "feature", "query"]).map((name) => model.get(name));
  const count = model.get("tokens").length;
  const width = size / heads;
  const values = range(count).map((t) => range(size).map((f) => 10 * (t + 1) + f));
  const matrixO = range(size).map((i) => range(size).map((j) => ((3 * i + 5 * j) % 7 - 3) / 4));
  const columns = range(size).map((j) => matrixO.map((row) => row[j]));
  const parts = range(heads).map((head) => {
    const x = headOf(model.get("embeddings"), head, width);
    const weights = scoreMatrix(x, x).map((row) => softmax(row.map((s) => s / Math.sqrt(width))));
    const split = headOf(values, head, width);
    return { split, weights, output: weights.map((row) => mix(row, split)) };
  });
  const joined = parts.flatMap((part) => part.output[query]);
  const { weights } = parts[Math.floor(feature / width)];
  const [number, weight] = [values[token][feature], weights[query][token]];
  const place = address(token * size + feature, count, heads, width);
  return { values, places: place.split.map((x, i) => [x, place.viewed[i]]), split: parts.flatMap((part) => part.split),
    viewed: rowsOf(values.flat(), width), weights, way: [number, weight, weight * number, joined[feature]].map((x) => [x]),
    row: joined.map((x, i) => [x, matrixO[feature][i], weight * number * matrixO[feature][i], dot(joined, columns[i])]) };
}

/** Where the number is, right and wrong. @param {Results} results @param {State} state */
export function placeText({ values, places }, { tokens, d_model, token, feature }) {
  const [right, wrong] = [0, 1].map((side) => places.map((pair) => pair[side]));
  const place = (/** @type {number[]} */ [, head, row, at]) => `head ${head}, row ${tokens[row]}, place ${at}`;
  const first = `${values[token][feature]} is feature ${feature} of ${tokens[token]}, ` +
    `at offset ${token} · ${d_model} + ${feature} = ${right[0]}. View and transpose put it in ${place(right)}.`;
  if (String(right) === String(wrong)) return `${first} The view alone puts it there, too.`;
  const taken = wrong[2] === right[2] ? "the right row, in the wrong head" :
    `attention takes it for a number of ${tokens[wrong[2]]}`;
  return `${first} The view alone puts it in ${place(wrong)}: ${taken}.`;
}

/** How it reaches the output of the asking word. @param {Results} results @param {State} state */
export function wayText({ way: [[number], [weight], [product], [sum]], places: [, [head]] }, { tokens, token, feature, query }) {
  return `In head ${head}, ${tokens[query]} gives ${tokens[token]} a weight of ${format(weight)}, so ${format(product)} of ` +
    `the ${number} reaches column ${feature} of ${tokens[query]}, as a part of ${format(sum)}. W⁽ᵒ⁾ spreads it over the whole row.`;
}

/** The memory as one long row of small boxes, with the head of each number, right and wrong. */
function strip() {
  const element = h("div", { class: "hs-strip", "aria-hidden": "true" });
  return { element,
    /** @param {Results} results @param {State} state */
    update({ values, places: [[followed]] }, { d_model, num_heads }) {
      const box = (/** @type {number} */ number, /** @type {number} */ offset) => {
        const { split, viewed } = address(offset, values.length, num_heads, d_model / num_heads);
        return h("span", { class: `hs-box${offset === followed ? " hs-followed" : ""}` }, h("small", {}, String(offset)),
          h("b", {}, String(number)), h("span", {}, String(split[1])), h("i", {}, String(viewed[1])));
      };
      element.replaceChildren(...values.map((row, t) => h("span", { class: `hs-word hs-word-${t % 2}` },
        ...row.map((number, f) => box(number, t * d_model + f)))));
    } };
}

/** The tables for one split. @param {State} state */
function tables({ tokens, d_model, num_heads }) {
  const table = (/** @type {number} */ rows, /** @type {number} */ columns, caption = "", kind = "") =>
    matrix({ caption, rows, columns, kind });
  const [count, width] = [tokens.length, d_model / num_heads];
  return {
    values: table(count, d_model, "Values: tens the word, ones the feature", "hs-click"),
    places: table(PLACES.length, 2),
    split: table(num_heads * count, width, "view, then transpose"),
    viewed: table(num_heads * count, width, "view alone"),
    weights: table(count, count),
    way: table(WAY.length, 1),
    row: table(d_model, 4),
  };
}

/**
 * Fill the tables, and frame the followed number wherever it is.
 * @param {ReturnType<typeof tables>} views @param {Results} results @param {State} state
 */
function show(views, results, { tokens, d_model, num_heads, token, feature, query }) {
  const count = tokens.length;
  const features = range(d_model).map(String);
  const places = features.slice(0, d_model / num_heads);
  const rows = range(num_heads).flatMap((head) => tokens.map((name) => `head ${head}, ${name}`));
  const [, [head, viewHead], [row, viewRow], [at, viewAt]] = results.places;
  const [number, asker] = [results.values[token][feature], tokens[query]];
  setText(views.places.caption, `Where is ${number}?`);
  setText(views.weights.caption, `Weights of head ${head}`);
  setText(views.way.caption, `From ${number} to ${asker}`);
  setText(views.row.caption, `The row of ${asker}`);
  views.values.update(results.values, tokens, features, token);
  views.places.update(results.places, PLACES, ["transposed", "view alone"]);
  views.split.update(results.split, rows, places, head * count + row);
  views.viewed.update(results.viewed, rows, places, viewHead * count + viewRow);
  views.weights.update(results.weights, tokens, tokens, query);
  views.way.update(results.way, WAY, [asker]);
  views.row.update(results.row, features, ["joined", `W⁽ᵒ⁾, row ${feature}`, `${number} adds`, "output"], feature);
  const framed = [views.values.cells[token][feature], views.split.cells[head * count + row][at], views.weights.cells[query][token],
    views.viewed.cells[viewHead * count + viewRow][viewAt], views.row.cells[feature][0]];
  for (const view of Object.values(views)) for (const cell of view.cells.flat()) cell.classList.toggle("hs-followed", framed.includes(cell));
  for (const view of [views.split, views.viewed]) {
    view.cells.forEach((cells, i) => cells[0].parentElement?.classList.toggle("hs-head", i > 0 && i % count === 0));
  }
}

/** The controls. @param {Model} model @param {string[]} tokens */
function controls(model, tokens) {
  const splits = SPLITS.filter(([size]) => size <= model.get("embeddings")[0].length);
  const split = menu({ label: "D = heads × width", options: splits.map(([size, heads]) => `${size} = ${heads} × ${size / heads}`),
    onchange: (i) => {
      model.set("d_model", splits[i][0]);
      model.set("feature", Math.min(model.get("feature"), splits[i][0] - 1));
      assign(model, "num_heads", splits[i][1]);
    } });
  const token = choice({ legend: "Follow a number of", options: tokens, onchange: (i) => assign(model, "token", i) });
  const feature = slider({ label: "feature", min: 0, max: 7, step: 1, oninput: (x) => assign(model, "feature", x) });
  const query = choice({ legend: "into the output of", options: tokens, onchange: (i) => assign(model, "query", i) });
  return {
    rows: [controlRow(split.element, resetButton(model, TRAITS)), controlRow(token.element, feature.element, query.element)],
    /** @param {State} state */
    update(state) {
      split.update(splits.findIndex(([size, heads]) => size === state.d_model && heads === state.num_heads));
      token.update(state.token);
      feature.input.max = String(state.d_model - 1);
      feature.update(state.feature);
      query.update(state.query);
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const panel = controls(model, model.get("tokens"));
  const [news, memory, body] = [status(), strip(), h("div", { class: "hs-body" })];
  const legend = h("p", { class: "hs-legend" },
    "Memory, one long row. Above each number its offset; below it its head, solid after view and transpose, dashed after the view alone.");
  let shape = "";
  /** @type {ReturnType<typeof tables>} */
  let views;
  const build = (/** @type {State} */ state) => {
    views = tables(state);
    nameResults(views);
    const group = (/** @type {(keyof typeof views)[]} */ ...names) =>
      h("div", { class: "tl-panels" }, ...names.map((name) => views[name].element));
    views.values.cells.forEach((row, t) => row.forEach((cell, f) => cell.addEventListener("click", () => {
      model.set("token", t);
      assign(model, "feature", f);
    })));
    const last = h("div", { class: "tl-panels" },
      h("div", { class: "hs-stack" }, views.weights.element, views.way.element), views.row.element);
    body.replaceChildren(group("values", "places"), legend, memory.element, group("split", "viewed"), last);
  };
  el.classList.add("tl-figure", "tl-head-splitter");
  el.append(...panel.rows, news.element, body);

  return connect(model, TRAITS, () => {
    const state = /** @type {State} */ (Object.fromEntries(TRAITS.map((name) => [name, model.get(name)])));
    if (state.feature >= state.d_model || state.d_model % state.num_heads) return; // between two changes of one step
    if (shape !== `${state.d_model}/${state.num_heads}`) build(state);
    shape = `${state.d_model}/${state.num_heads}`;
    const results = compute(model);
    panel.update(state);
    show(views, results, state);
    memory.update(results, state);
    news.say(`${placeText(results, state)} ${wayText(results, state)}`);
  });
}

export default { render };
