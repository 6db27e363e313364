// @ts-check
// The mathematics of the family tree: costs from stored counts, and what came from whom.

import { format } from "../kit/kit.js";
import { short } from "../kit/units.js";
import shared from "./family_tree.json" with { type: "json" };
import models from "./models.json" with { type: "json" };

/** @typedef {keyof typeof shared.dtypes} Dtype */
/** @typedef {{model: string, dtype: Dtype, context: number, texts: number}} State */
/** @typedef {(typeof models)[number]} Stored */
/** @typedef {keyof typeof shared.family} Part */
/** @typedef {ReturnType<typeof compute>} Results */

export const PARTS = /** @type {Part[]} */ (Object.keys(shared.family));
const FINE = 4; // bytes of a number in float32, in which Adam keeps its averages

/** @param {string} name */
export const stored = (name) =>
  /** @type {Stored} */ (models.find((model) => model.name === name) ?? models[0]);

/** Of which kind a part is. @param {Stored} model @param {Part} part */
export const kindOf = (model, part) => model.kinds[PARTS.indexOf(part)];

/** The ancestor with which the present kind of a part came; the model itself if it is new. @param {Stored} model @param {Part} part @returns {Stored} */
export function origin(model, part) {
  const parent = stored(model.parent);
  const same = model.parent && kindOf(parent, part) === kindOf(model, part);
  return same ? origin(parent, part) : model;
}

/** Whether a part differs from the parent's. @param {Stored} model @param {Part} part */
export const isNew = (model, part) => model.parent !== "" && origin(model, part) === model;

/** The model and those before it, the eldest first. @param {Stored} model @returns {Stored[]} */
export function lineOf(model) {
  return model.parent ? [...lineOf(stored(model.parent)), model] : [model];
}

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
 * @param {Pick<import("../kit/kit.js").Model<State>, "get">} model
 */
export function compute(model) {
  const size = stored(model.get("model"));
  const one = shared.dtypes[model.get("dtype")];
  const keys = keysOf(size, model.get("context"));
  const weights = size.parameters.reduce((sum, count) => sum + count, 0);
  const copy = one < FINE ? FINE : 0; // the weights once more, finer
  const cached = size.cached * one;
  const sums = [weights * one, weights * (2 * one + 2 * FINE + copy)];
  return {
    parameters: withShares(size.parameters),
    work: withShares(size.work.map((count, i) => (i === 2 ? keys * count : count))),
    bytes: [...sums, cached, cached * keys * model.get("texts")].map((bytes) => [bytes]),
  };
}

/** The rows of the table of parts: kind, origin, chapter. @param {Stored} model */
export function family(model) {
  const chapters = /** @type {Record<string, string>} */ (shared.chapters);
  return PARTS.map((part) => {
    const [kind, { name }] = [kindOf(model, part), origin(model, part)];
    return [kind, name === model.name ? shared.new : name, chapters[kind]];
  });
}

/** Why fewer keys are met than asked for. @param {Stored} model @param {number} context */
function cutText(model, context) {
  if (keysOf(model, context) === context) return "";
  const why = model.window ? "Its window ends after" : "Its table of positions ends at";
  return ` ${why} ${grouped(keysOf(model, context))} tokens.`;
}

/** What is new in a model, in words. @param {Stored} model */
function changesText(model) {
  if (!model.parent) return "The first of them: all others change it";
  const fresh = PARTS.filter((part) => isNew(model, part));
  const list = fresh.map((part) => `${shared.family[part]} (${kindOf(model, part)})`);
  return `New against ${model.parent}: ${list.join(", ")}`;
}

/** What is seen, in words. @param {Stored} model @param {Results} results @param {Pick<State, "dtype" | "context">} state */
export function newsText(model, { parameters, work, bytes }, { dtype, context }) {
  const total = parameters[parameters.length - 1][0];
  const met = model.active < total ? `, of which a token meets ${grouped(model.active)}` : "";
  const room = short(bytes[0][0], shared.byte_units);
  const token = short(work[work.length - 1][0], shared.units);
  return `${model.name}, ${model.year}. ${changesText(model)}. ${grouped(total)} weights${met}; in ${dtype} they take ${room}. A token costs ${token} multiply–adds.${cutText(model, context)}`;
}
