import assert from "node:assert/strict";
import test from "node:test";

import { compute, newsText } from "#lessons/common_scale/scale_lab/scale_math.js";
import { modelOf } from "../../kit/figures/kit/compare.mjs";

const STUDENTS = {
  names: ["Ana", "Ben", "Cleo", "Dan", "Eve"],
  features: ["age", "tuition"],
  table: [
    [19, 30000],
    [24, 30500],
    [19, 33000],
    [18, 20000],
    [25, 50000],
  ],
  scaling: "none",
  divisor: 1,
  row: 0,
};
const lab = (changes) => modelOf({ ...STUDENTS, ...changes });

test("what is said names the nearest, both of two that are equally near, and the farthest", () => {
  const said = (changes) => newsText(compute(lab(changes)), STUDENTS.names);
  assert.equal(
    said({ scaling: "min–max" }),
    "Nearest to Ana: Cleo, at a distance of 0.1. Farthest: Eve, at 1.0859.",
  );
  const twins = STUDENTS.table.with(2, [14, 30500]);
  assert.match(
    said({ table: twins }),
    /^Nearest to Ana: Ben and Cleo, at a distance of 500\.025\./,
  );
});
