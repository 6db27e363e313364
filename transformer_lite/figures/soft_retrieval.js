// @ts-check
// Soft retrieval: drag the query among the keys, watch the weights and the mixture of the values.

import { along, place, svg } from "./drawing.js";
import { assign, connect, controlRow, format, formatVector, h, matrix, menu, nameResults, resetButton, setText, slider, status } from "./kit.js";
import { mix, scoreMatrix, softmax } from "./math.js";
import { hull } from "./plane_math.js";

/** @typedef {{words: string[], places: number[][], query: number[], features: string[],
 *   sharpness: number, values: "keys" | "swapped" | "second"}} State */
/** @typedef {import("./kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** @type {(keyof State & string)[]} */
const TRAITS = ["query", "sharpness", "values"];
/** @type {State["values"][]} */
const KINDS = ["keys", "swapped", "second"];
const PLANE = { min: -4, max: 4 };
const STEPS = /** @type {Record<string, number[]>} */ ({
  ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowDown: [0, -0.1], ArrowUp: [0, 0.1] });

/** The value of a key. @param {number[]} key @param {State["values"]} kind */
export function valueOf([a, b], kind) {
  return { keys: [a, b], swapped: [b, a], second: [0, b] }[kind];
}

/** Every number of the figure; the same names as SoftRetrieval.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const keys = model.get("places");
  const [scores] = scoreMatrix([model.get("query")], keys);
  const values = keys.map((key) => valueOf(key, model.get("values")));
  const weights = softmax(scores.map((score) => model.get("sharpness") * score));
  return { keys, scores: scores.map((s) => [s]), weights: weights.map((w) => [w]), values, mixture: [mix(weights, values)] };
}

/** A point kept inside the plane, in steps of 0.1. @param {number[]} point */
export function inside(point) {
  return point.map((x) => Math.round(10 * Math.max(PLANE.min, Math.min(PLANE.max, x))) / 10);
}

/** The places of the largest shares; more than one where they are equal. @param {number[]} shares */
export function winners(shares) {
  const top = Math.max(...shares);
  return shares.flatMap((share, i) => (top - share < 1e-9 ? [i] : []));
}

/** What the look-up found, in words. @param {Results} results @param {string[]} words */
export function foundText({ weights, mixture }, words) {
  const shares = weights.flat();
  const top = Math.max(...shares);
  const best = winners(shares);
  const found = best.length === words.length ? `All weights are equal, ${format(top)}.`
    : `The largest weight, ${format(top)}, goes to ${best.map((i) => `“${words[i]}”`).join(" and ")}.`;
  return `${found} The mixture is ${formatVector(mixture[0])}.`;
}

/** Where a point lies in the drawing, in percent from the left and from the top. @param {number[]} point */
function percent([x, y]) {
  return [100 * along(x, PLANE), 100 - 100 * along(y, PLANE)];
}

