// @ts-check
// The items that can be asked. An index lists all of them; their contents load chapter by chapter.

/** @typedef {import("./plan.js").Item} Item */
/** @typedef {{name: string, slug: string, chapters: string[]}} Part */

(() => {
  const LIMITS = { numbers: 9999, letters: 80 }; // check-ups per part; letters of a student's name
  const HERE = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  const all = /** @type {any} */ (globalThis);
  /** @type {{parts: Part[], titles: Record<string, string>, items: [string, Item["kind"], string, number][]}} */
  const { parts, titles, items: listed } = all.reviewIndex;
  /** @type {Map<string, Item>} */
  const items = new Map(
    listed.map(([id, kind, chapter, choices]) => [
      id,
      { id, kind, chapter, choices, title: titles[chapter], see: [] },
    ]),
  );
  /** @type {Map<string, Promise<void>>} */
  const loads = new Map();
  /** Filled by the chapters' scripts. @type {Record<string, Item[]>} */
  all.reviewChapters = {};

  /** Load a chapter; after a failure, the next call tries again. @param {string} chapter @returns {Promise<void>} */
  function read(chapter) {
    const known = loads.get(chapter);
    if (known) return known;
    const loading = new Promise((done, fail) => {
      const script = document.createElement("script");
      script.src = new URL(`chapters/${chapter}.js`, HERE).href;
      script.onload = done;
      script.onerror = fail;
      document.head.append(script);
    }).then(() => {
      for (const item of all.reviewChapters[chapter])
        Object.assign(/** @type {Item} */ (items.get(item.id)), item);
    });
    loads.set(chapter, loading);
    loading.catch(() => loads.delete(chapter));
    return loading;
  }

  /** Load the contents of all items of some chapters. @param {Iterable<string>} chapters */
  const load = (chapters) => Promise.all([...new Set(chapters)].map(read));

  all.reviewItems = { parts, items, load, limits: LIMITS };
})();
