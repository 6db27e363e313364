import assert from "node:assert/strict";
import test from "node:test";

import figure from "#lessons/cost_and_order/cost_lab/cost_lab.js";
import { compute, verdict } from "#lessons/cost_and_order/cost_lab/cost_math.js";
import { modelOf } from "../../kit/figures/kit/compare.mjs";
import { rendered } from "../../kit/figures/kit/fake_document.mjs";

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

test("each line of the chart bears its name, and each bar is as long as its share", () => {
  const { el } = rendered(figure, { ...BASE });
  /** The ends of the line whose name begins so, as their heights from above. */
  const ends = (name) => {
    const [key] = el.all("span").filter((one) => one.textContent.startsWith(name));
    const [, line] = key.attributes.class.split(" ");
    const [heights] = el.marked("path", line);
    return heights.attributes.d.split(/[ML]/).map((point) => Number(point.split(" ")[1]));
  };
  const [rest, pairs] = [ends("grow with T, "), ends("grow with T², ")];
  assert.ok(rest[1] < pairs[1] && rest.at(-1) > pairs.at(-1), "pairs overtake the rest");
  const shares = el.all("td").flatMap(({ style }) => style["--share"] ?? []);
  assert.deepEqual(
    shares,
    lab({}).parts.map(([, percent]) => String(percent / 100)),
  );
});
