// @ts-check
// The numbers of the scale lab: two columns on a scale, and the distances to the first row.

import { fill, format } from "../../kit/figures/kit.js";
import { moments, transpose } from "../../kit/figures/math.js";

/** @typedef {"none" | "min–max" | "z-scores" | "median"} Scaling */
/** @typedef {{names: string[], features: string[], table: number[][], scaling: Scaling,
 *   divisor: number, row: number}} State */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */

/** The number in the middle; of an even count the mean of the two. @param {number[]} numbers */
function median(numbers) {
  const ordered = numbers.toSorted((a, b) => a - b);
  const half = (ordered.length - 1) / 2;
  return (ordered[Math.floor(half)] + ordered[Math.ceil(half)]) / 2;
}

/** What is subtracted from a column, and by what it is divided. @param {number[]} column @param {Scaling} scaling */
function centerAndSpread(column, scaling) {
  if (scaling === "min–max") {
    const low = Math.min(...column);
    return { center: low, spread: Math.max(...column) - low };
  }
  if (scaling === "z-scores") {
    const { mean, variance } = moments(column);
    return { center: mean, spread: Math.sqrt(variance) };
  }
  if (scaling === "median") {
    const center = median(column);
    return { center, spread: median(column.map((x) => Math.abs(x - center))) };
  }
  return { center: 0, spread: 1 };
}

/** A column on its scale; one that does not vary becomes 0. @param {number[]} column @param {Scaling} scaling */
function scale(column, scaling) {
  const { center, spread } = centerAndSpread(column, scaling);
  return column.map((x) => (spread > 0 ? (x - center) / spread : 0));
}

/** Every number of the figure; the same names as ScaleLab.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const table = model.get("table").map(([x, y]) => [x, y / model.get("divisor")]);
  const scaled = transpose(transpose(table).map((column) => scale(column, model.get("scaling"))));
  const distances = scaled.map(([x, y]) => [Math.hypot(x - scaled[0][0], y - scaled[0][1])]);
  return { table, scaled, distances };
}

/** The rows nearest to the first; more than one where they are equally near. @param {number[][]} distances */
export function nearest(distances) {
  const others = distances.flat().slice(1);
  const least = Math.min(...others);
  return others.flatMap((far, i) => (far - least <= 1e-9 * (1 + least) ? [i + 1] : []));
}

/** Who is nearest, in words. @param {Results} results @param {string[]} names */
export function announcementText({ distances }, names) {
  const near = nearest(distances);
  const far = Math.max(...distances.flat());
  const last = distances.findIndex(([distance]) => distance === far);
  return fill("Nearest to {first}: {near}, at a distance of {least}. Farthest: {last}, at {far}.", {
    first: names[0],
    near: near.map((i) => names[i]).join(" and "),
    least: format(distances[near[0]][0]),
    last: names[last],
    far: format(far),
  });
}

/**
 * Places for labels, as near to the wanted ones as keeps them `gap` apart and from `low` to `high`.
 * @param {number[]} wanted @param {number} gap @param {number} low @param {number} high
 */
export function apart(wanted, gap, low, high) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b] || a - b);
  const places = wanted.slice();
  let free = low;
  for (const i of order) {
    places[i] = Math.max(wanted[i], free);
    free = places[i] + gap;
  }
  free = high;
  for (const i of order.toReversed()) {
    places[i] = Math.min(places[i], free);
    free = places[i] - gap;
  }
  return places;
}
