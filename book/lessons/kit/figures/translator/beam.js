// @ts-check
// Beam search, as the package's beam_search does it: keep the best few prefixes.

import { encode } from "./encoder.js";
import { fork, start, step } from "./machine.js";
import { finished, lengthPenalty, likeliest, logProbabilities, MOST } from "./search.js";
import { SPECIAL } from "./weights.js";
import { textOf } from "./words.js";

/** @typedef {import("./weights.js").Translator} Translator */
/** @typedef {import("./encoder.js").Encoded} Encoded */
/** @typedef {import("./machine.js").State} State */
/** @typedef {import("./machine.js").Step} Step */
/** @typedef {import("./search.js").SearchOptions} SearchOptions */
/**
 * Some words, and what follows them: the state of the decoding, once taken the step from there with its
 * log-probabilities, and the same for one word more. It is the same for any width and penalty.
 * @typedef {{state: State, taken?: {step: Step, costs: Float64Array}, next: Map<number, Place>}} Place
 */
/** A kept prefix: its words, how likely they are, the steps that led to them, and its place. @typedef {{ids: number[], steps: Step[], logProb: number, length: number, ended: boolean, place: Place}} Beam */
/**
 * A beam that goes on by one word; `parent` says which. A beam that has ended goes on by a pad,
 * which costs nothing.
 * @typedef {{parent: number, id: number, logProb: number, score: number, ended: boolean}} Beginning
 */
/** One level of the tree: what each beam weighed, and the best of all, which were kept. @typedef {{weighed: Beginning[][], kept: Beginning[]}} Level */
/** @typedef {{ids: number[], text: string, logProb: number, score: number}} Hypothesis */
/** What was found, best first; the best one's ids, text and numbers once more, and its steps. @typedef {Hypothesis & {found: Hypothesis[], tree: Level[], steps: Step[]}} BeamSearch */

/** The place before the first word. @param {Translator} model @param {Encoded} encoded @param {SearchOptions} [options] @returns {Place} */
export function firstPlace(model, encoded, options = {}) {
  return { state: start(model, encoded, options), next: new Map() };
}

/** The place after some ids. @param {Place} place @param {number} id */
function after(place, id) {
  const next = place.next.get(id) ?? { state: fork(place.state), next: new Map() };
  place.next.set(id, next);
  return next;
}

/** The step from a beam's place, which is taken once. @param {Translator} model @param {Beam} beam @param {SearchOptions} options */
function takenFrom(model, { ids, place }, options) {
  if (!place.taken) {
    const next = step(model, place.state, ids[ids.length - 1] ?? SPECIAL.bos, options);
    place.taken = { step: next, costs: logProbabilities(next.logits) };
  }
  return place.taken;
}

/**
 * The likeliest ways to go on with a beam.
 * @param {Translator} model @param {Beam} beam @param {number} parent @param {number} width
 * @param {number} alpha @param {SearchOptions} options @returns {Beginning[]}
 */
function weigh(model, beam, parent, width, alpha, options) {
  if (beam.ended) {
    const score = beam.logProb / lengthPenalty(beam.length, alpha);
    return [{ parent, id: SPECIAL.pad, logProb: beam.logProb, score, ended: true }];
  }
  const { costs } = takenFrom(model, beam, options);
  return likeliest(costs, width).map((id) => {
    const logProb = beam.logProb + costs[id];
    const score = logProb / lengthPenalty(beam.length + 1, alpha);
    return { parent, id, logProb, score, ended: id === SPECIAL.eos };
  });
}

/**
 * The beam of a kept prefix.
 * @param {Translator} model @param {Beam} beam the one that it continues @param {Beginning} kept
 * @param {SearchOptions} options @returns {Beam}
 */
function continued(model, beam, { id, logProb, ended }, options) {
  if (beam.ended) return beam;
  const steps = [...beam.steps, takenFrom(model, beam, options).step];
  const [ids, place] = [[...beam.ids, id], after(beam.place, id)];
  return { ids, steps, logProb, length: beam.length + 1, ended, place };
}

/** Whether the best beam has ended and no other can overtake it. @param {Beam[]} beams @param {number} alpha @param {number} longest */
function isOver(beams, alpha, longest) {
  // A log-probability only falls. At best it stays, and is divided by the largest penalty.
  const hopes = beams.filter((beam) => !beam.ended).map((beam) => beam.logProb);
  const ends = beams.filter((beam) => beam.ended);
  const scores = ends.map((beam) => beam.logProb / lengthPenalty(beam.length, alpha));
  return Math.max(...scores) >= Math.max(...hopes) / lengthPenalty(longest, alpha);
}

/**
 * Continue the best prefixes, `width` of them, and keep the best of all continuations; stops
 * after every level.
 * @param {Translator} model @param {Place} place where it begins @param {number} width
 * @param {number} alpha @param {SearchOptions} [options] @returns {Generator<Level, BeamSearch>}
 */
export function* grown(model, place, width, alpha, options = {}) {
  const longest = (options.most ?? MOST) - 1;
  /** @type {Beam[]} */
  let beams = [{ ids: [], steps: [], logProb: 0, length: 0, ended: false, place }];
  /** @type {Level[]} */
  const tree = [];
  while (tree.length < longest && !isOver(beams, alpha, longest)) {
    const weighed = beams.map((beam, i) => weigh(model, beam, i, width, alpha, options));
    const kept = weighed
      .flat()
      .sort((a, b) => b.score - a.score)
      .slice(0, width);
    beams = kept.map((beginning) => continued(model, beams[beginning.parent], beginning, options));
    tree.push({ weighed, kept });
    yield tree[tree.length - 1];
  }
  const found = beams.map(({ ids, logProb, length }) => {
    return {
      ids,
      text: textOf(model, ids),
      logProb,
      score: logProb / lengthPenalty(length, alpha),
    };
  });
  return { ...found[0], found, tree, steps: beams[0].steps };
}

/**
 * Beam search with `width` beams and the length penalty's α.
 * @param {Translator} model @param {number[]} ids of the source, with its end @param {number} width
 * @param {number} alpha @param {SearchOptions} [options] @returns {BeamSearch}
 */
export function beam(model, ids, width, alpha, options = {}) {
  const place = firstPlace(model, encode(model, ids, options), options);
  return finished(grown(model, place, width, alpha, options));
}
