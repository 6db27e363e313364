import assert from "node:assert/strict";
import test from "node:test";

import { apart, compute, announcementText } from "#lessons/common_scale/scale_lab/scale_math.js";
import { fitted } from "#lessons/common_scale/scale_lab/scale_plane.js";
import { close, modelOf } from "../../kit/figures/compare.mjs";

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

test("names do not overlap and stay inside the plot", () => {
  for (const wanted of [
    [50, 50, 50, 50, 50],
    [0, 1, 2, 3, 4],
    [100, 99, 98, 97, 96],
    [10, 30, 50, 70, 90],
  ]) {
    const places = apart(wanted, 11, 5, 97).sort((a, b) => a - b);
    assert.ok(places[0] >= 5 && places[4] <= 97, String(places));
    for (let i = 1; i < 5; i += 1) assert.ok(places[i] - places[i - 1] >= 11 - 1e-9);
  }
  assert.deepEqual(apart([10, 30, 50, 70, 90], 11, 5, 97), [10, 30, 50, 70, 90]);
});

test("one unit serves both axes of the plane", () => {
  const [a, b, c] = fitted([
    [0, 0],
    [2, 0],
    [0, 1],
  ]);
  close([b[0] - a[0]], [2 * (a[1] - c[1])]);
  for (const [x, y] of fitted(STUDENTS.table)) assert.ok(x >= 0 && x <= 100 && y >= 0 && y <= 100);
  assert.deepEqual(fitted([[3, 3]]), [[50, 50]]);
});

test("the text names the farthest row and all the nearest ones", () => {
  const said = (changes) => announcementText(compute(lab(changes)), STUDENTS.names);
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
