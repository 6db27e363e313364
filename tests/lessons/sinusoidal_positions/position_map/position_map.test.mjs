import assert from "node:assert/strict";
import test from "node:test";

import { spiral } from "#lessons/sinusoidal_positions/position_map/position_drawing.js";
import {
  compute,
  shownPairs,
  turnText,
} from "#lessons/sinusoidal_positions/position_map/position_map.js";
import { modelOf } from "../../kit/figures/compare.mjs";

const state = (changes) => ({ d_model: 4, position: 3, offset: 2, ...changes });
const map = (changes) => compute(modelOf(state(changes)));

test("at most eight clocks are shown, from the first pair to the last", () => {
  assert.deepEqual(shownPairs(4), [0, 1]);
  assert.deepEqual(shownPairs(16), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(shownPairs(512), [0, 36, 72, 109, 145, 182, 218, 255]);
});

test("a turn of more than a full circle winds outwards", () => {
  const radii = spiral(0, 14)
    .slice(1)
    .split("L")
    .map((point) => Math.hypot(...point.split(" ").map(Number)));
  assert.ok(radii.every((r, i) => i === 0 || r > radii[i - 1]));
  assert.ok(radii[radii.length - 1] < 33);
  assert.equal(spiral(0, 0), "M0.00 -13.00L0.00 -13.00");
});

test("turnText says how far the hands turn", () => {
  assert.equal(
    turnText(state({}), map({})),
    "From position 3 to 5, pair 0 turns by 2 radians and pair 1 by 0.02. " +
      "The dot product is 0.5837; its maximum is 2.",
  );
  assert.match(
    turnText(state({ offset: 0 }), map({ offset: 0 })),
    /^No step: no hand turns, .* largest possible, 2\.$/,
  );
});
