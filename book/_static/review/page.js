// @ts-check
// The page Review: asks what is due, one thing at a time, and plans by the answers.

/** @typedef {import("./kept.js").Kept} Kept */
/** @typedef {import("./kept.js").Grade} Grade */
/** @typedef {import("./plan.js").Item} Item */
/** @typedef {{item: Item, grade: Grade, due: number}} Told what came of one thing */

(() => {
  const MINUTES = [2, 5, 10, 20];
  const LEVELS = [0.8, 0.85, 0.9, 0.95];
  const LARGEST = 4_000_000; // bytes of a file
  const all = /** @type {any} */ (globalThis);
  const { keptReview: store, reviewPlan: plan, livingFigures: figures } = all;
  /** @type {typeof import("../../../transformer_lite/figures/kit/kit.js")} */
  const { h, setText } = figures.use("figures-kit");
  /** @type {Map<string, Item>} */
  const items = new Map(all.reviewItems.map((/** @type {Item} */ item) => [item.id, item]));
  const place = /** @type {HTMLElement} */ (document.querySelector(".tl-review"));

  let minutes = 5;

  /** "7 things", "1 thing" @param {number} n */
  const things = (n) => `${n} thing${n === 1 ? "" : "s"}`;
  /** @param {string} text @param {() => void} onclick */
  const button = (text, onclick) => h("button", { type: "button", onclick }, text);
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

  /** Save what is kept as a file. */
  function save() {
    const blob = new Blob([JSON.stringify(store.look())], { type: "application/json" });
    const link = h("a", { href: URL.createObjectURL(blob), download: "review.json" });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  /** Add what a file holds: of two cards the one answered last stays. @param {File} file */
  async function load(file) {
    if (file.size > LARGEST) return "The file was not read: it is larger than 4 MB.";
    /** @type {Kept} */
    let data;
    try {
      data = JSON.parse(await file.text());
    } catch {
      return "The file was not read: it is no JSON.";
    }
    const fault = store.fault(data);
    if (fault) return `The file was not read. ${fault}`;
    store.change((/** @type {Kept} */ kept) => {
      for (const [id, card] of Object.entries(data.cards))
        if (!Object.hasOwn(kept.cards, id) || kept.cards[id].last < card.last)
          kept.cards[id] = card;
      kept.out = [...new Set([...kept.out, ...data.out])];
      const known = new Set(kept.waiting.map((answer) => JSON.stringify(answer)));
      kept.waiting.push(...data.waiting.filter((answer) => !known.has(JSON.stringify(answer))));
    });
    return `${things(Object.keys(data.cards).length)} read from the file.`;
  }

  /** Export, import, erase, and how surely things should be known. @param {Kept} kept */
  function keeping(kept) {
    const file = h("input", { type: "file", accept: ".json,application/json" });
    file.onchange = async () => begin(file.files?.[0] ? await load(file.files[0]) : "");
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
      h("p", {}, button("Save as a file", save), " ", first),
      sure,
      h("p", {}, h("label", {}, "Add from a file: ", file)),
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

  /** A question or drill to be made live: choices in another order, other numbers. @param {Item} item */
  function hostOf({ id, kind, figure, state }) {
    const wrong = store.look()?.cards[id]?.wrong ?? [];
    const seed = Math.floor(Math.random() * 2 ** 31);
    const choices = plan.shuffled(state.choices ?? [], wrong, Math.random);
    const json = h("script", { type: "application/json" });
    json.textContent = JSON.stringify(
      kind === "quiz" ? { ...state, choices, chosen: -1 } : { seed },
    );
    const host = h("div", { class: "tl-host" }, json);
    host.dataset.figure = figure;
    return host;
  }

  /** Plan by an answer. @param {Item} item @param {Grade} grade @param {string[]} wrong @returns {number} when it comes back */
  function planBy({ id }, grade, wrong) {
    let due = 0;
    store.change((/** @type {Kept} */ kept) => {
      const answer = { at: Date.now(), grade, wrong };
      kept.cards[id] = plan.planned(kept.cards[id], answer, kept.retention);
      due = kept.cards[id].due;
    });
    return due;
  }

  /**
   * Ask the first of a queue. The first answer counts; a wrong one comes again in this sitting.
   * @param {Item[]} queue @param {Told[]} told @param {number} asked how many were asked before
   */
  function ask(queue, told, asked) {
    const [item, ...rest] = queue;
    if (!item) return end(told);
    const host = hostOf(item);
    const news = h("p", { role: "status" });
    /** @type {string[]} */
    const wrong = [];
    let settled = false;
    let missed = false;
    const settle = (/** @type {Grade} */ grade) => {
      settled = true;
      setText(forward, "Next");
      if (grade === "again") rest.push(item);
      const before = told.find((one) => one.item === item);
      const due = before?.due ?? planBy(item, grade, wrong);
      if (!before) told.push({ item, grade, due });
      const more = grade === "again" ? "Once more in this sitting. " : "";
      setText(news, `${more}It comes back ${store.day(due)}.`);
      again.hidden = grade !== "again";
    };
    const go = () => {
      if (settled) ask(rest, told, asked + 1);
      else {
        settle("again");
        forward.focus();
      }
    };
    const drop = () => {
      store.change((/** @type {Kept} */ kept) => kept.out.push(item.id));
      ask(
        rest.filter((other) => other !== item),
        told,
        asked + 1,
      );
    };
    const forward = button("I do not know", go);
    const again = h("p", { hidden: true }, "Read it again: ", sectionOf(item));
    host.addEventListener("tl:practised", (event) => {
      const { right, choice } = /** @type {CustomEvent} */ (event).detail;
      missed ||= !right;
      if (!right && choice) wrong.push(choice);
      if (settled || (item.kind === "drill" && !right)) return;
      settle(!missed ? "good" : item.kind === "drill" ? "hard" : "again");
    });
    const buttons = [forward, button("Not again", drop), button("End here", () => end(told))];
    view(
      `${asked + 1} of ${asked + queue.length}`,
      host,
      news,
      again,
      h("p", { class: "tl-review-buttons" }, ...buttons),
    );
    figures.show(host).catch(() => {
      setText(news, "It could not be loaded.");
    });
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
