// All drills, found by their files.

import { globSync } from "node:fs";

const lessons = new URL("../../../../book/lessons/", import.meta.url);
const files = globSync("*/drills/*.js", { cwd: lessons }).filter((file) => !file.startsWith("kit"));
const name = (file) => file.split(/[\\/]/).at(-1);
files.sort((one, other) => (name(one) < name(other) ? -1 : 1));

export const drills = await Promise.all(
  files.map(async (file) => (await import(new URL(file, lessons).href)).default.drill),
);
