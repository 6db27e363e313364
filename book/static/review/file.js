// @ts-check
// Saves Review's data to a file, and loads such a file after checking everything in it.

/** @typedef {import("./cards.js").Kept} Kept */

(() => {
  const LARGEST = 4_000_000; // bytes
  const { keptReview: store, reviewCards: cards } = /** @type {any} */ (globalThis);

  /** Offer data as a download. @param {unknown} data @param {string} download the file name */
  function give(data, download) {
    const blob = new Blob([JSON.stringify(data)], { type: "application/json" });
    const href = URL.createObjectURL(blob);
    Object.assign(document.createElement("a"), { href, download }).click();
    URL.revokeObjectURL(href);
  }

  /** Save the stored data to a file, including entries that were left out as damaged. */
  function save() {
    const damaged = store.damaged();
    give({ ...store.look(), ...(damaged.length ? { damaged } : {}) }, "review.json");
  }

  /** Add the contents of a file; of two versions of a card, keep the one answered last. @param {File} file */
  async function load(file) {
    if (file.size > LARGEST) return "The file was not read: it is larger than 4 MB.";
    let written;
    try {
      written = JSON.parse(await file.text());
    } catch {
      return "The file was not read: it is not JSON.";
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
