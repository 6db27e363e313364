// @ts-check
// The page Review: asks what is due, one thing at a time, and plans by the answers.

/** @typedef {import("./kept.js").Kept} Kept */
/** @typedef {import("./kept.js").Grade} Grade */
/** @typedef {import("./plan.js").Item} Item */
/** @typedef {{item: Item, grade: Grade, due: number}} Told what came of one thing */

(() => {
  const MINUTES = [2, 5, 10, 20];
  const LEVELS = [0.8, 0.85, 0.9, 0.95];
  const all = /** @type {any} */ (globalThis);
  const { keptReview: store, reviewPlan: plan, reviewFile: file, livingFigures: figures } = all;
  /** @type {typeof import("../../../transformer_lite/figures/kit/kit.js")} */
  const { h, setText } = figures.use("figures-kit");
  /** @type {typeof import("../../../transformer_lite/figures/kit/controls.js")} */
  const { button } = figures.use("figures-controls");
  /** @type {Map<string, Item>} */
  const items = new Map(all.reviewItems.map((/** @type {Item} */ item) => [item.id, item]));
  const place = /** @type {HTMLElement} */ (document.querySelector(".tl-review"));

  let minutes = 5;

  /** "7 things", "1 thing" @param {number} n */
  const things = (n) => `${n} thing${n === 1 ? "" : "s"}`;
  /** @param {string} summary @param {...(Node | string)} parts */
  const fold = (summary, ...parts) => h("details", {}, h("summary", {}, summary), ...parts);
  /** @param {Item} item */
  const sectionOf = ({ chapter, anchor, title, section }) =>
    h("a", { href: `../notebooks/${chapter}.html#${anchor}` }, `${title}: ${section}`);

  /** Show a view, and lead the keyboard to its heading if the reader has asked for it. @param {string} title @param {...(Node | string)} parts */
  function view(title, ...parts) {
    const heading = h("h2", { tabindex: "-1" }, title);
    place.replaceChildren(heading, ...parts);
    if (!place.hidden) heading.focus();
    place.hidden = false;
  }

  /**
   * One of a few values, as radio buttons.
   * @param {string} legend @param {number[]} values @param {number} now
   * @param {(x: number) => string} text @param {(x: number) => void} onpick
   */
  function radios(legend, values, now, text, onpick) {
    const name = legend.replaceAll(" ", "-");
    const labels = values.map((value) => {
      const onchange = () => onpick(value);
      const input = h("input", { type: "radio", name, checked: value === now, onchange });
      return h("label", {}, input, ` ${text(value)}`);
    });
    return h("fieldset", {}, h("legend", {}, legend), ...labels);
  }

  /** The chapters that were read or begun, by what progress.js keeps. */
  function begun() {
    const key = `progress of ${new URL("../", location.href).pathname}`;
    try {
      const entries = Object.entries(JSON.parse(localStorage.getItem(key) ?? "{}"));
      return entries.map(([name, { done, read }]) => ({
        name,
        read: Boolean(read),
        ids: Object.keys(done).map((id) => `${name}#${id}`),
      }));
    } catch {
      return [];
    }
  }

  /** Take in what was done before Review kept anything, and what was answered since. @param {Kept} kept */
  function takeIn(kept) {
    for (const id of begun().flatMap(({ ids }) => ids))
      if (items.has(id) && !kept.waiting.some((answer) => answer.id === id))
        kept.cards[id] ??= plan.fresh();
    plan.takeIn(kept);
  }

  /** The chapters whose things are not all taken in, to tick. @param {Kept} kept */
  function chapters(kept) {
    const read = new Set(begun().flatMap((one) => (one.read ? [one.name] : [])));
    const open = [...items.values()].filter(
      ({ id }) => !Object.hasOwn(kept.cards, id) && !kept.out.includes(id),
    );
    const rows = [...new Set(open.map(({ chapter }) => chapter))].map((name) => {
      const list = open.filter(({ chapter }) => chapter === name);
      const input = h("input", { type: "checkbox", checked: read.has(name) });
      const text = ` ${list[0].title} (${things(list.length)})`;
      return { input, list, label: h("label", {}, input, text) };
    });
    if (!rows.length) return "";
    const take = () => {
      const chosen = rows.flatMap(({ input, list }) => (input.checked ? list : []));
      store.change((/** @type {Kept} */ now) => {
        for (const { id } of chosen) now.cards[id] ??= plan.fresh();
      });
      begin(chosen.length ? `${things(chosen.length)} taken in.` : "Tick a chapter first.");
    };
    const box = fold(
      "Take in chapters that you have read",
      h("div", { class: "tl-review-chapters" }, ...rows.map(({ label }) => label)),
      button("Take them in", take),
    );
    box.open = Object.keys(kept.cards).length === 0;
    return box;
  }

  /** Export, import, erase, and how surely things should be known. @param {Kept} kept */
  function keeping(kept) {
    const picker = h("input", { type: "file", accept: ".json,application/json" });
    picker.onchange = async () => begin(picker.files?.[0] ? await file.load(picker.files[0]) : "");
    const erase = () => {
      store.change((/** @type {Kept} */ now) => Object.assign(now, store.nothing()));
      begin("All that Review kept is erased.");
    };
    const sure = h("p", { hidden: true }, "Erase all that Review keeps? ");
    const keep = button("No, keep it", () => ask(false));
    const ask = (/** @type {boolean} */ open) => {
      sure.hidden = !open;
      (open ? keep : first).focus();
    };
    const first = button("Erase", () => ask(true));
    sure.append(button("Yes, erase it", erase), " ", keep);
    const level = (/** @type {number} */ x) =>
      store.change((/** @type {Kept} */ now) => {
        now.retention = x;
      });
    const legend = "Ask again when the chance that you still know it has sunk to";
    return fold(
      "What is kept",
      radios(legend, LEVELS, kept.retention, (x) => `${Math.round(100 * x)}%`, level),
      h("p", {}, button("Save as a file", file.save), " ", first),
      sure,
      h("p", {}, h("label", {}, "Add from a file: ", picker)),
    );
  }

  /** What comes next, where nothing is due. @param {Kept} kept */
  function next(kept) {
    const times = Object.entries(kept.cards)
      .filter(([id]) => items.has(id) && !kept.out.includes(id))
      .map(([, { due }]) => due);
    return times.length ? `The next comes ${store.day(Math.min(...times))}.` : "";
  }

  /** The first view: how much is due, and what can be set. @param {string} [news] what has just happened */
  function begin(news = "") {
    const isKept = store.change(takeIn);
    if (!isKept) {
      view(
        "Nothing can come back",
        h("p", {}, "This browser lets the page keep nothing: its storage is full or refused."),
      );
      return;
    }
    const kept = /** @type {Kept} */ (store.look());
    const due = plan.dueOf(kept, items, Date.now());
    const start = () => ask(plan.sitting(due, minutes), [], 0);
    const pick = (/** @type {number} */ x) => {
      minutes = x;
    };
    const time = radios("How long?", MINUTES, minutes, (x) => `${x} minutes`, pick);
    view(
      due.length
        ? `${things(due.length)} ${due.length === 1 ? "is" : "are"} due`
        : "Nothing is due",
      h("p", { role: "status" }, news),
      ...(due.length ? [time, h("p", {}, button("Begin", start))] : [h("p", {}, next(kept))]),
      chapters(kept),
      keeping(kept),
    );
  }

  /**
   * A question or drill to be made live: choices in another order, other numbers.
   * @param {Item} item @param {(grade: Grade, wrong: string[]) => void} settle told once, when
   *   the answer has its worth: a question's first, a drill's when it is right
   */
  function hostOf({ id, kind, figure, state }, settle) {
    const before = store.look()?.cards[id]?.wrong ?? [];
    const seed = Math.floor(Math.random() * 2 ** 31);
    const choices = plan.shuffled(state.choices ?? [], before, Math.random);
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
    return host;
  }

  /**
   * When something comes back, by the first answer of this sitting.
   * @param {Told[]} told @param {Item} item @param {Grade} grade @param {string[]} wrong
   */
  function planned(told, item, grade, wrong) {
    const before = told.find((one) => one.item === item);
    if (before) return before.due;
    let due = 0;
    store.change((/** @type {Kept} */ kept) => {
      const answer = { at: Date.now(), grade, wrong };
      kept.cards[item.id] = plan.planned(kept.cards[item.id], answer, kept.retention);
      due = kept.cards[item.id].due;
    });
    told.push({ item, grade, due });
    return due;
  }

  /**
   * Ask the first of a queue; what is not known comes again in this sitting.
   * @param {Item[]} queue @param {Told[]} told @param {number} asked how many were asked before
   */
  function ask([item, ...rest], told, asked) {
    if (!item) return end(told);
    let settled = false;
    const settle = (/** @type {Grade} */ grade, /** @type {string[]} */ wrong) => {
      if (settled) return;
      settled = true;
      const due = store.day(planned(told, item, grade, wrong));
      if (grade === "again") rest.push(item);
      setText(
        news,
        `${grade === "again" ? "Once more in this sitting. " : ""}It comes back ${due}.`,
      );
      setText(forward, "Next");
      again.hidden = grade !== "again";
    };
    const next = () => (settled ? ask(rest, told, asked + 1) : settle("again", []));
    const drop = () => {
      store.change((/** @type {Kept} */ kept) => kept.out.push(item.id));
      ask(
        rest.filter((other) => other !== item),
        told,
        asked + 1,
      );
    };
    const host = hostOf(item, settle);
    const news = h("p", { role: "status" });
    const again = h("p", { hidden: true }, "Read it again: ", sectionOf(item));
    const forward = button("I do not know", next);
    const buttons = [forward, button("Not again", drop), button("End here", () => end(told))];
    const row = h("p", { class: "tl-review-buttons" }, ...buttons);
    view(`${asked + 1} of ${asked + 1 + rest.length}`, host, news, again, row);
    figures.show(host).catch(() => setText(news, "It could not be loaded."));
  }

  /** The last view: what was asked, and when it comes back. @param {Told[]} told */
  function end(told) {
    const right = told.filter(({ grade }) => grade !== "again").length;
    const rows = told.map(({ item, grade, due }) =>
      h(
        "li",
        {},
        `${grade === "again" ? "✗ not yet" : "✓ right"}, comes back ${store.day(due)}: `,
        sectionOf(item),
      ),
    );
    view(
      told.length ? `${right} of ${told.length} right at the first try` : "Nothing was asked",
      h("ul", {}, ...rows),
      h(
        "p",
        {},
        button("Back to the beginning", () => begin()),
      ),
    );
  }

  begin();
})();
