// @ts-check
// The chart of a race: the held-out loss of each machine and seed, and the baselines as lines across.

import { along, niceTicks, place, svg } from "../drawing.js";
import { format, h } from "../kit.js";
import { TEXTS } from "./texts.js";

/** @typedef {import("./runs.js").Run} Run */
/** @typedef {import("./runs.js").Baselines} Baselines */

const SIZE = { width: 480, height: 270, left: 56, right: 460, top: 10, floor: 228 };
const NEAR = 0.06; // baselines closer than this share of the axis have one label

/** The baselines from the highest to the lowest, those that lie together under one name. @param {Baselines} baselines @param {number} most */
export function baselinesOf(baselines, most) {
  /** @type {{names: string[], loss: number}[]} */
  const found = [];
  for (const name of /** @type {const} */ (["guess", "bigram", "best"])) {
    const loss = baselines[name];
    if (loss === null || !Number.isFinite(loss)) continue;
    const last = found.at(-1);
    if (last && Math.abs(last.loss - loss) < NEAR * most) last.names.push(TEXTS.baselines[name]);
    else found.push({ names: [TEXTS.baselines[name]], loss });
  }
  return found.map(({ names, loss }) => ({ text: `${names.join(", ")} ${format(loss, 2)}`, loss }));
}

/** The lines of all seeds of a machine; the last one is the thickest. @param {Run} run @param {number} kind @param {(point: [number, number]) => string} at */
function seedLines(run, kind, at) {
  return run.seeds.map(({ points }, i) => {
    const shown = points.filter(([, loss]) => Number.isFinite(loss));
    const d = shown.map((point, k) => `${k ? "L" : "M"}${at(point)}`).join("");
    const thin = i < run.seeds.length - 1 ? " race-thin" : "";
    return svg("path", { class: `tl-line tl-line-${kind}${thin}`, d });
  });
}

/** The ends of the lines, a mark each: a circle and a square. @param {Run} run @param {number} kind @param {(point: [number, number]) => string} at */
function endMarks(run, kind, at) {
  return run.seeds.flatMap(({ points }) => {
    const last = points.filter(([, loss]) => Number.isFinite(loss)).at(-1);
    if (!last) return [];
    const [x, y] = at(last).split(" ").map(Number);
    const shape = kind
      ? svg("rect", { x: x - 4, y: y - 4, width: 8, height: 8 })
      : svg("circle", { cx: x, cy: y, r: 4.5 });
    return [svg("g", { class: `race-end tl-line-${kind}` }, shape)];
  });
}

/** The chart of two machines. */
export function raceChart() {
  const { width, height, left, right, top, floor } = SIZE;
  const layers = [0, 1, 2, 3].map(() => svg("g")); // grid, baselines, lines, names of the baselines
  layers[0].setAttribute("class", "tl-grid");
  const frame = svg("path", { class: "tl-frame", d: `M${left} ${top}V${floor}H${right}` });
  const middle = `translate(11 ${(top + floor) / 2}) rotate(-90)`;
  const xName = svg(
    "text",
    { x: (left + right) / 2, y: height - 4, class: "tl-axis" },
    TEXTS.axes.x,
  );
  const yName = svg("text", { class: "tl-axis", transform: middle }, TEXTS.axes.y);
  const size = { viewBox: `0 0 ${width} ${height}`, class: "tl-chart", "aria-hidden": "true" };
  const drawing = svg("svg", size, layers[0], frame, xName, yName, ...layers.slice(1));
  let grid = "";
  return {
    element: h("div", { class: "tl-chart-box tl-answer race-chart" }, drawing),
    /** @param {Run[]} runs the whole machine and the changed one @param {Baselines} baselines @param {number} steps */
    update(runs, baselines, steps) {
      const reached = runs.flatMap(({ seeds }) => seeds.flatMap(({ points }) => points));
      const losses = reached.map(([, loss]) => loss).filter(Number.isFinite);
      const highest = Math.max(...losses, baselines.guess, baselines.bigram || 0); // bigram may be NaN
      const most = Math.min(1.06 * highest, 2.2 * baselines.guess);
      const x = { min: 0, max: steps };
      const y = { min: 0, max: most };
      const px = (/** @type {number} */ step) => left + along(step, x) * (right - left);
      const py = (/** @type {number} */ loss) => floor - along(loss, y) * (floor - top);
      const at = (/** @type {[number, number]} */ [step, loss]) =>
        `${px(step).toFixed(1)} ${py(loss).toFixed(1)}`;
      // The lowest baseline may carry its name below the line, if there is room.
      const below = (/** @type {number} */ loss) =>
        loss === baselines.best && py(loss) < floor - 20 ? 14 : -4;
      const now = JSON.stringify([baselines, most, steps]);
      if (now !== grid) {
        grid = now;
        layers[0].replaceChildren(
          ...niceTicks(0, steps, 5).map((t) =>
            svg("text", { x: px(t), y: floor + 16, class: "tl-tick-x" }, format(t)),
          ),
          ...niceTicks(0, most, 5).flatMap((t) => [
            svg("line", { x1: left, x2: right, y1: py(t), y2: py(t) }),
            svg("text", { x: left - 5, y: py(t) + 4, class: "tl-tick-y" }, format(t)),
          ]),
        );
        const shown = baselinesOf(baselines, most);
        layers[1].replaceChildren(
          ...shown.map(({ loss }) =>
            svg("line", {
              class: "race-baseline",
              x1: left,
              x2: right,
              y1: py(loss),
              y2: py(loss),
            }),
          ),
        );
        layers[3].replaceChildren(
          ...shown.map(({ text, loss }) =>
            svg(
              "text",
              { class: "race-baseline-name", x: right - 2, y: py(loss) + below(loss) },
              text,
            ),
          ),
        );
      }
      layers[2].replaceChildren(
        ...runs.flatMap((run, i) => seedLines(run, i, at)),
        ...runs.flatMap((run, i) => endMarks(run, i, at)),
      );
      place(drawing, { "data-lines": layers[2].children.length });
    },
  };
}
