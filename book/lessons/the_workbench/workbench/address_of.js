// @ts-check
// The address of a race: every choice is in it, so the same address gives the same numbers.

import { choiceOf, CHOSEN, raceOf, RACES, written } from "../../kit/figures/race_lab/settings.js";
import { TEXTS } from "../../kit/figures/race_lab/texts.js";

/** @typedef {import("../../kit/figures/race_lab/settings.js").Choice} Choice */
/** @typedef {import("../../kit/figures/race_lab/settings.js").Settings} Settings */

export const TASK_NAMES = Object.keys(TEXTS.tasks);
const FIRST = RACES[0].choice;
// The last two are read by the tour and by the projector.
const KEYS = ["race", "task", "whole", "changed", "rate", "steps", "seeds", "first"];
KEYS.push("moment", "projector");

/** @param {Pick<import("../../kit/figures/kit.js").Model<any>, "get">} model @returns {Record<string, string>} */
export function writeAddress(model) {
  const choice = /** @type {Choice} */ (
    Object.fromEntries(CHOSEN.map((name) => [name, model.get(name)]))
  );
  const race = raceOf(choice);
  const { task, whole, changed, rate, steps, seeds, first_seed: first } = choice;
  const seeded = { seeds: String(seeds), first: String(first) };
  if (race) return { race: race.id, ...seeded };
  const machines = { whole: written(whole), changed: written(changed) };
  return { task, ...machines, rate: String(rate), steps: String(steps), ...seeded };
}

/** Settings from an address. @param {string} text @param {string} of @param {string[]} problems */
function readSettings(text, of, problems) {
  /** @type {Settings} */
  const found = {};
  for (const entry of text.split(",").filter(Boolean)) {
    const [name, value = ""] = entry.split(":");
    const setting = TEXTS.settings.find((one) => one.name === name);
    const index = setting?.values.map(String).indexOf(value) ?? -1;
    if (!setting) problems.push(`“${name}” is not a setting of the ${of} machine`);
    else if (index < 0)
      problems.push(`${name} must be one of ${setting.values.join(", ")}, not “${value}”`);
    else found[name] = setting.values[index];
  }
  return found;
}

/**
 * What an address asks for. One that is wrong gives the first race, and a complaint.
 * @param {URLSearchParams} query @returns {Partial<Choice> & {complaint: string, recorded: boolean}}
 */
export function readAddress(query) {
  /** @type {string[]} */
  const problems = [];
  /** @param {string} name @param {number} usual @param {(x: number) => boolean} good @param {string} rule */
  const read = (name, usual, good, rule) => {
    const text = query.get(name);
    if (text === null) return usual;
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (!good(value)) problems.push(`${name} must be ${rule}, not “${text}”`);
    return value;
  };
  const within = (/** @type {{min: number, max: number}} */ { min, max }) =>
    /** @type {[(x: number) => boolean, string]} */ ([
      (x) => Number.isInteger(x) && x >= min && x <= max,
      `a whole number from ${min} to ${max}`,
    ]);
  const oneOf = (/** @type {number[]} */ values) =>
    /** @type {[(x: number) => boolean, string]} */ ([
      (x) => values.includes(x),
      `one of ${values.join(", ")}`,
    ]);
  for (const key of query.keys()) {
    if (!KEYS.includes(key)) problems.push(`“${key}” is not a part of an address`);
  }
  const id = query.get("race");
  const race = RACES.find((one) => one.id === id);
  if (id !== null && !race) problems.push(`there is no race “${id}”`);
  const task = query.get("task") ?? race?.task ?? FIRST.task;
  if (!TASK_NAMES.includes(task)) problems.push(`there is no task “${task}”`);
  const start = race?.choice ?? choiceOf({ task, changed: {}, steps: 400 });
  const [whole, changed] = /** @type {const} */ (["whole", "changed"]).map((name) => {
    const text = query.get(name);
    return text === null ? start[name] : readSettings(text, name, problems);
  });
  const choice = {
    ...{ task, whole, changed },
    rate: read("rate", start.rate, ...oneOf(TEXTS.rates)),
    steps: read("steps", start.steps, ...within(TEXTS.steps)),
    seeds: read("seeds", 1, ...oneOf(TEXTS.seeds)),
    first_seed: read("first", 1, ...within(TEXTS.first_seed)),
  };
  if (!problems.length) return { ...choice, complaint: "", recorded: false };
  const said = `${problems.join("; ")}. Here is the first race instead.`;
  const complaint = `The address of this page is wrong: ${said}`;
  return { ...FIRST, recorded: false, complaint };
}
