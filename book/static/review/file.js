// @ts-check
// What Review keeps, as a file: saved, and read again with all that it says checked.

/** @typedef {import("./kept.js").Kept} Kept */

(() => {
  const LARGEST = 4_000_000; // bytes
  const { keptReview: store } = /** @type {any} */ (globalThis);

  /** Give the reader a file. @param {unknown} data @param {string} download its name */
  function give(data, download) {
    const blob = new Blob([JSON.stringify(data)], { type: "application/json" });
    const href = URL.createObjectURL(blob);
    Object.assign(document.createElement("a"), { href, download }).click();
    URL.revokeObjectURL(href);
  }

  /** Save what is kept as a file. */
  const save = () => give(store.look(), "review.json");

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
    return `Read from the file: ${Object.keys(data.cards).length}.`;
  }

  Object.assign(globalThis, { reviewFile: { give, save, load } });
})();
