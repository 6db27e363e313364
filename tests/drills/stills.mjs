// Writes the static picture of each drill, its problem of seed 0, or says which one is out of date.
// Usage: node tests/drills/stills.mjs [write]

import { readFileSync, writeFileSync } from "node:fs";

import { generator } from "../../transformer_lite/drills/_kit/draw.js";
import { fresh } from "../../transformer_lite/drills/_kit/judge.js";
import { format } from "../../transformer_lite/figures/kit/kit.js";
import { drills } from "./all.mjs";

/** What still.json holds of a drill. */
export function stillOf(drill) {
  const { task, given, asked, way } = drill.show(fresh(drill, generator(0)));
  const text = (entry) => (typeof entry === "number" ? format(entry) : entry);
  const tables = given.map((table) => ({
    ...table,
    cells: table.cells.map((row) => row.map(text)),
  }));
  const { title, note } = drill;
  return `${JSON.stringify({ title, task, note, given: tables, asked, way }, null, 1)}\n`;
}

/** Where the picture of a drill stands. */
export function stillFile(drill) {
  return new URL(`../../transformer_lite/drills/${drill.name}/still.json`, import.meta.url);
}

/** Whether the picture of a drill is the one that its script gives. */
export function isTrue(drill) {
  return readFileSync(stillFile(drill), "utf8") === stillOf(drill);
}

if (process.argv[2] === "write")
  for (const drill of drills) writeFileSync(stillFile(drill), stillOf(drill));
