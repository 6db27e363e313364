// @ts-check
// One multiple-choice question: a quiz question answers every choice, a prediction waits.

import { assign, choice, connect, h, status } from "./kit.js";

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

/** @param {{model: import("./kit.js").Model<State>, el: HTMLElement}} context */
function render({ model, el }) {
  const choices = model.get("choices");
  const predict = model.get("predict");
  let picked = -1;
  const news = status();
  const options = choice({ legend: model.get("prompt"), options: choices.map((c) => c.text),
    onchange: (index) => { picked = index; } });
  const submit = h("button", { type: "button",
    onclick: () => (picked < 0 ? news.say("Choose one answer first.") : assign(model, "chosen", picked)) },
  predict ? "Note my guess" : "Check");

  el.classList.add("tl-figure", "tl-question");
  el.append(options.element, submit, news.element);

  return connect(model, ["chosen"], () => {
    const chosen = model.get("chosen");
    options.labels.forEach((label, i) => {
      label.classList.toggle("tl-right", i === chosen && !predict && choices[i].right);
      label.classList.toggle("tl-wrong", i === chosen && !predict && !choices[i].right);
    });
    if (chosen < 0) { news.say(""); return; }
    picked = chosen;
    options.update(chosen);
    news.say(answerText(choices[chosen], predict));
  });
}

export default { render };
