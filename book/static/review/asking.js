// @ts-check
// Asks the items of a sitting one after another, and collects the results.

/** @typedef {import("./cards.js").Kept} Kept */
/** @typedef {import("./cards.js").Grade} Grade */
/** @typedef {import("./plan.js").Item} Item */
/** @typedef {import("./plan.js").Choice} Choice */
/** @typedef {(grade: Grade, wrong: string[]) => void} Settle called once, when an answer has its grade */
/** @typedef {{item: Item, grade: Grade, wrong: string[], due: number}} ReviewResult the result of one item */
/**
 * Items that are asked together: the results so far, and how the items are asked.
 * @typedef {{results: ReviewResult[], end: (results: ReviewResult[]) => void, once: boolean, name: string,
 *   dress: (item: Item) => Dress}} Sitting
 */
/** @typedef {{choices: Choice[], seed: number}} Dress the order of a question's choices, a drill's numbers */

(() => {
  const all = /** @type {any} */ (globalThis);
  const { keptReview: store, reviewPlan: plan, reviewItems, livingFigures: figures } = all;
  /** @type {typeof import("../../lessons/kit/figures/kit.js")} */
  const { h, setText } = figures.use("figures-kit");
  /** @type {typeof import("../../lessons/kit/figures/controls.js")} */
  const { button } = figures.use("figures-controls");
  const place = /** @type {HTMLElement} */ (document.querySelector(".tl-review"));

  /** Show a view, and focus its heading unless it is the first view. @param {string} title @param {...(Node | string)} parts */
  function view(title, ...parts) {
    const heading = h("h2", { tabindex: "-1" }, title);
    place.replaceChildren(heading, ...parts);
    if (!place.hidden) heading.focus();
    place.hidden = false;
  }

  /** @param {string} summary @param {...(Node | string)} parts */
  const fold = (summary, ...parts) => h("details", {}, h("summary", {}, summary), ...parts);

  /** Return links to the places that explain an item. @param {Item} item */
  const linksOf = ({ see }) =>
    see.flatMap(({ href, text }, i) => [i ? ", " : "", h("a", { href }, text)]);

  /** Parse HTML from the book into nodes. @param {string} html */
  const written = (html) => [...new DOMParser().parseFromString(html, "text/html").body.childNodes];

  /** Shuffle the choices and draw new numbers. @param {Item} item @returns {Dress} */
  function anew({ id, state }) {
    const before = store.look()?.cards[id]?.wrong ?? [];
    const choices = plan.shuffled(state?.choices ?? [], before, Math.random);
    return { choices, seed: Math.floor(Math.random() * 2 ** 31) };
  }

  /**
   * Return a question or drill to be made live, and a function to call when the reader gives up. For
   * a question the first answer counts, and for a drill the right one.
   * @param {Item} item @param {Dress} dress @param {Settle} settle
   */
  function hostOf({ kind, figure, state }, { choices, seed }, settle) {
    const json = h("script", { type: "application/json" });
    json.textContent = JSON.stringify(
      kind === "quiz" ? { ...state, choices, chosen: -1 } : { seed },
    );
    const host = h("div", { class: "tl-host" }, json);
    host.dataset.figure = figure;
    let missed = false;
    host.addEventListener("tl:practised", (event) => {
      const { right, choice } = /** @type {CustomEvent} */ (event).detail;
      missed ||= !right;
      if (kind === "quiz" || right)
        settle(
          !missed ? "good" : kind === "drill" ? "hard" : "again",
          missed && choice ? [choice] : [],
        );
    });
    return { element: host, giveUp: () => settle("again", []) };
  }

  /** Return a card with a hidden back; the reader grades the answer. @param {Item} item @param {Settle} settle */
  function cardOf({ front = "", back = "" }, settle) {
    /** @type {[string, Grade][]} */
    const grades = [
      ["I knew it", "good"],
      ["Nearly", "hard"],
      ["No", "again"],
    ];
    const judge = (/** @type {Grade} */ grade) => {
      open();
      for (const gradeButton of buttons) gradeButton.hidden = true;
      settle(grade, []);
    };
    const buttons = grades.map(([text, grade]) => button(text, () => judge(grade)));
    const behind = h("div", { class: "tl-review-back", hidden: true }, ...written(back));
    const verdict = h("p", { class: "tl-review-buttons", hidden: true }, ...buttons);
    const open = () => {
      behind.hidden = false;
      verdict.hidden = false;
      first.hidden = true;
    };
    const show = () => {
      open();
      buttons[0].focus();
    };
    const first = h("p", {}, "Say it to yourself. ", button("Show it", show));
    const face = h("div", { class: "tl-review-front" }, ...written(front));
    const element = h("div", { class: "tl-review-card" }, face, first, behind, verdict);
    return { element, giveUp: () => judge("again") };
  }

  /**
   * Plan when an item comes back, from its first answer in this sitting.
   * @param {ReviewResult[]} results @param {Item} item @param {Grade} grade @param {string[]} wrong
   */
  function planned(results, item, grade, wrong) {
    const before = results.find((result) => result.item === item);
    if (before) return before.due;
    let due = 0;
    store.change((/** @type {Kept} */ kept) => {
      const answer = { at: Date.now(), grade, wrong };
      kept.cards[item.id] = plan.planned(kept.cards[item.id], answer, kept.retention);
      due = kept.cards[item.id].due;
    });
    results.push({ item, grade, wrong, due });
    return due;
  }

  /** Call `go` once the chapters that it needs are loaded. @param {string[]} chapters @param {() => void} go */
  function whenRead(chapters, go) {
    view("Loading the questions …");
    reviewItems.load(chapters).then(go, () => {
      const text = "The questions could not be loaded. Reload the page to try again.";
      view("Review stops here", h("p", { role: "status" }, text));
    });
  }

  /**
   * Ask the first item of a queue, then the others.
   * @param {Sitting} sitting @param {Item[]} queue @param {number} asked how many were asked before
   */
  function ask(sitting, [item, ...rest], asked) {
    const { results, end, once, dress, name } = sitting;
    if (!item) return end(results);
    let settled = false;
    const go = (/** @type {Item[]} */ others) => ask(sitting, others, asked + 1);
    /** @type {Settle} */
    const settle = (grade, wrong) => {
      if (settled) return;
      settled = true;
      const due = planned(results, item, grade, wrong);
      again.hidden = grade !== "again";
      const isRepeated = grade === "again" && !once;
      if (isRepeated) rest.push(item);
      const more = isRepeated ? "Once more in this sitting. " : "";
      setText(news, due ? `${more}It comes back ${store.day(due)}.` : more || "Noted.");
      setText(forward, "Next");
    };
    const drop = () => {
      store.change((/** @type {Kept} */ kept) => kept.out.push(item.id));
      go(rest.filter((other) => other !== item));
    };
    const { element, giveUp } = item.figure
      ? hostOf(item, dress(item), settle)
      : cardOf(item, settle);
    const news = h("p", { role: "status" });
    const again = h("p", { hidden: true }, "Read it again: ", ...linksOf(item));
    const forward = button("I do not know", () => (settled ? go(rest) : giveUp()));
    const out = once ? [] : [button("Not again", drop)];
    const buttons = [forward, ...out, button("End here", () => end(results))];
    const row = h("p", { class: "tl-review-buttons" }, ...buttons);
    view(`${name}${asked + 1} of ${asked + 1 + rest.length}`, element, news, again, row);
    if (item.figure) figures.show(element).catch(() => setText(news, "It could not be loaded."));
  }

  /**
   * Ask the items one after another; with `once`, nothing is repeated and nothing can be dropped.
   * @param {Item[]} queue @param {(results: ReviewResult[]) => void} end
   * @param {{once?: boolean, dress?: (item: Item) => Dress, name?: string}} [how]
   */
  function sit(queue, end, { once = false, dress = anew, name = "" } = {}) {
    whenRead(
      queue.map(({ chapter }) => chapter),
      () => ask({ results: [], end, once, dress, name }, queue, 0),
    );
  }

  /** Return a list of what was asked, and when each item comes back. @param {ReviewResult[]} results */
  function listOf(results) {
    const rows = results.map(({ item, grade, due }) => {
      const mark = grade === "again" ? "✗ not yet" : "✓ right";
      const when = due ? `, comes back ${store.day(due)}` : "";
      return h("li", {}, `${mark}${when}: `, ...linksOf(item));
    });
    return h("ul", {}, ...rows);
  }

  all.reviewAsking = { view, fold, sit, whenRead, listOf, linksOf };
})();
