// @ts-check
// The Review page: what is due, what to add from the chapters, and what is stored.

/** @typedef {import("./cards.js").Kept} Kept */
/** @typedef {import("./plan.js").Item} Item */
/** @typedef {import("./asking.js").ReviewResult} ReviewResult */

(() => {
  const MINUTES = [2, 5, 10, 20];
  const LEVELS = [0.8, 0.85, 0.9, 0.95];
  const all = /** @type {any} */ (globalThis);
  const { keptReview: store, reviewPlan: plan, reviewFile: file, livingFigures: figures } = all;
  const { reviewAsking: asking, reviewCheckup: checkup, reviewCards: cards } = all;
  /** @type {typeof import("../../lessons/kit/figures/kit.js")} */
  const { h } = figures.use("figures-kit");
  /** @type {typeof import("../../lessons/kit/figures/controls.js")} */
  const { button } = figures.use("figures-controls");
  /** @type {Map<string, Item>} */
  const items = all.reviewItems.items;

  let minutes = 5;
  /** The kinds of items to add from a chapter. @type {Record<string, boolean>} */
  const KINDS = { "Questions and drills": true, Terms: true, "Formulas and letters": true };
  const GROUPS = {
    ...{ quiz: "Questions and drills", drill: "Questions and drills", term: "Terms" },
    ...{ formula: "Formulas and letters", letter: "Formulas and letters" },
  };

  /** Return the chapters that were started or read. @returns {[string, any][]} */
  const begun = () => Object.entries(all.keptProgress());
  /** Return a count in words: "7 things" or "1 thing". @param {number} n */
  const things = (n) => `${n} thing${n === 1 ? "" : "s"}`;
  /**
   * Return radio buttons for a choice among a few values.
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

  /** Add what was done before Review stored anything, and what was answered since then. @param {Kept} kept */
  function takeIn(kept) {
    for (const [name, { done }] of begun())
      for (const id of Object.keys(done).map((id) => `${name}#${id}`))
        if (items.has(id) && !kept.waiting.some((answer) => answer.id === id))
          kept.cards[id] ??= plan.fresh();
    plan.takeIn(kept);
  }

  /** Return checkboxes for the chapters whose items are not all added. @param {Kept} kept */
  function chapters(kept) {
    const read = new Set(begun().flatMap(([name, { read }]) => (read ? [name] : [])));
    const open = [...items.values()].filter(
      ({ id }) => !Object.hasOwn(kept.cards, id) && !kept.out.includes(id),
    );
    const rows = [...new Set(open.map(({ chapter }) => chapter))].sort().map((name) => {
      const list = open.filter(({ chapter }) => chapter === name);
      const input = h("input", { type: "checkbox", checked: read.has(name) });
      const count = document.createTextNode("");
      return { input, list, count, label: h("label", {}, input, ` ${list[0].title}`, count) };
    });
    if (!rows.length) return "";
    const wanted = (/** @type {Item[]} */ list) => list.filter(({ kind }) => KINDS[GROUPS[kind]]);
    const recount = () => {
      for (const { list, count } of rows) count.data = ` (${things(wanted(list).length)})`;
    };
    const kinds = Object.keys(KINDS).map((name) => {
      const onchange = () => {
        KINDS[name] = input.checked;
        recount();
      };
      const input = h("input", { type: "checkbox", checked: KINDS[name], onchange });
      return h("label", {}, input, ` ${name}`);
    });
    recount();
    const take = () => {
      const chosen = rows.flatMap(({ input, list }) => (input.checked ? wanted(list) : []));
      store.change((/** @type {Kept} */ now) => {
        for (const { id } of chosen) now.cards[id] ??= plan.fresh();
      });
      begin(chosen.length ? `${things(chosen.length)} taken in.` : "Tick a chapter first.");
    };
    const box = asking.fold(
      "Take in chapters that you have read",
      h("fieldset", {}, h("legend", {}, "What of them?"), ...kinds),
      h("div", { class: "tl-review-chapters" }, ...rows.map(({ label }) => label)),
      button("Take them in", take),
    );
    box.open = Object.keys(kept.cards).length === 0;
    return box;
  }

  /** Return the controls to export, import and erase, and to set the target retention. @param {Kept} kept */
  function keeping(kept) {
    const picker = h("input", { type: "file", accept: ".json,application/json" });
    picker.onchange = async () => begin(picker.files?.[0] ? await file.load(picker.files[0]) : "");
    const erase = () => {
      store.erase();
      begin("All data of Review is erased.");
    };
    const sure = h("p", { hidden: true }, "Erase all data of Review? ");
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
    const legend = "Ask again when the probability that you still know it has fallen to";
    return asking.fold(
      "What is kept",
      radios(legend, LEVELS, kept.retention, (x) => `${Math.round(100 * x)}%`, level),
      h("p", {}, button("Save as a file", file.save), " ", first),
      sure,
      h("p", {}, h("label", {}, "Add from a file: ", picker)),
    );
  }

  /** Return what comes next if nothing is due. @param {Kept} kept */
  function next(kept) {
    const times = Object.entries(kept.cards)
      .filter(([id]) => items.has(id) && !kept.out.includes(id))
      .map(([, card]) => cards.dueAt(card, Date.now()));
    return times.length ? `The next comes ${store.day(Math.min(...times))}.` : "";
  }

  /** Return warnings about the stored data: damaged entries, and a clock that disagrees. @param {Kept} kept */
  function warnings(kept) {
    const damaged = store.damaged();
    const all = Object.values(kept.cards);
    const ahead = all.filter((card) => cards.isAhead(card, Date.now())).length;
    const today = new Date().toLocaleDateString("en-GB", { dateStyle: "long" });
    return [
      damaged.length &&
        `Left out as damaged: ${damaged.length} (${cards.named(damaged)}). Everything else is here. ` +
          "“Save as a file”, below, saves what was left out too.",
      ahead &&
        `${things(ahead)} ${ahead === 1 ? "was" : "were"} answered later than today, ${today}. If ` +
          "this device has the wrong date, set it right before you go on. Otherwise go on: each " +
          "thing gets a new date when you answer it.",
    ].flatMap((text) => (text ? [h("p", { class: "tl-review-warning" }, text)] : []));
  }

  /** Show the first view: how much is due, and the settings. @param {string} [news] what has just happened */
  function begin(news = "") {
    const isKept = store.change(takeIn);
    if (!isKept) {
      asking.view("Nothing can come back", h("p", {}, store.refusal()), checkup.choice(leave));
      return;
    }
    const kept = /** @type {Kept} */ (store.look());
    const due = plan.dueOf(kept, items, Date.now(), Math.random);
    const start = () => asking.sit(plan.sitting(due, minutes), end);
    const pick = (/** @type {number} */ x) => {
      minutes = x;
    };
    const time = radios("How long?", MINUTES, minutes, (x) => `${x} minutes`, pick);
    asking.view(
      due.length
        ? `${things(due.length)} ${due.length === 1 ? "is" : "are"} due`
        : "Nothing is due",
      h("p", { role: "status" }, news),
      ...warnings(kept),
      ...(due.length ? [time, h("p", {}, button("Begin", start))] : [h("p", {}, next(kept))]),
      chapters(kept),
      checkup.choice(leave),
      keeping(kept),
    );
  }

  /** Show the last view: what was asked, and when it comes back. @param {ReviewResult[]} results */
  function end(results) {
    const right = results.filter(({ grade }) => grade !== "again").length;
    asking.view(
      results.length ? `${right} of ${results.length} right at the first try` : "Nothing was asked",
      asking.listOf(results),
      h(
        "p",
        {},
        button("Back to the beginning", () => begin()),
      ),
    );
  }

  /** Show the check-up that the address names, or the first view. */
  function open() {
    const asked = checkup.named(location.hash);
    if (asked) checkup.run(asked.part, asked.number, leave);
    else begin();
  }
  /** Return to the first view, and remove the check-up from the address. */
  function leave() {
    history.replaceState(null, "", location.pathname + location.search);
    begin();
  }

  addEventListener("hashchange", () => checkup.named(location.hash) && open());
  open();
})();
