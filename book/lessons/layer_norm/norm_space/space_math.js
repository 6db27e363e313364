// @ts-check
// The numbers of the norm space: the steps of a norm, and points in space seen from one side.

import { fill, format } from "../../kit/figures/kit.js";
import { average, dot } from "../../kit/figures/math.js";
import shared from "./norm_space.json" with { type: "json" };

/** @typedef {"LayerNorm" | "RMSNorm"} Norm */
/** @typedef {{token: number[], norm: Norm, turn: number, tilt: number}} State */
/** @typedef {import("../../kit/figures/kit.js").Model<State>} Model */
/** @typedef {ReturnType<typeof compute>} Results */
/** @typedef {[number, number]} Point */

/** Every number of the figure; the same names as NormSpace.results(). @param {Pick<Model, "get">} model */
export function compute(model) {
  const token = model.get("token");
  const mean = model.get("norm") === "LayerNorm" ? average(token) : 0;
  const centered = token.map((x) => x - mean);
  const size = Math.sqrt(dot(centered, centered) / token.length + shared.eps);
  return { steps: [token, centered, centered.map((x) => x / size)], removed: [[mean], [size]] };
}

/**
 * Where a point is seen: to the right and downward.
 * @param {number[]} point @param {number} turn @param {number} tilt both in degrees
 * @returns {Point}
 */
export function seen([x, y, z], turn, tilt) {
  const [a, b] = [(turn * Math.PI) / 180, (tilt * Math.PI) / 180];
  const toward = x * Math.cos(a) + y * Math.sin(a);
  return [y * Math.cos(a) - x * Math.sin(a), toward * Math.sin(b) - z * Math.cos(b)];
}

/**
 * A circle around the origin in the plane of two directions of length 1 at right angles.
 * @param {number[]} u @param {number[]} v @param {number} radius @param {number} turn @param {number} tilt
 */
export function circleOf(u, v, radius, turn, tilt) {
  const points = Array.from({ length: 60 }, (_, n) => {
    const [cos, sin] = [Math.cos((n * Math.PI) / 30), Math.sin((n * Math.PI) / 30)];
    return seen(
      u.map((x, i) => radius * (x * cos + v[i] * sin)),
      turn,
      tilt,
    );
  });
  return `M${points.map(([x, y]) => `${x.toFixed(3)} ${y.toFixed(3)}`).join("L")}Z`;
}

/** What the norm does, in words. @param {Results} results @param {Norm} norm */
export function announcementText({ steps, removed }, norm) {
  const words = {
    mean: format(removed[0][0]),
    size: format(removed[1][0]),
    end: steps[2].map((x) => format(x, 2)).join(", "),
  };
  const text =
    norm === "LayerNorm"
      ? "LayerNorm subtracts {mean} and divides by {size}: ({end})."
      : "RMSNorm divides by {size}: ({end}).";
  return fill(text, words);
}

/** The new turn and tilt after a drag over some pixels. @param {number} turn @param {number} tilt @param {number} right @param {number} down @returns {Point} */
export function dragged(turn, tilt, right, down) {
  const whole = (/** @type {number} */ x) => Math.round(x / 5) * 5;
  const around = ((whole(turn - right / 2) % 360) + 360) % 360;
  return [around, Math.max(-90, Math.min(90, whole(tilt + down / 2)))];
}
