// @ts-check
// Review on every page: stores answers in this browser, and shows when each item comes back. Only
// the Review page loads the scheduler, so here answers are only recorded, and it plans with them.

/** @typedef {import("./cards.js").Kept} Kept */
/** @typedef {import("./cards.js").Answer} Answer */

(() => {
  const { bookStored, reviewCards: cards } = /** @type {any} */ (globalThis);
  const ROOT = document.documentElement.dataset.content_root ?? "./";
  const KEY = `review of ${new URL(ROOT, location.href).pathname}`;
  const own = bookStored.store(KEY, cards.examine);

  /** Return why nothing can be stored. */
  function refusal() {
    const full =
      "This browser does not let the page store anything: its storage is full or blocked.";
    try {
      const { newer } = own.read();
      if (newer) return `A later edition of this book keeps Review in this browser. ${newer}`;
    } catch {}
    return full;
  }

  /** @param {(kept: Kept) => void} how @returns {boolean} whether the browser has stored it */
  function change(how) {
    try {
      if (localStorage.forgets) return false;
      own.change(how);
    } catch {
      return false;
    }
    dispatchEvent(new Event("tl:kept"));
    return true;
  }

  /** @returns {Kept | undefined} undefined if the browser refuses, or if a later edition wrote the data */
  function look() {
    try {
      const { data, newer } = own.read();
      if (!newer && !localStorage.forgets) return data;
    } catch {}
    return undefined;
  }

  /** Return the entries that were left out as damaged. @returns {import("./cards.js").Damaged[]} */
  function damaged() {
    try {
      return own.damaged();
    } catch {
      return [];
    }
  }

  function erase() {
    try {
      own.erase();
    } catch {}
    dispatchEvent(new Event("tl:kept"));
  }

  /** Return a day in words: "today", or "2 December", with the year if it is not this one. @param {number} time */
  function day(time) {
    const [when, now] = [new Date(time), new Date()];
    if (time <= now.getTime() || when.toDateString() === now.toDateString()) return "today";
    const year = when.getFullYear() === now.getFullYear() ? undefined : "numeric";
    return `on ${when.toLocaleDateString("en-GB", { day: "numeric", month: "long", year })}`;
  }

  Object.assign(window, { keptReview: { change, look, refusal, damaged, erase, day } });

  const [, chapter] = /(\d\d_\w+)\.html/.exec(location.pathname) ?? [];
  const boxes = [...document.querySelectorAll(".tl-practice:not(.tl-prediction)")];
  /** @param {Element} box */
  const idOf = (box) => `${chapter}#${box.id}`;

  /** Make the line under an answered box: when it comes back, and a button to drop it. @param {Element} box */
  function line(box) {
    const [text, button] = [document.createElement("span"), document.createElement("button")];
    const element = document.createElement("p");
    element.className = "tl-review-due";
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

  /** Show a line in each box that the reader has answered. @param {Kept} kept */
  function showLines(kept) {
    for (const box of boxes) {
      const id = idOf(box);
      const isOut = kept.out.includes(id);
      const card = Object.hasOwn(kept.cards, id) ? kept.cards[id] : undefined;
      const isWaiting = kept.waiting.some((answer) => answer.id === id);
      const due = isWaiting ? 0 : card && cards.dueAt(card, Date.now());
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

  /** Show how much is due, next to the link to the Review page. @param {Kept} kept */
  function showDue(kept) {
    const now = Date.now();
    const due = Object.entries(kept.cards).filter(
      ([id, card]) => cards.dueAt(card, now) <= now && !kept.out.includes(id),
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

  /** Draw a bar under each chapter on the map, as long as the share of its items not due. @param {Kept} kept */
  function showFresh(kept) {
    const now = Date.now();
    const asked = Object.entries(kept.cards).filter(([id]) => !kept.out.includes(id));
    for (const link of document.querySelectorAll(".chapter-map a")) {
      for (const old of link.querySelectorAll(".tl-fresh")) old.remove();
      const [, name] = /(\d\d_\w+)\.html/.exec(link.getAttribute("href") ?? "") ?? [];
      const own = asked.filter(([id]) => id.startsWith(`${name}#`));
      const box = link.querySelector("rect");
      if (!own.length || !box) continue;
      const fresh = own.filter(([, card]) => cards.dueAt(card, now) > now).length;
      const [x, y, width, height] = ["x", "y", "width", "height"].map((side) =>
        Number(box.getAttribute(side)),
      );
      const bar = document.createElementNS(box.namespaceURI, "rect");
      const long = ((width - 16) * fresh) / own.length;
      const place = { x: x + 8, y: y + height - 6, width: long, height: 4, class: "tl-fresh" };
      for (const [side, value] of Object.entries(place)) bar.setAttribute(side, `${value}`);
      link.append(bar);
      const base = (link.getAttribute("aria-label") ?? `${link.textContent}`).split(
        "; in Review",
      )[0];
      const label = `${base}; in Review ${fresh} of ${own.length} fresh`;
      link.setAttribute("aria-label", label);
      link.setAttribute("title", label);
    }
  }

  function show() {
    const kept = look();
    if (!kept) return;
    showLines(kept);
    showDue(kept);
    showFresh(kept);
  }

  /** The boxes answered since the page was opened; only the first answer counts. */
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
  addEventListener("tl:progress", show); // it resets the labels of the map's links
  addEventListener("storage", show);
  addEventListener("pageshow", ({ persisted }) => persisted && show());
  addEventListener("tl:erase", erase);
  show();
})();
