// @ts-check
// Writes record.json: the end and the losses of each guided race, trained by the engine.
//
//   node book/lessons/kit/figures/race_lab/record.js [race …]

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

import { serve } from "../../engine/worker.js";
import { machinesOf, RACES, startOrder } from "./settings.js";

const FILE = new URL("record.json", import.meta.url);
const rounded = (/** @type {number} */ x) => Number(x.toFixed(4));

/** Train one machine to its end. @param {object} order */
function trained(order) {
  /** @type {Record<string, any>[]} */
  const reports = [];
  /** @type {(() => void)[]} */
  const later = [];
  const take = serve(
    (report) => reports.push(report),
    (work) => later.push(work),
  );
  take(/** @type {any} */ (order));
  for (let work = later.shift(); work; work = later.shift()) work();
  const of = (/** @type {string} */ kind) => reports.filter((report) => report.kind === kind);
  const [[seed], [end]] = [of("seed"), of("done")];
  return {
    baselines: seed.baselines,
    losses: of("progress").map(({ loss }) => rounded(loss)),
    step: end.step,
    accuracy: end.accuracy,
    arrived: end.arrived,
    weights: seed.count,
  };
}

/** The record of a race. @param {(typeof RACES)[number]} race */
export function recordOf({ choice }) {
  const { whole, changed } = machinesOf(choice);
  const [first, second] = [whole, changed].map((settings) => trained(startOrder(choice, settings)));
  const { baselines, ...end } = first;
  return { baselines, whole: end, changed: { ...second, baselines: undefined } };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const names = process.argv.slice(2);
  let record = {};
  try {
    record = JSON.parse(readFileSync(FILE, "utf8"));
  } catch {}
  for (const race of RACES) {
    if (names.length && !names.includes(race.id)) continue;
    record = { ...record, [race.id]: recordOf(race) };
    console.log(race.id, JSON.stringify(record[/** @type {keyof typeof record} */ (race.id)]));
    const lines = Object.entries(record).map(([id, one]) => `  "${id}": ${JSON.stringify(one)}`);
    writeFileSync(FILE, `{\n${lines.join(",\n")}\n}\n`);
  }
}
