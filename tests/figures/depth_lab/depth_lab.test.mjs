import assert from "node:assert/strict";
import test from "node:test";

import { compute, verdict } from "../../../transformer_lite/figures/depth_lab/depth_lab.js";
import { power } from "../../../transformer_lite/figures/kit/kit.js";
import shared from "../../../transformer_lite/figures/depth_lab/depth_lab.json" with {
  type: "json",
};
import {
  feedForward,
  normalize,
  recipeOf,
  subLayers,
  uniform,
} from "../../../transformer_lite/figures/depth_lab/depth_math.js";
import { close, fixtures, modelOf } from "../kit/compare.mjs";

const start = { depth: 16, recipe: "no skip", seed: 1 };
const lab = (changes) => compute(modelOf({ ...start, ...changes }));
const logs = (table) => table.map((row) => row.map(Math.log));
const runs = fixtures.depth_lab.filter(({ state }) => state);

/** The slope of Σ g · f(x) by x, by small steps. */
function slopes(f, x, g) {
  const score = (at) => f(at).reduce((sum, v, i) => sum + v * g[i], 0);
  return x.map((v, i) => (score(x.with(i, v + 1e-6)) - score(x.with(i, v - 1e-6))) / 2e-6);
}

test("the logarithms of the smallest numbers equal those of DepthLab.results()", () => {
  assert.equal(runs.length, 24);
  for (const { state, expected } of runs)
    close(logs(compute(modelOf(state)).layers), logs(expected.layers));
});

test("both languages draw the same numbers", () => {
  const cases = fixtures.depth_lab.filter(({ state }) => !state);
  assert.equal(cases.length, 4);
  for (const { seed, expected } of cases)
    assert.deepEqual(uniform(seed, expected.length), expected);
});

test("a deeper stack begins with the same weights, another seed has others", () => {
  assert.deepEqual(subLayers(3, 5).slice(0, 2), subLayers(2, 5));
  assert.notDeepEqual(subLayers(1, 5), subLayers(1, 6));
});

test("the ways back are the slopes of the ways forward", () => {
  const [x, g] = [uniform(3, shared.width), uniform(4, shared.width)];
  const [layer] = subLayers(1, 2);
  const close5 = (got, expected) =>
    got.forEach((v, i) => assert.ok(Math.abs(v - expected[i]) < 1e-5));
  close5(
    normalize(x).back(g),
    slopes((at) => normalize(at).y, x, g),
  );
  close5(
    feedForward(layer, 0.7, x).back(g),
    slopes((at) => feedForward(layer, 0.7, at).y, x, g),
  );
});

test("without skips the gradient vanishes with the depth, with skip and norm it does not", () => {
  const arriving = (depth) => lab({ depth }).recipes.map((row) => row[2]);
  const [shallow, deep] = [arriving(2), arriving(64)];
  assert.ok(shallow[0] > 0.05 && deep[0] < 1e-15);
  for (const i of [1, 2, 3]) assert.ok(deep[i] > 0.1 && deep[i] < 10);
});

test("post-norm and DeepNorm keep the size at 1, pre-norm lets it grow", () => {
  const sizes = lab({ depth: 64 }).recipes.map((row) => row[0]);
  close([sizes[1], sizes[3]].map((x) => x.toFixed(3)).map(Number), [1, 1]);
  assert.ok(sizes[2] > 4);
});

test("DeepNorm at depth 64 has α = (2 · 32)^¼ and β = (8 · 32)^−¼", () => {
  const { skip, gain } = recipeOf("DeepNorm", 64);
  close([skip, gain], [64 ** 0.25, 0.25]);
});

test("the comparison repeats the ends of the chosen recipe", () => {
  for (const [i, recipe] of shared.recipes.entries()) {
    const { layers, recipes } = lab({ recipe });
    assert.deepEqual(recipes[i], [...layers[16], layers[0][1]]);
  }
});

test("power writes small sizes as powers of ten", () => {
  assert.deepEqual([0, 1, 0.25, 0.001, 0.00042, 2.53e-17, 12.3456].map(power), [
    "0",
    "1",
    "0.25",
    "0.001",
    "4.2·10⁻⁴",
    "2.5·10⁻¹⁷",
    "12.346",
  ]);
});

test("verdict says what arrives", () => {
  const said = (changes) => verdict(lab(changes), { ...start, ...changes });
  assert.match(
    said({ depth: 64 }),
    /^no skip, 64 sub-layers: the state goes from size 1 to 8\.8·10⁻¹⁸; .* It vanishes\.$/,
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
    verdict({ layers, recipes: [] }, { recipe: "post-norm", depth: 1, seed: 1 }),
    /It explodes\.$/,
  );
});
