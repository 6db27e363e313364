import assert from "node:assert/strict";
import test from "node:test";

import { compute, verdict } from "#lessons/residual_connections/depth_lab/depth_lab.js";
import { close, fixtures, modelOf } from "../../kit/figures/compare.mjs";

const start = { depth: 16, recipe: "no skip", seed: 1, gain: 1 };
const lab = (changes) => compute(modelOf({ ...start, ...changes }));
const logs = (table) => table.map((row) => row.map(Math.log));
const runs = fixtures.depth_lab.filter(({ state }) => state);

test("the logarithms of the smallest numbers equal those of DepthLab.results()", () => {
  assert.equal(runs.length, 36);
  for (const { state, expected } of runs)
    close(logs(compute(modelOf(state)).layers), logs(expected.layers));
});

test("verdict says whether the signal vanishes, explodes or survives", () => {
  const said = (changes) => verdict(lab(changes), { ...start, ...changes });
  assert.match(
    said({ depth: 64 }),
    /^no skip, 64 sub-layers: the state goes from size 1 to 8\.8·10⁻¹⁸\. .* It vanishes: it is below 0\.01\.$/,
  );
  assert.match(
    said({ depth: 64, recipe: "skip alone", gain: 1.6 }),
    /10¹⁴\. .* It explodes: it is above 10\.$/,
  );
  assert.match(said({ recipe: "DeepNorm" }), /It survives\.$/);
  assert.match(
    said({ recipe: "pre-norm" }),
    /\(below its last norm the stack gets 0\.\d+\)\. It survives\.$/,
  );
  const layers = [
    [1, 20],
    [1, 1],
  ];
  assert.match(
    verdict({ layers }, { recipe: "post-norm", depth: 1 }),
    /It explodes: it is above 10\.$/,
  );
});
