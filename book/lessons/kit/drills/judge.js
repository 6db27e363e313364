// @ts-check
// What a typed answer says, whether it is right, and which mistake explains a wrong one.

import { readNumber } from "../figures/kit.js";

/** @typedef {number | string} Entry a number; a text where a drill reads something else */
/**
 * What who makes a mistake answers, and what he hears. In a table of zeros and ones every wrong box
 * holds the other number: there a mistake may be sure only `throughout`, when no box is empty.
 * @typedef {{answer: Entry[], cause: string, throughout?: boolean}} Mistake
 */
/** @typedef {{caption: string, heads: string[], rows: string[]}} Frame a table without its entries */
/** @typedef {Frame & {cells: Entry[][]}} Given */
/** @typedef {{task: string, given: Given[], asked: Frame, way: string[], praise: string}} Sheet */
/** @typedef {{wanted: string, read: (text: string) => Entry | undefined}} Reader */

/**
 * One drill. Its answers are listed row by row, in the order of the boxes of `asked`.
 * @template Problem
 * @typedef {{name: string, title: string, note: string, tolerance: number, reader?: Reader,
 *   draw: (random: import("./draw.js").Random) => Problem, answer: (problem: Problem) => Entry[],
 *   mistakes: (problem: Problem) => Mistake[], show: (problem: Problem) => Sheet}} Drill
 */

/** How exact an answer has to be, and the line that says so. */
export const WHOLE = { note: "Whole numbers.", tolerance: 0 };
export const TWO_DECIMALS = {
  note: "Two decimals are enough: up to 0.006 more or less is right.",
  tolerance: 0.006,
};
export const THREE_DECIMALS = {
  note: "Three decimals are enough: up to 0.0006 more or less is right.",
  tolerance: 0.0006,
};

const LONGEST = 24;

/** @type {Reader} */
const NUMBERS = { wanted: "a number, like 0.5, 1/2 or −3", read: readNumber };

/** Reads whole numbers, in which "1,024" is a thousand and more. @type {Reader} */
export const COUNTS = {
  wanted: "a whole number",
  read: (text) =>
    readNumber(/^\s*\d{1,3}([,.]\d{3})+\s*$/.test(text) ? text.replace(/[,.]/g, "") : text),
};

/** Whether two entries differ by more than a tolerance. @param {Entry} a @param {Entry} b @param {number} tolerance */
function apart(a, b, tolerance) {
  if (typeof a === "string" || typeof b === "string") return a !== b;
  return !(Math.abs(a - b) <= tolerance + 1e-9);
}

/**
 * The names of boxes: "key 2, weight"; in a single row or column, what distinguishes them.
 * @param {Frame} asked @returns {string[]}
 */
export function boxNames({ rows, heads }) {
  if (heads.length === 1) return rows;
  return rows.flatMap((row) => heads.map((head) => (rows.length === 1 ? head : `${row}, ${head}`)));
}

/** What was typed, so short that it fits in a sentence. @param {string} text */
function quoted(text) {
  return `“${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}”`;
}

/**
 * The cause of wrong answers: the only mistake that gives all that is typed. A right answer speaks
 * against a mistake that would have made it wrong; an empty box says nothing.
 * @template Problem
 * @param {Drill<Problem>} drill @param {Problem} problem
 * @param {(Entry | undefined)[]} typed with at least one wrong answer
 */
function causeOf(drill, problem, typed) {
  const found = drill.mistakes(problem).filter(({ answer, throughout }) =>
    answer.every((entry, i) => {
      const own = typed[i];
      return own === undefined ? !throughout : !apart(own, entry, drill.tolerance);
    }),
  );
  return found.length === 1 ? found[0].cause : undefined;
}

/** Whether a text is the right number with too few decimals. @param {string} text @param {Entry} right */
function isCoarse(text, right) {
  const digits = /[.,](\d+)\s*$/.exec(text)?.[1].length;
  return digits !== undefined && !apart(readNumber(text) ?? "", right, 0.5 * 10 ** -digits);
}

