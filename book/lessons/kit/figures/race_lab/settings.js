// @ts-check
// What a reader chooses for a race, and what the engine and the page's address get of it.

import { fill } from "../kit.js";
import { TEXTS } from "./texts.js";

/** @typedef {Record<string, boolean | number | string>} Settings of one machine, or some of them */
/**
 * @typedef {{task: string, whole: Settings, changed: Settings, rate: number, steps: number,
 *   seeds: number, first_seed: number}} Choice
 */
/** @typedef {Choice & {recorded: boolean, tour: boolean, assets: Record<string, DataView>,
 *   complaint?: string}} State */

/** @type {(keyof Choice)[]} */
export const CHOSEN = ["task", "whole", "changed", "rate", "steps", "seeds", "first_seed"];
const standard = /** @type {Settings} */ (TEXTS.whole);

/** What a guided race chooses. @param {{task: string, steps: number, whole?: object, changed: object, rate?: number}} race @returns {Choice} */
export const choiceOf = ({ task, whole = {}, changed, steps, rate = 0.003 }) => ({
  task,
  whole: /** @type {Settings} */ (whole),
  changed: /** @type {Settings} */ (changed),
  rate,
  steps,
  seeds: 1,
  first_seed: 1,
});

export const RACES = TEXTS.races.map((race) => ({
  ...race,
  choice: choiceOf(/** @type {any} */ (race)),
}));

/** The settings of both machines, complete. @param {Pick<Choice, "whole" | "changed">} choice */
export function machinesOf({ whole, changed }) {
  const first = { ...standard, ...whole };
  return { whole: first, changed: { ...first, ...changed } };
}

/** The options of the engine for one machine. @param {Settings} settings @param {number} rate */
export function optionsOf({ feed_forward, ...settings }, rate) {
  const width = Number(settings.width);
  const shape = { headWidth: width / Number(settings.heads), hidden: 4 * width };
  return { ...settings, ...shape, feedForward: feed_forward, rate };
}

/** The message that starts a worker. @param {Choice} choice @param {Settings} settings @param {string} [text] the reader's own */
export function startOrder(choice, settings, text) {
  return {
    do: "start",
    task: choice.task,
    ...(choice.task === "own" ? { text } : {}),
    changes: optionsOf(settings, choice.rate),
    steps: choice.steps,
    seeds: Array.from({ length: choice.seeds }, (_, i) => choice.first_seed + i),
  };
}

/** Settings in a fixed order: equal settings give equal addresses. @param {Settings} settings */
export const written = (settings) =>
  TEXTS.settings
    .filter(({ name }) => name in settings)
    .map(({ name }) => `${name}:${settings[name]}`)
    .join(",");

/** The guided race that a choice is, whatever its seeds. @param {Choice} choice */
export function raceOf(choice) {
  const key = (/** @type {Choice} */ { task, whole, changed, rate, steps }) =>
    JSON.stringify([task, written(whole), written(changed), rate, steps]);
  return RACES.find((race) => key(race.choice) === key(choice));
}

/** The settings in which two machines differ, in words. @param {Choice} choice */
export function differencesOf(choice) {
  const { whole, changed } = machinesOf(choice);
  return TEXTS.settings
    .filter(({ name }) => whole[name] !== changed[name])
    .map(({ name, label, values, texts }) => {
      const text = (/** @type {Settings} */ one) =>
        texts[values.map(String).indexOf(String(one[name]))];
      const { no, yes, other } = TEXTS.differs;
      if (typeof values[0] === "boolean") return fill(changed[name] ? yes : no, { label });
      if (text(changed) === "none") return fill(no, { label });
      return fill(other, { label, changed: text(changed), whole: text(whole) });
    });
}
