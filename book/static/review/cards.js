// @ts-check
// What Review keeps: which entries are whole, and when a card is due. Nothing here knows of the page.

/**
 * What is known of one question or drill. Times are milliseconds since 1970; a card that was never
 * planned has `reps` 0 and is due at once.
 * @typedef {{due: number, last: number, stability: number, difficulty: number, reps: number,
 *   lapses: number, wrong: string[]}} Card
 */
/** @typedef {"again" | "hard" | "good"} Grade what an answer was worth, by FSRS's names */
/** @typedef {{id: string, at: number, grade: Grade, wrong: string[]}} Answer */
/** @typedef {{format: number, retention: number, cards: Record<string, Card>, out: string[],
 *   waiting: Answer[]}} Kept */
/** @typedef {import("../stored.js").Damaged} Damaged */

(() => {
  const { isObject, isName, sift, siftEntries } = /** @type {any} */ (globalThis).bookStored;
  const FORMAT = 1;
  const DAY = 86_400_000;
  const LONGEST = 3650; // days: Review plans nothing later
  const MOST = 5000; // wrong choices, and letters of one

  /** @returns {Kept} */
  const nothing = () => ({ format: FORMAT, retention: 0.9, cards: {}, out: [], waiting: [] });

  /** @param {any} list */
  const areTexts = (list) =>
    Array.isArray(list) &&
    list.length <= MOST &&
    list.every((text) => typeof text === "string" && text.length <= MOST);

  /** @param {any} x */
  const isTime = (x) => Number.isFinite(x) && x >= 0 && x < 1e14;

  /** @param {any} x */
  const isCount = (x) => Number.isSafeInteger(x) && x >= 0;

  /** @param {any} card */
  function isCard(card) {
    if (!isObject(card) || !areTexts(card.wrong)) return false;
    const { due, last, stability, difficulty, reps, lapses } = card;
    if (![due, last, stability, difficulty].every(isTime)) return false;
    if (![reps, lapses].every(isCount)) return false;
    return !reps || (stability > 0 && difficulty >= 1 && difficulty <= 10);
  }

  /** @param {any} answer */
  const isAnswer = (answer) =>
    isObject(answer) &&
    isName(answer.id) &&
    isTime(answer.at) &&
    ["again", "hard", "good"].includes(answer.grade) &&
    areTexts(answer.wrong);

  /** @param {any} data */
  const isNewer = (data) => typeof data?.format === "number" && data.format > FORMAT;

  /** What keeps all of a file from being read; "" if nothing does. @param {any} data */
  function fault(data) {
    if (!isObject(data) || (typeof data.format !== "number" && !isObject(data.cards)))
      return "It was not written by this book's Review.";
    return isNewer(data)
      ? `It has format ${data.format}, and this edition reads formats up to ${FORMAT}.`
      : "";
  }

  /** What of it is whole, and what is damaged. @param {any} data @returns {import("../stored.js").Found<Kept>} */
  function examine(data) {
    if (data === undefined) return { data: nothing(), damaged: [] };
    if (fault(data))
      return isNewer(data)
        ? { data: nothing(), damaged: [], newer: fault(data) }
        : { data: nothing(), damaged: [["", data]] };
    /** @type {Damaged[]} */
    const damaged = [];
    /** A field, or what it is at first. @param {string} name @param {(x: any) => boolean} isWhole @param {any} first */
    const field = (name, isWhole, first) => {
      if (isWhole(data[name])) return data[name];
      if (data[name] !== undefined) damaged.push([name, data[name]]);
      return first;
    };
    /** A list's whole entries. @param {string} name @param {(x: any) => boolean} isWhole */
    const list = (name, isWhole) => {
      const found = sift(field(name, Array.isArray, []), isWhole, (/** @type {any} */ one) => [
        name,
        one,
      ]);
      damaged.push(...found.damaged);
      return found.whole;
    };
    const cards = siftEntries(field("cards", isObject, {}), isCard, "card ");
    damaged.push(...cards.damaged);
    const kept = {
      format: field("format", Number.isFinite, FORMAT),
      retention: field("retention", (x) => x >= 0.7 && x <= 0.97, 0.9),
      cards: cards.whole,
      out: list("out", isName),
      waiting: list("waiting", isAnswer),
    };
    return { data: kept, damaged };
  }

  /** Name some damaged entries, the first three. @param {Damaged[]} damaged */
  function named(damaged) {
    const names = damaged.slice(0, 3).map(([where]) => where.slice(0, 60) || "all of it");
    const more = damaged.length > 3 ? ` and ${damaged.length - 3} more` : "";
    return `${names.join(", ")}${more}`;
  }

  /**
   * Return whether a card's last answer lies ahead: the clock is wrong now, or was wrong then. Nobody
   * can tell which, so the card keeps its dates until it is answered.
   * @param {Card} card @param {number} now
   */
  const isAhead = ({ last }, now) => last - now > DAY;

  /** When a card is due by this clock: at once, where its dates cannot be right. @param {Card} card @param {number} now */
  const dueAt = (card, now) =>
    isAhead(card, now) ? now : Math.min(card.due, card.last + (LONGEST + 1) * DAY);

  /** Return whether the second of two cards is to be kept: it was answered last, and not ahead. @param {Card} own @param {Card} other @param {number} now */
  const isLater = (own, other, now) =>
    isAhead(own, now) === isAhead(other, now) ? own.last < other.last : isAhead(own, now);

  Object.assign(globalThis, {
    reviewCards: { nothing, fault, examine, named, isAhead, dueAt, isLater, DAY, LONGEST },
  });
})();
