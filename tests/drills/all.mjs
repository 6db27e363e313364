// All drills, found by their folders.

import { readdirSync } from "node:fs";

const folder = new URL("../../transformer_lite/drills/", import.meta.url);
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
  .map(({ name }) => name)
  .sort();

export const drills = await Promise.all(
  names.map(
    async (name) => (await import(new URL(`${name}/${name}.js`, folder).href)).default.drill,
  ),
);
