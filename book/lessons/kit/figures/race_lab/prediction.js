// @ts-check
// What the reader expects of a race, and what is said of it afterwards.

import { choice } from "../controls.js";
import { fill } from "../kit.js";
import { outcomeOf } from "./runs.js";
import { differencesOf, raceOf } from "./settings.js";
import { TEXTS } from "./texts.js";

/** @typedef {import("./runs.js").Run} Run */
/** @typedef {import("./settings.js").Choice} Choice */

/** What the reader expects. */
export function prediction() {
  let guess = -1;
  const kinds = /** @type {const} */ (["exact", "text"]).map((kind) => {
    const { question, answers } = TEXTS.predict[kind];
    const part = choice({
      legend: question,
      options: answers,
      onchange: (i) => {
        guess = i;
      },
    });
    part.element.classList.add("race-predict");
    return { kind, part, answers };
  });
  return {
    parts: kinds.map(({ part }) => part.element),
    /** @param {boolean} exact */
    clear(exact) {
      guess = -1;
      for (const { kind, part } of kinds) {
        part.update(-1);
        part.element.hidden = (kind === "exact") !== exact;
      }
    },
    /** What is said of it after the race. @param {boolean} exact @param {number} outcome */
    verdict(exact, outcome) {
      const { right, wrong } = TEXTS.predict;
      if (guess < 0 || outcome < 0) return "";
      const { answers } = kinds[exact ? 0 : 1];
      return guess === outcome ? right : fill(wrong, { guess: answers[guess] });
    },
  };
}

/** What a race has shown, and why. @param {Choice} choice @param {Run[]} runs @param {string} judged */
export function verdictOf(choice, [whole, changed], judged) {
  const outcome = outcomeOf(whole, changed);
  const { outcomes, differs, own } = TEXTS.predict;
  const kind = whole.exact ? "exact" : "text";
  const result = outcome < 0 ? outcomes.neither : outcomes[kind][outcome];
  const race = raceOf(choice);
  const differences = differencesOf(choice).join(", ");
  const usual = differences ? ` ${fill(own, { differences })}` : "";
  const cause = race ? ` ${race.expect === outcome ? race.cause : differs}` : usual;
  return `${judged}${result}${cause}`;
}
