// The way to an answer is right too: what it sets equal is equal.

import assert from "node:assert/strict";
import test from "node:test";

import { fresh } from "#lessons/kit/drills/judge.js";
import { randomNumbers } from "#lessons/kit/figures/kit.js";
import { drills } from "./all.mjs";

const SEEDS = Array.from({ length: 50 }, (_, seed) => seed);
const TERM = /(?:\d+(?:\.\d+)?|(?:ln|tanh|sin|cos|sigmoid)(?=[ (])|e(?=\^)|[−+·/()√²^ ])+/.source;
const [BEHIND, BEFORE] = [new RegExp(`(?<=^|[ ,:;])${TERM}$`), new RegExp(`^${TERM}`)];
/** @type {[RegExp, string][]} */
const WORDS = [
  [/−/g, "-"],
  [/·/g, "*"],
  [/²/g, "**2"],
  [/\^/g, "**"],
  [/\be\b/g, "Math.E"],
  [/√([\d.]+)/g, "Math.sqrt($1)"],
  [/√/g, "Math.sqrt"],
  [/ln ([\d.]+)/g, "Math.log($1)"],
  [/ln/g, "Math.log"],
  [/tanh|sin|cos/g, "Math.$&"],
  [/sigmoid\(/g, "1 / (1 + Math.E ** -"],
];

/** What a term comes to; NaN if it is none, such as a bracket that begins before it. */
function comesTo(term) {
  const code = WORDS.reduce((text, [sign, word]) => text.replaceAll(sign, word), term);
  try {
    return Function(`return ${code}`)();
  } catch {
    return Number.NaN;
  }
}

/** The two sides of all equations in numbers of a step, each as text and as what it comes to. */
function equationsIn(step) {
  const parts = step.split(" = ");
  return parts.slice(1).flatMap((part, i) => {
    const sides = [BEHIND.exec(parts[i]), BEFORE.exec(part)].map((found) => found?.[0] ?? "");
    const values = sides.map(comesTo);
    return values.every(Number.isFinite) ? [{ text: sides.join(" = "), values }] : [];
  });
}

/** Whether two sides agree, as far as the rounded numbers in them can. */
const agree = ([left, right]) => Math.abs(left - right) <= 0.02 * (1 + Math.abs(right));

/** The equations of a drill's ways. */
const equationsOf = (drill) =>
  SEEDS.flatMap((seed) => drill.show(fresh(drill, randomNumbers(seed))).way.flatMap(equationsIn));

for (const drill of drills)
  test(`${drill.name}: the equations of its solution are true`, () => {
    for (const { text, values } of equationsOf(drill)) assert.ok(agree(values), text);
  });

test("most solutions have equations, and a wrong equation is found", () => {
  const counts = drills.map((drill) => equationsOf(drill).length);
  assert.ok(counts.filter((count) => count >= SEEDS.length).length > 0.75 * drills.length);
  const steps = [
    "y₁: −2 · (−1 + 3) / √4 = −2, e^(0) = 2",
    "−ln 1 = 0 and sigmoid(0) = 0.5; W [1] = 3",
  ];
  const found = steps.flatMap(equationsIn);
  assert.deepEqual(
    found.map(({ values }) => agree(values)),
    [true, false, true, true],
  );
});
