import assert from "node:assert/strict";
import test from "node:test";

import { compute, verdict } from "#lessons/a_decoder_of_today/cache_sizes/cache_math.js";
import { modelOf } from "../../kit/figures/compare.mjs";

const BASE = { tokens: 131072, texts: 1, model: "Llama 7B" };
const sizes = (changes) => compute(modelOf({ ...BASE, ...changes }));

test("verdict names the size of one cache and counts those that fit into one GPU", () => {
  const said = (changes) => verdict(sizes(changes), { ...BASE, ...changes });
  assert.equal(
    said({}),
    "Llama 7B keeps 68.72 GB of 1 text of 131072 tokens. 5 of the 5 caches fit into 80 GB.",
  );
  assert.match(said({ texts: 2 }), /of 2 texts of 131072 tokens\. 4 of the 5 caches/);
});

test("a window stops growing at its own length", () => {
  const kept = (tokens) => sizes({ tokens, model: "Gemma 3 27B" }).parts[1][2];
  assert.deepEqual([512, 1024, 2048, 1048576].map(kept), [512, 1024, 1024, 1024]);
});
