// @ts-check
// What can be asked. An index knows all of it by name; what it says is read a chapter at a time.

/** @typedef {import("./plan.js").Item} Item */
/** @typedef {{name: string, slug: string, chapters: string[]}} Part */

(() => {
  const LIMITS = { numbers: 9999, letters: 80 }; // check-ups of a part; of the name in a file
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
  /** The chapters' scripts leave here what they say. @type {Record<string, Item[]>} */
  all.reviewChapters = {};

  /** Read a chapter; after a failure the next call tries anew. @param {string} chapter @returns {Promise<void>} */
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

  /** Have all that some chapters' things say. @param {Iterable<string>} chapters */
  const load = (chapters) => Promise.all([...new Set(chapters)].map(read));

  all.reviewItems = { parts, items, load, limits: LIMITS };
})();
