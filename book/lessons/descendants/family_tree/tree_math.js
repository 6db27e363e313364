// @ts-check
// The mathematics of the family tree: costs from stored counts, and what came from whom.

import { format } from "../../kit/figures/kit.js";
import { short } from "../../kit/figures/units.js";
import shared from "./family_tree.json" with { type: "json" };

/** @typedef {keyof typeof shared.dtypes} Dtype */
/** @typedef {"input" | "halves" | "positions" | "attention" | "reach" | "norm" | "place" | "network" | "experts" | "biases" | "output"} Part */
/** Of each part its name, its kind, since which model of the line, and its chapter. @typedef {Record<Part, string[]>} Parts */
/** @typedef {{name: string, line: string[], year: number, parts: Parts, layers: number[], heads: number[], parameters: number[], active: number, work: number[], cached: number, limit: number, window: number, note: string}} Stored */
/** @typedef {{model: string, dtype: Dtype, context: number, texts: number, models: Stored[]}} State */
/** @typedef {ReturnType<typeof compute>} Results */
/** @typedef {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} Source */

const FINE = 4; // bytes of a number in float32, in which Adam keeps its averages

/** The chosen model. @param {Source} model */
export const chosenOf = (model) =>
  /** @type {Stored} */ (model.get("models").find(({ name }) => name === model.get("model")));

/** The kind of a part. @param {Stored} model @param {Part} part */
export const kindOf = (model, part) => model.parts[part][1];

/** Whether a part differs from the parent's. @param {Stored} model @param {Part} part */
export const isNew = ({ line, name, parts }, part) => line.length > 1 && parts[part][2] === name;

/** A number to the unit, its thousands apart; one decimal where it is not whole. @param {number} x */
export function grouped(x) {
  const [whole, rest] = format(x, 1).split(".");
  const apart = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return rest ? `${apart}.${rest}` : apart;
}

/** How many keys a query meets, and a cache keeps, of a text. @param {Stored} model @param {number} context */
export function keysOf({ limit, window }, context) {
  return Math.min(context, limit || context, window || context);
}

/** Counts, their sum below, and each one's share in percent. @param {number[]} counts */
function withShares(counts) {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return [...counts, all].map((count) => [count, (100 * count) / all]);
}

/**
 * Every number of the figure; the same names as FamilyTree.results().
 * @param {Source} model
 */
export function compute(model) {
  const size = chosenOf(model);
  const one = shared.dtypes[model.get("dtype")];
  const keys = keysOf(size, model.get("context"));
  const weights = size.parameters.reduce((sum, count) => sum + count, 0);
  const copy = one < FINE ? FINE : 0; // the weights once more, finer
  const cached = size.cached * one;
  const sums = [weights * one, weights * (2 * one + 2 * FINE + copy)];
  const held = cached * keys * model.get("texts");
  return {
    parameters: withShares(size.parameters),
    work: withShares(size.work.map((count, i) => (i === 2 ? keys * count : count))),
    bytes: [...sums, cached, held].map((bytes) => [bytes]),
    summary: [weights / 1e9, held / sums[0]],
  };
}

/** The rows of the table of parts: name, kind, origin, chapter. @param {Stored} model */
export const family = ({ name, parts }) =>
  Object.values(parts).map(([label, kind, came, chapter]) => [
    label,
    kind,
    came === name ? shared.new : came,
    chapter,
  ]);

/** Why fewer keys are met than asked for. @param {Stored} model @param {number} context */
function cutText(model, context) {
  if (keysOf(model, context) === context) return "";
  const why = model.window ? "Its window ends after" : "Its table of positions ends at";
  return ` ${why} ${grouped(keysOf(model, context))} tokens.`;
}

/** What is new in a model, in words. @param {Stored} model */
function changesText({ name, line, parts }) {
  if (line.length < 2) return "The first one, which all others change";
  const fresh = Object.values(parts).filter(([, , came]) => came === name);
  const few = fresh.length < 3; // the drawing shows the kinds
  const list = fresh.map(([label, kind]) => (few ? `${label} (${kind})` : label));
  return `Changed since ${line[line.length - 2]}: ${list.join(", ")}`;
}

/** What is seen, in words. @param {Stored} model @param {Omit<Results, "summary">} results @param {Pick<State, "dtype" | "context">} state */
export function announcementText(model, { parameters, work, bytes }, { dtype, context }) {
  const total = parameters[parameters.length - 1][0];
  const met = model.active < total ? `, of which a token meets ${grouped(model.active)}` : "";
  const room = short(bytes[0][0], shared.byte_units);
  const token = short(work[work.length - 1][0], shared.units);
  return `${model.name}, ${model.year}. ${changesText(model)}. ${grouped(total)} weights${met}; in ${dtype} they take ${room}. A token costs ${token} multiply–adds.${cutText(model, context)}`;
}
