import assert from "node:assert/strict";
import test from "node:test";

import shared from "../../../transformer_lite/figures/cost_lab/cost_lab.json" with { type: "json" };
import { compute, verdict } from "../../../transformer_lite/figures/cost_lab/cost_math.js";
import { short } from "../../../transformer_lite/figures/kit/units.js";
import { modelOf } from "../kit/compare.mjs";

const BASE = { tokens: 512, d_model: 512, num_heads: 8, num_layers: 6 };
const lab = (changes) => compute(modelOf({ ...BASE, ...changes }));

test("twice the tokens: twice the projections, four times the pairs", () => {
  const [once, twice] = [lab({}), lab({ tokens: 1024 })];
  const grew = once.parts.map(([count], i) => twice.parts[i][0] / count);
  assert.deepEqual(grew.slice(0, 4), [2, 4, 4, 2]);
});

test("twice the width: four times the projections, twice the pairs", () => {
  const [once, twice] = [lab({}), lab({ d_model: 1024 })];
  const grew = once.parts.map(([count], i) => twice.parts[i][0] / count);
  assert.deepEqual(grew.slice(0, 4), [4, 2, 2, 4]);
});

test("short keeps three digits and carries into the next unit", () => {
  const said = [0, 7, 14.2857, 0.0434, 99.96, 999, 999.6, 1125000, 999999, 20689715200000];
  assert.deepEqual(
    said.map((x) => short(x, shared.units)),
    [
      "0",
      "7",
      "14.3",
      "0.04",
      "100",
      "999",
      "1 thousand",
      "1.13 million",
      "1 million",
      "20.7 trillion",
    ],
  );
});

test("verdict names the share of the pairs and the length at which it is half", () => {
  const said = (changes) => verdict(lab(changes), { ...BASE, ...changes });
  assert.equal(
    said({}),
    "At 512 tokens the pairs of tokens take 14.3 % of the work; half of it is reached at " +
      "T = 6 · 512 = 3072. 8 tables of scores would fill 8.39 MB in each layer.",
  );
  assert.match(said({ num_heads: 1 }), /One table of scores would fill 1\.05 MB in each layer\.$/);
});
