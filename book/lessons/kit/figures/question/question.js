// @ts-check
// One multiple-choice question: a quiz question answers every choice, a prediction waits.

import { button, choice } from "../controls.js";
import { assign, connect, status } from "../kit.js";

/** @typedef {{text: string, feedback: string, right: boolean}} Choice */
/** @typedef {{prompt: string, choices: Choice[], predict: boolean, chosen: number}} State */

/**
 * What the reader hears after choosing.
 * @param {Choice} picked @param {boolean} predict
 */
export function answerText(picked, predict) {
  if (predict) return `Noted: “${picked.text}”. ${picked.feedback}`;
  return `${picked.right ? "Right." : "Not this one."} ${picked.feedback}`;
}

/**
 * What the page hears when a reader has answered: a prediction is neither right nor wrong.
 * @param {string} id @param {Choice} picked @param {boolean} predict
 */
export function practised(id, picked, predict) {
  const kind = predict ? "prediction" : "quiz";
  const detail = { kind, id, right: predict ? null : picked.right, choice: picked.text };
  return new CustomEvent("tl:practised", { bubbles: true, detail });
}

/** @param {{model: import("../kit.js").Model<State>, el: HTMLElement}} context */
function render({ model, el }) {
  const choices = model.get("choices");
  const predict = model.get("predict");
  let picked = -1;
  const news = status();
  const options = choice({
    legend: model.get("prompt"),
    options: choices.map((c) => c.text),
    onchange: (index) => {
      picked = index;
    },
  });
  const onclick = () => {
    if (picked < 0) {
      news.say("Choose one answer first.");
      return;
    }
    assign(model, "chosen", picked);
    el.dispatchEvent(practised(model.get("prompt"), choices[picked], predict));
  };
  const submit = button(predict ? "Note my guess" : "Check", onclick);

  el.classList.add("tl-figure", "tl-question");
  el.append(options.element, submit, news.element);

  return connect(model, ["chosen"], () => {
    const chosen = model.get("chosen");
    options.labels.forEach((label, i) => {
      label.classList.toggle("tl-right", i === chosen && !predict && choices[i].right);
      label.classList.toggle("tl-wrong", i === chosen && !predict && !choices[i].right);
    });
    if (chosen < 0) {
      news.say("");
      return;
    }
    picked = chosen;
    options.update(chosen);
    news.say(answerText(choices[chosen], predict));
  });
}

export default { render };
