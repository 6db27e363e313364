import test from "node:test";

import { groupSteps, tokenSteps } from "../../transformer_lite/figures/norm_math.js";
import { close, fixtures } from "./compare.mjs";

const pick = (object, names) => Object.fromEntries(names.map((name) => [name, object[name]]));

test("tokenSteps equals LayerNormLab.steps()", () => {
  for (const { state, expected } of fixtures.layer_norm_lab) {
    const steps = tokenSteps(state);
    const wanted = expected.token;
    for (const name of ["mean", "variance", "std"]) close([steps[name]], wanted[name], name);
    close(pick(steps, ["centered", "normalized", "output"]), pick(wanted, ["centered", "normalized", "output"]));
  }
});

test("groupSteps equals LayerNormLab.groups()", () => {
  for (const { state, expected } of fixtures.layer_norm_lab) {
    const names = ["mean", "std", "root", "normalized"];
    close(pick(groupSteps(state), names), pick(expected.groups, names));
  }
});
