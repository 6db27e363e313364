import assert from "node:assert/strict";
import test from "node:test";

import { compute, verdict } from "../../../transformer_lite/figures/cost_lab/cost_math.js";
import { modelOf } from "../kit/compare.mjs";

const BASE = { tokens: 512, d_model: 512, num_heads: 8, num_layers: 6 };
const lab = (changes) => compute(modelOf({ ...BASE, ...changes }));

test("verdict names the share of the pairs, and not the length at which it is half", () => {
  const said = (changes) => verdict(lab(changes), { ...BASE, ...changes });
  assert.equal(
    said({}),
    "At 512 tokens the pairs of tokens take 14.3 % of the work. " +
      "8 tables of scores would fill 8.39 MB in each layer.",
  );
  assert.match(said({ tokens: 3072 }), /exactly as much as all the rest/);
  assert.match(said({ num_heads: 1 }), /One table of scores would fill 1\.05 MB in each layer\.$/);
});
