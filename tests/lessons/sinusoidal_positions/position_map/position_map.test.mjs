import assert from "node:assert/strict";
import test from "node:test";

import { compute, turnText } from "#lessons/sinusoidal_positions/position_map/position_map.js";
import { modelOf } from "../../kit/figures/kit/compare.mjs";

const state = (changes) => ({ d_model: 4, position: 3, offset: 2, ...changes });
const map = (changes) => compute(modelOf(state(changes)));

test("turnText says how far the hands turn, and not what that depends on", () => {
  assert.equal(
    turnText(state({}), map({})),
    "From position 3 to 5, pair 0 turns by 2 radians and pair 1 by 0.02. " +
      "The dot product is 0.5837 of at most 2.",
  );
  assert.match(
    turnText(state({ offset: 0 }), map({ offset: 0 })),
    /^No step: no hand turns, .* largest value, 2\.$/,
  );
});
