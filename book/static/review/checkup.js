// @ts-check
// A check-up: twelve questions and drills from the chapters of a part, the same for everybody with
// the same part and number. Its address is review.html#checkup-PART-NUMBER.

/** @typedef {import("./plan.js").Item} Item */
/** @typedef {import("./asking.js").ReviewResult} ReviewResult */
/** @typedef {import("./items.js").Part} Part */

(() => {
  const all = /** @type {any} */ (globalThis);
  const { reviewAsking: asking, livingFigures: figures } = all;
  /** @type {typeof import("../../lessons/kit/figures/kit.js")} */
  const { h, randomNumbers, setText } = figures.use("figures-kit");
  /** @type {typeof import("../../lessons/kit/figures/controls.js")} */
  const { button } = figures.use("figures-controls");
  /** @type {{parts: Part[], items: Map<string, Item>, limits: {numbers: number, letters: number}}} */
  const { parts, items, limits } = all.reviewItems;

  /** Return the part and number that an address names; undefined if it names none. @param {string} hash */
  function named(hash) {
    const [, slug, digits] = /^#checkup-(\w+)-(\d{1,4})$/.exec(hash) ?? [];
    const part = parts.find((other) => other.slug === slug);
    return part && Number(digits) > 0 ? { part, number: Number(digits) } : undefined;
  }

  /** Return what a check-up asks, with the order of choices and the numbers of drills. @param {Part} part @param {number} number */
  function contents(part, number) {
    const askable = [...items.values()].filter(
      ({ kind, chapter }) => ["quiz", "drill"].includes(kind) && part.chapters.includes(chapter),
    );
    const drawn = all.drawnCheckup(askable, randomNumbers(number));
    const dresses = new Map();
    for (const { id, seed, order } of drawn) {
      const choices = items.get(id)?.state?.choices ?? [];
      dresses.set(id, { seed, choices: order.map((/** @type {number} */ i) => choices[i]) });
    }
    return { queue: drawn.map((/** @type {Item} */ { id }) => items.get(id)), dresses };
  }

  /** Run a check-up. @param {Part} part @param {number} number @param {() => void} back */
  function run(part, number, back) {
    asking.whenRead(part.chapters, () => {
      const { queue, dresses } = contents(part, number);
      const dress = (/** @type {Item} */ { id }) => dresses.get(id);
      const name = `Check-up ${number} of “${part.name}”: `;
      const end = (/** @type {ReviewResult[]} */ results) =>
        over(part, number, results, queue.length, back);
      asking.sit(queue, end, { once: true, dress, name });
    });
  }

  /**
   * Show the results, what to read again, and a file for the teacher.
   * @param {Part} part @param {number} number @param {ReviewResult[]} results @param {number} of @param {() => void} back
   */
  function over(part, number, results, of, back) {
    const missed = results.filter(({ grade }) => grade !== "good");
    const places = new Map(missed.map(({ item }) => [item.see[0].href, item]));
    const again = [...places.values()].map((item) => h("li", {}, ...asking.linksOf(item)));
    const name = h("input", { type: "text", maxlength: limits.letters, autocomplete: "off" });
    const news = h("p", { role: "status" });
    const save = () => {
      if (!name.value.trim()) {
        setText(news, "Type your name first: your teacher must know whose file it is.");
        name.focus();
        return;
      }
      const answers = results.map(({ item: { id }, grade, wrong }) => ({ id, grade, wrong }));
      const file = { part: part.slug, number, name: name.value.trim(), answers };
      all.reviewFile.give({ format: 1, kind: "check-up", ...file }, "check-up.json");
      setText(news, "Saved as check-up.json. Nothing was sent: hand the file in yourself.");
    };
    asking.view(
      `Check-up ${number} of “${part.name}”: ${results.length - missed.length} of ${of} right at once`,
      ...(again.length ? [h("p", {}, "Read again:"), h("ul", {}, ...again)] : []),
      asking.fold("All that was asked", asking.listOf(results)),
      h("p", {}, h("label", {}, "Your name, for your teacher: ", name)),
      h(
        "p",
        { class: "tl-review-buttons" },
        button("Save for your teacher", save),
        button("Print", () => print()),
        button("Back to the beginning", back),
      ),
      news,
    );
  }

  /** Return the form to choose a check-up. @param {() => void} back returns to the first view */
  function choice(back) {
    const menu = h("select", {}, ...parts.map(({ name }) => h("option", {}, name)));
    const MOST = limits.numbers;
    const spec = { type: "number", min: 1, max: MOST, value: 1 + Math.floor(Math.random() * MOST) };
    const box = h("input", spec);
    const news = h("p", { role: "status" });
    const begin = () => {
      const number = Number(box.value);
      if (!(Number.isInteger(number) && number >= 1 && number <= MOST)) {
        setText(
          news,
          `The number must be a whole number from 1 to ${MOST}, got ${box.value || "none"}.`,
        );
        box.focus();
        return;
      }
      run(parts[menu.selectedIndex], number, back);
    };
    const description =
      "Twelve questions and drills from all chapters of a part, in about fifteen minutes; then a list " +
      "of what to read again. The same number asks the same things, so a class can compare.";
    return asking.fold(
      "A check-up of a part",
      h("p", {}, description),
      h("p", {}, h("label", {}, "Part: ", menu), " ", h("label", {}, "Number: ", box)),
      h("p", {}, button("Begin the check-up", begin)),
      news,
    );
  }

  all.reviewCheckup = { named, run, choice };
})();
