import assert from "node:assert/strict";
import test from "node:test";

import {
  allReduceBytes,
  compute,
  memoryBySharding,
  ringAllReduceSeconds,
  trainingOperations,
  verdict,
} from "#lessons/at_scale/training_job/job_math.js";
import job from "#lessons/at_scale/training_job/training_job.json" with { type: "json" };
import { close, fixtures, modelOf } from "../../kit/figures/compare.mjs";

const CASES = fixtures.training_job;
const BASE = CASES[0].state;
const at = (changes) => compute(modelOf({ ...BASE, ...changes }));

test("the four functions equal those of costs.py", () => {
  for (const { state, functions } of CASES) {
    const { weights } = job.models[state.model];
    const bytes = job.precisions[state.precision];
    const { workers, sharding, link, batch_tokens } = state;
    close(
      {
        sent: allReduceBytes(weights, workers, bytes.gradient),
        seconds: ringAllReduceSeconds(weights, workers, link * 1e6, 0.25),
        memory: memoryBySharding(weights, workers, sharding, bytes),
        operations: trainingOperations(weights, batch_tokens),
      },
      functions,
    );
  }
});

test("verdict says whether the job fits, and what a step waits for", () => {
  const said = (changes) => verdict(at(changes), { ...BASE, ...changes });
  assert.equal(
    said({}),
    "It does not fit: 69.4 GB, and a device has 40 GB. Largest part: activations. " +
      "A step takes 872 ms to 1.64 s, most of it sending.",
  );
  assert.match(said({ memory: 80 }), /^It fits: 69\.4 GB of 80 GB\. A step takes/);
  assert.match(said({ workers: 1, memory: 192 }), /Nothing is sent; a step takes 6\.12 s\.$/);
  assert.match(said({ link: 3200 }), /most of it computing\.$/);
});
