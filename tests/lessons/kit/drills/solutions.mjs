// Prints what a reader may type into the first problem of each drill, as JSON: the right answer,
// and the answer of each mistake with its cause.

import { randomNumbers } from "#lessons/kit/figures/kit.js";
import { fresh } from "#lessons/kit/drills/judge.js";
import { drills } from "./all.mjs";

const all = drills.map((drill) => {
  const problem = fresh(drill, randomNumbers(0));
  const { praise } = drill.show(problem);
  const mistakes = drill.mistakes(problem);
  return [drill.name, { right: drill.answer(problem), praise, mistakes }];
});
process.stdout.write(JSON.stringify(Object.fromEntries(all)));
