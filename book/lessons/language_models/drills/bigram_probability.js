// @ts-check
// A bigram's probability from counts, without and with one added to every count.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { pick, whole } from "../../kit/drills/draw.js";
import { THREE_DECIMALS } from "../../kit/drills/judge.js";

/** @typedef {{sentences: string[], pair: string[]}} Problem the word before, and the next one */

const END = "⟨end⟩";
const NOUNS = ["cat", "dog", "bird"];
const ALONE = ["sleeps", "runs"];
const WITH_OBJECT = ["sees", "follows"];
const SENTENCES = 4;

/** A noun with its article. @param {import("../../kit/drills/draw.js").Random} random */
const thing = (random) => `${pick(random, ["the", "a"])} ${pick(random, NOUNS)}`;

/** @param {import("../../kit/drills/draw.js").Random} random */
function sentence(random) {
  const subject = thing(random);
  if (whole(random, 0, 2) === 0) return `${subject} ${pick(random, ALONE)}`;
  return `${subject} ${pick(random, WITH_OBJECT)} ${thing(random)}`;
}

/** What there is to count; the end of each sentence counts as a word, its start does not. @param {Problem} problem */
function countsOf({ sentences, pair: [before, next] }) {
  const lists = sentences.map((text) => [...text.split(" "), END]);
  const words = lists.flat();
  const bigrams = lists.flatMap((list) => list.slice(1).map((word, i) => [list[i], word]));
  const after = bigrams.filter(([first]) => first === before);
  return {
    together: after.filter(([, second]) => second === next).length,
    context: after.length,
    ends: after.filter(([, second]) => second === END).length,
    next: words.filter((word) => word === next).length,
    all: words.length,
    size: new Set(words).size,
  };
}

/** The three boxes: what is divided by, the share, the share with one added. @param {number} top @param {number} bottom @param {number} size */
const boxes = (top, bottom, size) => [bottom, top / bottom, (top + 1) / (bottom + size)];

export default play({
  name: "bigram_probability",
  title: "A bigram's probability",
  ...THREE_DECIMALS,
  note: `${THREE_DECIMALS.note} Fractions like 2/5 are read too.`,
  draw: (random) => ({
    sentences: Array.from({ length: SENTENCES }, () => sentence(random)),
    pair: [pick(random, NOUNS), pick(random, [...ALONE, ...WITH_OBJECT, END])],
  }),
  answer: (problem) => {
    const { together, context, size } = countsOf(problem);
    return boxes(together, context, size);
  },
  mistakes: (problem) => {
    const { together, context, ends, next, all, size } = countsOf(problem);
    const [before, word] = problem.pair;
    const [bottom, share] = boxes(together, context, size);
    const isEnd = word === END;
    return [
      {
        answer: boxes(together, all, size),
        cause: `You divided by all words of the text. Divide by the number of words that follow “${before}”.`,
      },
      {
        answer: boxes(together, next, size),
        cause: `You divided by how often “${word}” occurs. Divide by how often “${before}” occurs, because that word is given.`,
      },
      {
        answer: boxes(isEnd ? 0 : together, context - ends, size),
        cause: `At the end of a sentence, “${before}” is followed by ${END}. That counts as well.`,
      },
      {
        answer: [bottom, share, (together + 1) / (context + size - 1)],
        cause: `Your denominator counts one word too few: there are ${size} different ones, ${END} among them.`,
      },
      {
        answer: [bottom, share, (together + 1) / (context + size + 1)],
        cause: `The denominator counts one word too many: there are ${size} different ones, and ⟨begin⟩ is not one of them, because it never comes next.`,
      },
      {
        answer: [bottom, share, (together + 1) / context],
        cause: `You added the 1 only in the numerator. Each of the ${size} words gets one, so add ${size} in the denominator.`,
      },
      {
        answer: [bottom, share, (together + 1) / (context + 1)],
        cause: `You added 1 to the denominator only once. Each of the ${size} words gets one, so add ${size}.`,
      },
    ];
  },
  show: (problem) => {
    const { sentences, pair } = problem;
    const [before, next] = pair;
    const { together, context, size } = countsOf(problem);
    const [, share, smoothed] = boxes(together, context, size);
    const times = together === 1 ? "once" : `${together} times`;
    return {
      task: `Four sentences are the whole text; each ends in ${END}, which counts as a word. How often does a word follow “${before}”? With which probability is it “${next}”, by the counts? And with 1 added to the count of every word of the text, ${END} among them?`,
      given: [
        {
          caption: "the text",
          heads: ["sentence"],
          rows: sentences.map((_, i) => String(i + 1)),
          cells: sentences.map((text) => [`${text} ${END}`]),
        },
      ],
      asked: {
        caption: `from “${before}” to “${next}”`,
        heads: ["number"],
        rows: [`words after “${before}”`, "P by counts", "P with 1 added"],
      },
      way: [
        `After “${before}” comes a word ${context} times, ${END} included`,
        `“${next}” is it ${times}: P = ${together} / ${context} = ${format(share)}`,
        `Different words of the text, ${END} among them and ⟨begin⟩ not: ${size}`,
        `With 1 added: (${together} + 1) / (${context} + ${size}) = ${format(smoothed)}`,
      ],
      praise: together
        ? "With 1 added, words that never came next get a probability above 0, too."
        : "Never seen, so the counts say 0, and any sentence with this pair gets 0. With 1 added no pair of these words is impossible.",
    };
  },
});
