// @ts-check
// Review, on every page: keeps in this browser what was answered, and says when it comes back.
// The page Review alone loads the scheduler: here answers are only noted, and it plans by them.

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

(() => {
  const FORMAT = 1;
  const MOST = 5000; // cards, and letters of a text
  const DAY = 86_400_000;
  const NUMBERS = ["due", "last", "stability", "difficulty", "reps", "lapses"];
  const ROOT = document.documentElement.dataset.content_root ?? "./";
  const KEY = `review of ${new URL(ROOT, location.href).pathname}`;

  /** @returns {Kept} */
  const nothing = () => ({ format: FORMAT, retention: 0.9, cards: {}, out: [], waiting: [] });

  /** @param {any} list */
  const areTexts = (list) =>
    Array.isArray(list) &&
    list.length <= MOST &&
    list.every((text) => typeof text === "string" && text.length <= MOST);

  /** @param {any} x */
  const isTime = (x) => Number.isFinite(x) && Math.abs(x) < 1e14;

  /** @param {any} card */
  const isCard = (card) =>
    NUMBERS.every((name) => isTime(card?.[name]) && card[name] >= 0) && areTexts(card.wrong);

  /** @param {any} answer */
  const isAnswer = (answer) =>
    typeof answer?.id === "string" &&
    isTime(answer.at) &&
    ["again", "hard", "good"].includes(answer.grade) &&
    areTexts(answer.wrong);

  /** What keeps data from being read; "" if nothing does. @param {any} data */
  function fault(data) {
    if (typeof data?.format !== "number" || typeof data.cards !== "object" || !data.cards)
      return "It was not written by this book's Review.";
    if (data.format > FORMAT)
      return `It has format ${data.format}, and this edition reads formats up to ${FORMAT}.`;
    if (!(data.retention >= 0.7 && data.retention <= 0.97))
      return "Its retention is not between 0.7 and 0.97.";
    const cards = Object.entries(data.cards);
    if (cards.length > MOST) return `It has more than ${MOST} cards.`;
    const broken = cards.find(([, card]) => !isCard(card));
    if (broken) return `Its card ${broken[0].slice(0, 60)} is damaged.`;
    if (!areTexts(data.out)) return "Its list of what is left out is damaged.";
    const isWhole = Array.isArray(data.waiting) && data.waiting.every(isAnswer);
    return isWhole && data.waiting.length <= MOST ? "" : "Its list of answers is damaged.";
  }

  /** Bring back what a clock that ran ahead has put far away. @param {Kept} kept */
  function mend(kept) {
    const now = Date.now();
    for (const card of Object.values(kept.cards)) {
      const ahead = card.last - now;
      if (ahead <= DAY) continue;
      card.last -= ahead;
      card.due -= ahead;
    }
    for (const answer of kept.waiting) answer.at = Math.min(answer.at, now);
    return kept;
  }

  /** What this browser keeps. What nobody can read is put aside, not overwritten. @returns {Kept} */
  function read() {
    if (localStorage.forgets) throw new Error("this browser keeps nothing");
    const text = localStorage.getItem(KEY);
    if (text === null) return nothing();
    try {
      const data = JSON.parse(text);
      if (!fault(data)) return mend(data);
    } catch {}
    localStorage.setItem(`unreadable ${KEY}`, text);
    localStorage.removeItem(KEY);
    return nothing();
  }

  /**
   * Change what is kept. It is read anew each time, so that two tabs do not undo one another.
   * @param {(kept: Kept) => void} how @returns {boolean} whether the browser has kept it
   */
  function change(how) {
    try {
      const kept = read();
      how(kept);
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      return false;
    }
    dispatchEvent(new Event("tl:kept"));
    return true;
  }

  /** @returns {Kept | undefined} undefined where the browser refuses */
  function look() {
    try {
      return read();
    } catch {
      return undefined;
    }
  }

  /** "2 December", with the year if it is another one; "today" @param {number} time */
  function day(time) {
    const [when, now] = [new Date(time), new Date()];
    if (time <= now.getTime() || when.toDateString() === now.toDateString()) return "today";
    const year = when.getFullYear() === now.getFullYear() ? undefined : "numeric";
    return `on ${when.toLocaleDateString("en-GB", { day: "numeric", month: "long", year })}`;
  }

  Object.assign(window, { keptReview: { change, look, fault, nothing, day } });

  const [, chapter] = /(\d\d_\w+)\.html/.exec(location.pathname) ?? [];
  const boxes = [...document.querySelectorAll(".tl-practice:not(.tl-prediction)")];
  /** @param {Element} box */
  const idOf = (box) => `${chapter}#${box.id}`;

  /** Under what was answered: when it comes back, and the way out. @param {Element} box */
  function line(box) {
    const [text, button] = [document.createElement("span"), document.createElement("button")];
    const element = document.createElement("p");
    element.className = "tl-comes-back";
    button.type = "button";
    button.textContent = "Not again";
    button.onclick = () => {
      change((kept) => kept.out.push(idOf(box)));
      text.tabIndex = -1;
      text.focus();
    };
    element.append(text, " ", button);
    return { element, text, button };
  }
  /** @type {Map<Element, ReturnType<typeof line>>} */
  const lines = new Map();

  /** Say it beside each box that the reader has answered. @param {Kept} kept */
  function showLines(kept) {
    for (const box of boxes) {
      const id = idOf(box);
      const isOut = kept.out.includes(id);
      const card = Object.hasOwn(kept.cards, id) ? kept.cards[id] : undefined;
      const due = kept.waiting.some((answer) => answer.id === id) ? 0 : card?.due;
      if (due === undefined && !isOut) {
        lines.get(box)?.element.remove();
        lines.delete(box);
        continue;
      }
      const own = lines.get(box) ?? line(box);
      lines.set(box, own);
      if (!own.element.isConnected) box.append(own.element);
      own.button.hidden = isOut;
      own.text.textContent = isOut
        ? "This does not come back in Review."
        : due
          ? `This comes back in Review ${day(due)}.`
          : "This comes back: Review plans when.";
    }
  }

  /** How much is due, beside the name of the page Review. @param {Kept} kept */
  function showDue(kept) {
    const now = Date.now();
    const due = Object.entries(kept.cards).filter(
      ([id, { due }]) => due <= now && !kept.out.includes(id),
    );
    for (const link of document.querySelectorAll(".bd-links a[href$='review.html']")) {
      link.querySelector(".tl-due-count")?.remove();
      if (!due.length) continue;
      const count = document.createElement("span");
      count.className = "tl-due-count";
      count.textContent = ` (${due.length} due)`;
      link.append(count);
    }
  }

  /** On the map: a bar under each chapter, as long as the share of its things that are not due. @param {Kept} kept */
  function showFresh(kept) {
    const now = Date.now();
    const cards = Object.entries(kept.cards).filter(([id]) => !kept.out.includes(id));
    for (const link of document.querySelectorAll(".chapter-map a")) {
      for (const old of link.querySelectorAll(".tl-fresh")) old.remove();
      const [, name] = /(\d\d_\w+)\.html/.exec(link.getAttribute("href") ?? "") ?? [];
      const own = cards.filter(([id]) => id.startsWith(`${name}#`));
      const box = link.querySelector("rect");
      if (!own.length || !box) continue;
      const fresh = own.filter(([, { due }]) => due > now).length;
      const [x, y, width, height] = ["x", "y", "width", "height"].map((side) =>
        Number(box.getAttribute(side)),
      );
      const bar = document.createElementNS(box.namespaceURI, "rect");
      const long = ((width - 16) * fresh) / own.length;
      const place = { x: x + 8, y: y + height - 6, width: long, height: 4, class: "tl-fresh" };
      for (const [side, value] of Object.entries(place)) bar.setAttribute(side, `${value}`);
      link.append(bar);
      const said = (link.getAttribute("aria-label") ?? `${link.textContent}`).split(
        "; in Review",
      )[0];
      const told = `${said}; in Review ${fresh} of ${own.length} fresh`;
      link.setAttribute("aria-label", told);
      link.setAttribute("title", told);
    }
  }

  function show() {
    const kept = look();
    if (!kept) return;
    showLines(kept);
    showDue(kept);
    showFresh(kept);
  }

  /** What a reader has answered since the page was opened: the first answer counts. */
  const answered = new Set();
  document.addEventListener("tl:practised", (event) => {
    const { kind, right, choice } = /** @type {CustomEvent} */ (event).detail;
    const box = /** @type {Element} */ (event.target).closest(".tl-practice");
    if (!chapter || !box || kind === "prediction" || answered.has(box)) return;
    answered.add(box);
    const wrong = right || !choice ? [] : [choice];
    const answer = { id: idOf(box), at: Date.now(), grade: right ? "good" : "again", wrong };
    change((kept) => kept.waiting.push(/** @type {Answer} */ (answer)));
  });

  addEventListener("tl:kept", show);
  addEventListener("tl:progress", show); // it names the links of the map anew
  addEventListener("storage", show);
  addEventListener("pageshow", ({ persisted }) => persisted && show());
  addEventListener("tl:erase", () => change((kept) => Object.assign(kept, nothing())));
  show();
})();
