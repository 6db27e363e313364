import assert from "node:assert/strict";
import test from "node:test";

import { epsAt, placeOf } from "#lessons/layer_norm/layer_norm_lab/layer_norm_lab.js";
import { groupAnnouncement } from "#lessons/layer_norm/layer_norm_lab/norm_groups.js";
import { groupSteps, tokenSteps } from "#lessons/layer_norm/layer_norm_lab/norm_math.js";
import { epsText, tokenAnnouncement } from "#lessons/layer_norm/layer_norm_lab/norm_steps.js";

const token = (values, eps = 1e-5) =>
  tokenSteps({
    values,
    gamma: values.map(() => 1),
    beta: values.map(() => 0),
    eps,
    unbiased: false,
    eps_inside: true,
  });
const pads = {
  table: [
    [1, 2],
    [0, 0],
    [5, 2],
  ],
  pads: [false, true, false],
  eps: 0,
};

test("ε is written as the chapters write it", () => {
  assert.deepEqual([0, 1e-12, 1e-5, 0.001, 1].map(epsText), ["0", "1e-12", "1e-5", "0.001", "1"]);
});

test("the text about a token gives its statistics and names 0 / 0", () => {
  assert.equal(
    tokenAnnouncement(token([2, 4, 6, 8]), 1e-5),
    "Mean 5, variance 5, output [−1.3416, −0.4472, 0.4472, 1.3416].",
  );
  assert.match(tokenAnnouncement(token([1, 1]), 1e-5), /only ε = 1e-5 keeps the divisor above 0/);
  assert.match(tokenAnnouncement(token([1, 1], 0), 0), /0 \/ 0: NaN/);
});

test("every place of the ε slider has its decade", () => {
  const places = Array.from({ length: 14 }, (_, place) => place);
  assert.deepEqual(
    places.map((place) => placeOf(epsAt(place))),
    places,
  );
  assert.deepEqual([0, 1, 8, 13].map(epsAt), [0, 1e-12, 1e-5, 1]);
  assert.deepEqual([2e-5, 0.5, 1e-20].map(placeOf), [8, 13, 1]);
});

test("the text about a column counts its rows and names 0 / 0", () => {
  const all = groupSteps({ ...pads, axis: "batch", count_pads: true });
  const real = groupSteps({ ...pads, axis: "batch", count_pads: false });
  assert.match(
    groupAnnouncement(all, true, 0, "P1"),
    /^P1: μ 2 and σ .* from 3 of 3 rows\. Normalized: \[/,
  );
  assert.match(
    groupAnnouncement(real, true, 0, "P1"),
    /^P1: μ 3 and σ 2 from 2 of 3 rows\. Normalized: \[−1, −1.5, 1\]\.$/,
  );
  assert.match(groupAnnouncement(real, true, 1, "P2"), /σ and ε are both 0: 0 \/ 0 is NaN\.$/);
});
