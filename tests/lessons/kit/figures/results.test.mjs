// Every figure: its numbers are those of the package, which `NAME/spec.py` gives for many states.

import { readdirSync } from "node:fs";
import test from "node:test";

import { assetsOf, fixtures, modelOf, sameNumbers } from "./compare.mjs";

const OTHERWISE = ["machine_steps", "translator"]; // their own tests: they compute in several steps

/** The `compute` of a figure, from that of its modules which has it. */
async function computeOf(name) {
  const files = readdirSync(new URL(fixtures.folders[name])).filter((file) => file.endsWith(".js"));
  const modules = await Promise.all(
    files.map((file) => import(`${fixtures.folders[name]}/${file}`)),
  );
  return modules.find(({ compute }) => compute).compute;
}

for (const name of Object.keys(fixtures.pictures).filter((one) => !OTHERWISE.includes(one)))
  test(`the numbers of ${name} equal its results()`, async () => {
    const [compute, assets] = [await computeOf(name), assetsOf(name)];
    const cases = fixtures[name].filter(({ state }) => state);
    sameNumbers(cases, ({ state }) => compute(modelOf({ ...state, assets })));
  });