/** @typedef {"right" | "wrong" | "unread" | "empty"} Verdict */

/**
 * Each box judged, and the one thing to say about all of them.
 * @template Problem
 * @param {Drill<Problem>} drill @param {Problem} problem @param {string[]} texts what is typed
 * @returns {{verdicts: Verdict[], say: string, done: boolean}}
 */
export function judge(drill, problem, texts) {
  const { wanted, read } = drill.reader ?? NUMBERS;
  const sheet = drill.show(problem);
  const [names, right] = [boxNames(sheet.asked), drill.answer(problem)];
  const typed = texts.map((text) => (text.trim() ? read(text) : undefined));
  const verdicts = texts.map((text, i) => {
    const entry = typed[i];
    if (!text.trim()) return "empty";
    if (entry === undefined) return "unread";
    return apart(entry, right[i], drill.tolerance) ? "wrong" : "right";
  });
  const places = (/** @type {Verdict} */ verdict) =>
    verdicts.flatMap((found, i) => (found === verdict ? [i] : []));
  const [wrong, unread, empty] = [places("wrong"), places("unread"), places("empty")];
  const infinite = wrong.find((i) => Math.abs(Number(typed[i])) === Infinity);
  const lookAgain = () => {
    if (drill.tolerance && wrong.every((i) => isCoarse(texts[i], right[i])))
      return `That is rounded too far. ${drill.note}`;
    return `Right so far: ${places("right").length} of ${texts.length}. Look again at ${names[wrong[0]]}.`;
  };
  const say = () => {
    if (unread.length) return `${quoted(texts[unread[0]])} (${names[unread[0]]}) is not ${wanted}.`;
    if (infinite !== undefined)
      return `${quoted(texts[infinite])} (${names[infinite]}) is infinite. All answers here are finite.`;
    if (wrong.length) return `Not yet. ${causeOf(drill, problem, typed) ?? lookAgain()}`;
    if (empty.length === texts.length) return "Fill in the boxes first.";
    if (empty.length) return `Right so far. Still empty: ${names[empty[0]]}.`;
    return `Right. ${sheet.praise}`;
  };
  return { verdicts, say: say(), done: places("right").length === texts.length };
}

/**
 * Whether each mistake shows, and can be taken for no other one: what it gets wrong, every other
 * mistake gets wrong in another way.
 * @template Problem
 * @param {Drill<Problem>} drill @param {Problem} problem
 */
export function isClear(drill, problem) {
  const [right, mistakes] = [drill.answer(problem), drill.mistakes(problem)];
  const differ = (/** @type {Entry} */ a, /** @type {Entry} */ b) =>
    apart(a, b, 2 * drill.tolerance);
  const isDefined = (/** @type {Entry} */ x) => typeof x === "string" || Number.isFinite(x);
  if (!mistakes.every(({ answer }) => answer.every(isDefined))) return false;
  const all = right.map((_, i) => i);
  return mistakes.every((mistake) => {
    const wrong = all.filter((i) => differ(mistake.answer[i], right[i]));
    const others = mistakes.filter((other) => other !== mistake);
    const unlike = others.every(({ answer, throughout }) =>
      (throughout ? all : wrong).some((i) => differ(answer[i], mistake.answer[i])),
    );
    return wrong.length > 0 && unlike;
  });
}

/**
 * Draw a problem in which causes are sure, another one than the last.
 * @template Problem
 * @param {Drill<Problem>} drill @param {import("./draw.js").Random} random @param {Problem} [last]
 */
export function fresh(drill, random, last) {
  for (let tries = 0; tries < 1000; tries += 1) {
    const problem = drill.draw(random);
    if (JSON.stringify(problem) !== JSON.stringify(last) && isClear(drill, problem)) return problem;
  }
  throw new Error(`${drill.name} draws no problem in which causes are sure`);
}
