import assert from "node:assert/strict";
import test from "node:test";

import { compute, verdict } from "#lessons/cost_and_order/cost_lab/cost_math.js";
import { modelOf } from "../../kit/figures/compare.mjs";

const BASE = { tokens: 512, d_model: 512, num_heads: 8, num_layers: 6, mark: false };
const lab = (changes) => compute(modelOf({ ...BASE, ...changes }));

test("verdict counts work and memory, and does not say which half is larger", () => {
  const said = (changes) => verdict(lab(changes), { ...BASE, ...changes }, "6 layers");
  assert.equal(
    said({}),
    "512 tokens in 6 layers: 11.3 billion multiply–adds. " +
      "8 tables of scores would fill 8.39 MB in each layer.",
  );
  assert.match(said({ num_heads: 1 }), /One table of scores would fill 1\.05 MB in each layer\.$/);
});
