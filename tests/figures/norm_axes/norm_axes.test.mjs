import assert from "node:assert/strict";
import test from "node:test";

import {
  compute,
  groupOf,
  newsText,
  statisticNames,
} from "../../../transformer_lite/figures/norm_axes/norm_groups.js";
import { close, modelOf } from "../kit/compare.mjs";

const BATCH = {
  tokens: [
    ["The", "cat", "sat"],
    ["A", "dog", "ran"],
  ],
  num_groups: 2,
  eps: 1e-5,
  token: 5,
  feature: 0,
  norm: "layer",
  table: [
    [
      [2, 1, 4, 5],
      [6, 2, 3, 1],
      [1, 5, 2, 8],
    ],
    [
      [3, 1, 7, 5],
      [7, 3, 1, 1],
      [2, 6, 4, 4],
    ],
  ],
};
const axes = (changes) => modelOf({ ...BATCH, ...changes });

test("only the numbers that share statistics feel a change", () => {
  for (const norm of ["layer", "batch", "instance", "group", "RMS"]) {
    const before = compute(axes({ norm }));
    const table = structuredClone(BATCH.table);
    table[1][2][0] += 1;
    const after = compute(axes({ norm, table }));
    const moved = before.normalized.map((row, i) =>
      row.map((x, d) => x !== after.normalized[i][d]),
    );
    assert.deepEqual(moved, before.shared, norm);
  }
});

test("how many groups there are, and how large", () => {
  const sizes = (norm, num_groups = 2) =>
    compute(axes({ norm, num_groups })).statistics.map((row) => row[0]);
  assert.deepEqual(sizes("layer"), [4, 4, 4, 4, 4, 4]);
  assert.deepEqual(sizes("batch"), [6, 6, 6, 6]);
  assert.deepEqual(sizes("instance"), [3, 3, 3, 3, 3, 3, 3, 3]);
  assert.deepEqual(sizes("group"), [6, 6, 6, 6]);
  assert.deepEqual(sizes("group", 1), [12, 12]);
});

test("neighboring features form a group, and each sentence has its own", () => {
  const size = { length: 3, width: 6, groups: 2 };
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((d) => groupOf("group", 0, 0, d, size)),
    [0, 0, 0, 1, 1, 1],
  );
  assert.deepEqual(
    [0, 1].map((b) => groupOf("group", b, 2, 0, size)),
    [0, 2],
  );
});

test("as many groups as features is instance normalization", () => {
  const { normalized } = compute(axes({ norm: "group", num_groups: 4 }));
  close(normalized, compute(axes({ norm: "instance" })).normalized);
});

test("what is said names the group, its size and how far it reaches", () => {
  const said = (changes) => newsText(axes(changes), compute(axes(changes)));
  assert.equal(
    said({}),
    "ran, feature 1: group 6 of 6. 4 numbers share μ 4 and σ 1.4142, all in ran itself. 2 becomes −1.4142.",
  );
  assert.match(
    said({ norm: "batch" }),
    /group 1 of 4\. 6 numbers share .*, in 6 tokens of 2 sentences\./,
  );
  assert.match(
    said({ norm: "instance" }),
    /group 5 of 8\. 3 numbers share .*, in 3 tokens of its sentence\./,
  );
  assert.match(said({ norm: "RMS" }), /4 numbers share RMS 4\.2426, all in ran itself\./);
});

test("RMS normalization takes off no mean", () => {
  assert.deepEqual(
    compute(axes({ norm: "RMS" })).statistics.map((row) => row[1]),
    [0, 0, 0, 0, 0, 0],
  );
  assert.equal(statisticNames("RMS")[1], "taken off");
  assert.equal(statisticNames("batch")[1], "μ");
});
