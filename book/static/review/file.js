// @ts-check
// What Review keeps, as a file: saved, and read again with all that it says checked.

/** @typedef {import("./cards.js").Kept} Kept */

(() => {
  const LARGEST = 4_000_000; // bytes
  const { keptReview: store, reviewCards: cards } = /** @type {any} */ (globalThis);

  /** Give the reader a file. @param {unknown} data @param {string} download its name */
  function give(data, download) {
    const blob = new Blob([JSON.stringify(data)], { type: "application/json" });
    const href = URL.createObjectURL(blob);
    Object.assign(document.createElement("a"), { href, download }).click();
    URL.revokeObjectURL(href);
  }

  /** Save what is kept as a file, and what was left out as damaged. */
  function save() {
    const damaged = store.damaged();
    give({ ...store.look(), ...(damaged.length ? { damaged } : {}) }, "review.json");
  }

  /** Add what a file holds: of two cards the one answered last stays. @param {File} file */
  async function load(file) {
    if (file.size > LARGEST) return "The file was not read: it is larger than 4 MB.";
    let written;
    try {
      written = JSON.parse(await file.text());
    } catch {
      return "The file was not read: it is no JSON.";
    }
    const fault = cards.fault(written);
    if (fault) return `The file was not read. ${fault}`;
    /** @type {import("../stored.js").Found<Kept>} */
    const { data, damaged } = cards.examine(written);
    const now = Date.now();
    const isKept = store.change((/** @type {Kept} */ kept) => {
      for (const [id, card] of Object.entries(data.cards))
        if (!Object.hasOwn(kept.cards, id) || cards.isLater(kept.cards[id], card, now))
          kept.cards[id] = card;
      kept.out = [...new Set([...kept.out, ...data.out])];
      const known = new Set(kept.waiting.map((answer) => JSON.stringify(answer)));
      kept.waiting.push(...data.waiting.filter((answer) => !known.has(JSON.stringify(answer))));
    });
    if (!isKept) return `The file was not added. ${store.refusal()}`;
    const read = `Read from the file: ${Object.keys(data.cards).length}.`;
    return damaged.length
      ? `${read} Left out as damaged: ${damaged.length} (${cards.named(damaged)}).`
      : read;
  }

  Object.assign(globalThis, { reviewFile: { give, save, load } });
})();
