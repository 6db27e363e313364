import assert from "node:assert/strict";
import test from "node:test";

import { compute, announcementText } from "#lessons/normalization/norm_axes/norm_groups.js";
import { modelOf } from "../../kit/figures/compare.mjs";

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

test("the text names the group, its size and the tokens that it covers", () => {
  const said = (changes) => announcementText(axes(changes), compute(axes(changes)));
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