/** The drawing: keys, values, mixture, and the query as a handle. @param {Model} model */
function plane(model) {
  const words = model.get("words");
  const move = (/** @type {number[]} */ point) => assign(model, "query", inside(point));
  const at = (/** @type {MouseEvent} */ event) => {
    const box = element.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height]
      .map((share) => PLANE.min + share * (PLANE.max - PLANE.min));
  };
  const handle = h("button", { type: "button", class: "sr-handle", "aria-label": "Query: drag it or use the arrow keys",
    onpointerdown: (/** @type {PointerEvent} */ event) => handle.setPointerCapture(event.pointerId),
    onpointermove: (/** @type {PointerEvent} */ event) => { if (handle.hasPointerCapture(event.pointerId)) move(at(event)); },
    onclick: (/** @type {Event} */ event) => event.stopPropagation(),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      move(model.get("query").map((x, i) => x + step[i]));
    } });
  const shapes = words.map(() => ({ pull: svg("line", { class: "sr-pull" }), halo: svg("circle", { class: "sr-halo" }),
    key: svg("circle", { class: "sr-key", r: 2 }), value: svg("rect", { class: "sr-value", width: 2.6, height: 2.6 }) }));
  const outline = svg("polygon", { class: "sr-hull" });
  const arrow = svg("line", { class: "sr-arrow" });
  const mixture = svg("rect", { class: "sr-mixture", width: 4.6, height: 4.6 });
  const drawing = svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("path", { class: "sr-axes", d: "M0 50H100M50 0V100" }), outline, ...shapes.map((s) => s.pull),
    ...shapes.map((s) => s.halo), arrow, ...shapes.map((s) => s.key), ...shapes.map((s) => s.value), mixture);
  const shares = words.map(() => h("span"));
  const labels = words.map((word, i) => h("span", { class: "sr-label", "aria-hidden": "true" }, word, shares[i]));
  const axes = model.get("features").map((name, i) =>
    h("span", { class: `sr-axis sr-axis-${i}`, "aria-hidden": "true" }, i ? `↑ ${name}` : `${name} →`));
  const element = h("div", { class: "sr-plane", onclick: (/** @type {MouseEvent} */ event) => move(at(event)) },
    drawing, ...axes, ...labels, handle);
  const put = (/** @type {HTMLElement} */ item, /** @type {number[]} */ point) => {
    const [left, top] = percent(point);
    Object.assign(item.style, { left: `${left}%`, top: `${top}%` });
  };
  return {
    element,
    /** @param {Results} results */
    update({ keys, values, weights, mixture: [middle] }) {
      const [mx, my] = percent(middle);
      const [qx, qy] = percent(model.get("query"));
      shapes.forEach(({ pull, halo, key, value }, i) => {
        const [kx, ky] = percent(keys[i]);
        const [vx, vy] = percent(values[i]);
        place(pull, { x1: vx, y1: vy, x2: mx, y2: my, "stroke-width": (10 * weights[i][0]).toFixed(2) });
        place(halo, { cx: kx, cy: ky, r: (9 * Math.sqrt(weights[i][0])).toFixed(2) });
        place(key, { cx: kx, cy: ky });
        place(value, { x: vx - 1.3, y: vy - 1.3 });
        setText(shares[i], weights[i][0] < 0.005 ? "< 0.01" : weights[i][0].toFixed(2));
        put(labels[i], keys[i]);
      });
      drawing.classList.toggle("sr-same", model.get("values") === "keys");
      place(outline, { points: hull(values).map((v) => percent(v).join(",")).join(" ") });
      place(arrow, { x1: 50, y1: 50, x2: qx, y2: qy });
      place(mixture, { x: mx - 2.3, y: my - 2.3 });
      put(handle, model.get("query"));
    },
  };
}

/** What the shapes of the drawing mean. */
function legend() {
  const shapes = { query: "◆", key: "●", value: "□", mixture: "■" };
  return h("p", { class: "sr-legend", "aria-hidden": "true" },
    ...Object.entries(shapes).map(([name, shape]) => h("span", {}, h("span", { class: `sr-is-${name}` }, shape), ` ${name}`)),
    h("span", {}, "╌ outline of the values"));
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const words = model.get("words");
  const features = model.get("features");
  const sliders = features.map((name, i) => slider({ label: `query: ${name}`, ...PLANE, step: 0.1,
    oninput: (x) => assign(model, "query", model.get("query").with(i, x)) }));
  const sharpness = slider({ label: "sharpness", min: 0, max: 4, step: 0.1, oninput: (x) => assign(model, "sharpness", x) });
  const kinds = menu({ label: "values", options: ["equal to the keys", "the keys, swapped", `the keys, ${features[1]} only`],
    onchange: (i) => assign(model, "values", KINDS[i]) });
  const drawing = plane(model);
  const news = status();
  const views = {
    keys: matrix({ caption: "1 Keys", rows: words.length, columns: 2 }),
    scores: matrix({ caption: "2 Query · key", rows: words.length, columns: 1 }),
    weights: matrix({ caption: "3 Weights", rows: words.length, columns: 1 }),
    values: matrix({ caption: "4 Values", rows: words.length, columns: 2, kind: "tl-values" }),
    mixture: matrix({ caption: "5 Mixture", rows: 1, columns: 2, kind: "tl-values" }),
  };
  nameResults(views);

  el.classList.add("tl-figure", "tl-soft-retrieval");
  el.append(
    controlRow(...sliders.map((s) => s.element), sharpness.element, kinds.element, resetButton(model, TRAITS)),
    news.element,
    h("div", { class: "sr-stage" }, h("div", { class: "sr-side" }, drawing.element, legend()), h("div", { class: "tl-panels" }, ...Object.values(views).map((view) => view.element))));

  return connect(model, TRAITS, () => {
    const results = compute(model);
    sliders.forEach((s, i) => s.update(model.get("query")[i]));
    sharpness.update(model.get("sharpness"));
    kinds.update(KINDS.indexOf(model.get("values")));
    drawing.update(results);
    const top = winners(results.weights.flat());
    const chosen = top.length === 1 ? top[0] : -1;
    views.keys.update(results.keys, words, features, chosen);
    views.scores.update(results.scores, words, ["score"], chosen);
    views.weights.update(results.weights, words, ["weight"], chosen);
    views.values.update(results.values, words, features, chosen);
    views.mixture.update(results.mixture, ["mixture"], features);
    news.say(foundText(results, words));
  });
}

export default { render };
