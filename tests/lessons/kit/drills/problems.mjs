// Prints 200 problems of each drill with their answers and mistakes, as JSON, for Python to judge.

import { randomNumbers } from "#lessons/kit/figures/kit.js";
import { fresh } from "#lessons/kit/drills/judge.js";
import { drills } from "./all.mjs";

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);

function cases(drill) {
  const problems = SEEDS.map((seed) => fresh(drill, randomNumbers(seed)));
  return problems.map((problem) => ({
    problem,
    answer: drill.answer(problem),
    mistakes: drill.mistakes(problem).map(({ answer }) => answer),
  }));
}

const all = drills.map((drill) => [drill.name, cases(drill)]);
process.stdout.write(JSON.stringify(Object.fromEntries(all)));
