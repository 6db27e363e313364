// @ts-check
// When a card comes back: FSRS, by the library ts-fsrs. Nothing here knows of the page.

/** @typedef {import("./cards.js").Card} Card */
/** @typedef {import("./cards.js").Kept} Kept */
/** @typedef {{text: string, feedback: string, right: boolean}} Choice */
/** @typedef {{href: string, text: string}} Place a link to what explains it */
/**
 * What can be asked: a question or a drill by its figure, all else by front and back, as HTML. Of
 * what is not read yet, only the first line is known.
 * @typedef {{id: string, kind: "quiz" | "drill" | "term" | "formula" | "letter", chapter: string,
 *   title: string, choices: number, see: Place[], figure?: string, front?: string, back?: string,
 *   state?: {prompt?: string, choices?: Choice[]}}} Item
 */

(() => {
  const { FSRS, reviewCards } = /** @type {any} */ (globalThis);
  const { fsrs, Rating, State } = FSRS;
  const { dueAt, isAhead, LONGEST } = reviewCards;
  const RATINGS = { again: Rating.Again, hard: Rating.Hard, good: Rating.Good };
  // What one thing takes, roughly.
  const SECONDS = { quiz: 30, drill: 90, term: 15, formula: 20, letter: 10 };

  /** A card that was never planned, and is due. @returns {Card} */
  const fresh = () => ({
    ...{ due: 0, last: 0, stability: 0, difficulty: 0, reps: 0, lapses: 0 },
    wrong: [],
  });

  /** The scheduler: days, not minutes, since a mistake comes again in the same sitting anyway. @param {number} retention */
  const scheduler = (retention) =>
    fsrs({
      request_retention: retention,
      maximum_interval: LONGEST,
      enable_fuzz: false,
      enable_short_term: false,
    });

  /**
   * The card after an answer. A clock that went back a little counts as no time; a card that lies
   * far ahead of it starts its interval again.
   * @param {Card | undefined} card @param {{at: number, grade: "again" | "hard" | "good",
   *   wrong: string[]}} answer @param {number} retention @returns {Card}
   */
  function planned(card = fresh(), { at, grade, wrong }, retention) {
    const last = isAhead(card, at) ? at : card.last;
    const now = new Date(Math.max(at, last));
    const before = {
      ...{ due: new Date(card.due), stability: card.stability, difficulty: card.difficulty },
      ...{ reps: card.reps, lapses: card.lapses, elapsed_days: 0, learning_steps: 0 },
      scheduled_days: 0,
      state: card.reps ? State.Review : State.New,
      last_review: card.reps ? new Date(last) : undefined,
    };
    const after = scheduler(retention).next(before, now, RATINGS[grade]).card;
    const { stability, difficulty, reps, lapses } = after;
    return {
      ...{ due: after.due.getTime(), last: now.getTime(), stability, difficulty, reps, lapses },
      wrong: grade === "good" ? card.wrong : [...new Set([...wrong, ...card.wrong])].slice(0, 8),
    };
  }

  /** Plan by the answers that were noted since Review was last open. @param {Kept} kept */
  function takeIn(kept) {
    for (const answer of kept.waiting.sort((a, b) => a.at - b.at))
      kept.cards[answer.id] = planned(kept.cards[answer.id], answer, kept.retention);
    kept.waiting = [];
  }

  /** What there is to ask, the longest due first, and what was due together mixed. @param {Kept} kept @param {Map<string, Item>} items @param {number} now @param {() => number} random */
  function dueOf(kept, items, now, random) {
    return Object.entries(kept.cards)
      .map(([id, card]) => ({ id, due: dueAt(card, now), at: random() }))
      .filter(({ id, due }) => due <= now && items.has(id) && !kept.out.includes(id))
      .sort((a, b) => a.due - b.due || a.at - b.at)
      .flatMap(({ id }) => items.get(id) ?? []);
  }

  /** As many as fit into the time, one at least. @param {Item[]} due @param {number} minutes */
  function sitting(due, minutes) {
    let left = 60 * minutes;
    return due.filter(({ kind }, i) => {
      left -= SECONDS[kind];
      return left >= 0 || i === 0;
    });
  }

  /** Choices in another order; those that the reader once took wrongly come first. @param {Choice[]} choices @param {string[]} wrong @param {() => number} random */
  function shuffled(choices, wrong, random) {
    const places = choices.map((choice) => ({ choice, at: random() }));
    const rank = (/** @type {Choice} */ { text }) => Number(!wrong.includes(text));
    places.sort((a, b) => rank(a.choice) - rank(b.choice) || a.at - b.at);
    return places.map(({ choice }) => choice);
  }

  Object.assign(globalThis, {
    reviewPlan: { fresh, planned, takeIn, dueOf, sitting, shuffled },
  });
})();
