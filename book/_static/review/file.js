// @ts-check
// What Review keeps, as a file: saved, and read again with all that it says checked.

/** @typedef {import("./kept.js").Kept} Kept */

(() => {
  const LARGEST = 4_000_000; // bytes
  const { keptReview: store } = /** @type {any} */ (globalThis);

  /** Save what is kept as a file. */
  function save() {
    const blob = new Blob([JSON.stringify(store.look())], { type: "application/json" });
    const link = Object.assign(document.createElement("a"), {
      href: URL.createObjectURL(blob),
      download: "review.json",
    });
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
    return `Read from the file: ${Object.keys(data.cards).length}.`;
  }

  Object.assign(globalThis, { reviewFile: { save, load } });
})();
