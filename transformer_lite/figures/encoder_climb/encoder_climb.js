// @ts-check
// The encoder climb: a French sentence on its way through the encoder of the trained translator.

import { choice, form, menu, resetButton, steps, tied } from "../kit/controls.js";
import { assign, connect, controlRow, format, freshId, h, panels, status } from "../kit/kit.js";
import { matrix, tables } from "../kit/table.js";
import { climb, compute, stagesOf, translatorOf } from "./climb_math.js";
import shared from "./encoder_climb.json" with { type: "json" };

/** @typedef {import("./climb_math.js").State} State */
/** @typedef {import("./climb_math.js").Climb} Climb */
/** @typedef {ReturnType<typeof compute>} Results */
/** @typedef {import("../kit/kit.js").Model<State>} Model */

/** @type {(keyof State & string)[]} */
const TRAITS = ["sentence", "layer", "head"];
const SIZE = shared.most_words + 1;

/** @param {number} x */
const short = (x) => format(x, 2);

/** The place of the largest entry off the diagonal. @param {number[][]} table */
function strongest(table) {
  const places = table.flatMap((row, i) => row.map((_, j) => [i, j]));
  return places
    .filter(([i, j]) => i !== j)
    .reduce((best, place) => (table[place[0]][place[1]] > table[best[0]][best[1]] ? place : best));
}

/** What is seen at this stage, in words. @param {Climb} found @param {Results} results @param {{layer: number, head: number}} where */
export function newsText({ tokens, unknown, cut }, { similarity, attention }, { layer, head }) {
  const odd = unknown.map((word) => `“${word}”`).join(", ");
  const warning = `${odd ? `Not among the words of this model: ${odd}. ` : ""}${
    cut ? `Only the first ${shared.most_words} words climb. ` : ""
  }`;
  if (tokens.length < 2) return `${warning}A token alone has nothing to be compared with.`;
  const [a, b] = strongest(similarity);
  const alike = `most alike are ${tokens[a]} and ${tokens[b]}, with a cosine of ${short(similarity[a][b])}`;
  if (layer === 0) return `${warning}At the embedding no token has looked yet; ${alike}.`;
  const [from, to] = strongest(attention);
  const look = `head ${head + 1} took ${tokens[from]} to ${tokens[to]}, with a weight of ${short(attention[from][to])}`;
  return `${warning}In layer ${layer}, ${look}; now ${alike}.`;
}

/** The box for the sentence, and the menu of examples. @param {Model} model */
function sentenceBox(model) {
  const id = freshId();
  const quiet = { autocomplete: "off", spellcheck: "false", maxlength: shared.letters.max };
  const oninput = () => assign(model, "sentence", input.value);
  const input = h("input", {
    type: "text",
    id,
    lang: "fr",
    oninput,
    ...quiet,
  });
  const examples = menu({
    label: "or",
    options: ["choose one", ...shared.examples],
    onchange: (index) => index && assign(model, "sentence", shared.examples[index - 1]),
  });
  const label = h("label", { for: id }, "French sentence");
  const box = h("div", { class: "tl-control tl-writing ec-line" }, label, input);
  return {
    element: controlRow(box, examples.element),
    /** @param {string} text */
    update(text) {
      if (input.value !== text) input.value = text;
      examples.update(shared.examples.indexOf(text) + 1);
    },
  };
}

/** How far up, and which head. @param {Model} model */
function settings(model) {
  const count = translatorOf(model).config.num_heads;
  const heads = Array.from({ length: count }, (_, i) => String(i + 1));
  return form([
    tied(model, "layer", steps, { label: "climb to", options: stagesOf(model) }),
    tied(model, "head", choice, { legend: "Head", options: heads }),
    resetButton(model, TRAITS),
  ]);
}

/**
 * A table of tokens by tokens, made anew when their number changes.
 * @param {"similarity" | "attention"} name @param {string} kind
 */
function square(name, kind) {
  const element = h("div", { "data-result": name });
  /** @type {ReturnType<typeof matrix>} */
  let table;
  let size = 0;
  return {
    element,
    /** @param {number[][]} values @param {string[]} tokens @param {Record<string, number>} words */
    update(values, tokens, words) {
      if (size !== tokens.length) {
        size = tokens.length;
        table = matrix(shared.captions[name], { rows: size, columns: size, kind, write: short });
        element.replaceChildren(table.element);
      }
      table.name(words);
      table.update(values, tokens, tokens);
    },
  };
}

/** The four tables. @param {Model} model */
function views(model) {
  const stages = stagesOf(model).reverse();
  const similarity = square("similarity", "ec-square");
  const attention = square("attention", "ec-square tl-weights");
  const found = tables(shared.captions, {
    lengths: { rows: SIZE, columns: 3, kind: "ec-few", write: short },
    climb: { rows: stages.length, columns: 3, kind: "ec-few", write: short },
  });
  return {
    element: panels(similarity, attention, found.lengths, found.climb),
    /** @param {Results} results @param {string[]} tokens */
    update(results, tokens) {
      similarity.update(results.similarity, tokens, {});
      attention.update(results.attention, tokens, { head: model.get("head") + 1 });
      found.lengths.update(results.lengths, tokens, shared.lengths);
      found.climb.update(
        results.climb,
        stages,
        shared.climb,
        stages.length - 1 - model.get("layer"),
      );
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  const [box, knobs, shown, news] = [sentenceBox(model), settings(model), views(model), status()];
  el.classList.add("tl-figure", "tl-encoder-climb");
  el.append(box.element, ...knobs.rows, shown.element, news.element);

  return connect(model, TRAITS, () => {
    const found = climb(model);
    const results = compute(model, found);
    box.update(model.get("sentence"));
    knobs.update();
    shown.update(results, found.tokens);
    news.say(newsText(found, results, { layer: model.get("layer"), head: model.get("head") }));
  });
}

export default { render };
