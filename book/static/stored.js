// @ts-check
// What this browser keeps between visits, read entry by entry: a damaged one costs only itself. It
// is put under another name before anything is written over it, so nothing is lost.

/** @typedef {[where: string, what: unknown]} Damaged where it was, "" for the whole text */
/**
 * @template T
 * @typedef {{data: T, damaged: Damaged[], newer?: string}} Found `newer` says why nothing may be
 *   written over it: a later edition of the book wrote it
 */

(() => {
  /** Return whether x is an object with names, as JSON writes it. @param {any} x */
  const isObject = (x) => typeof x === "object" && x !== null && !Array.isArray(x);

  /** Return whether a name is safe: no object has it by itself. @param {any} name */
  const isName = (name) => typeof name === "string" && name.length <= 200 && !(name in {});

  /**
   * Part what is whole from what is damaged.
   * @template T @param {T[]} list @param {(one: T) => boolean} isWhole
   * @param {(one: T) => Damaged} told
   */
  function sift(list, isWhole, told) {
    /** @type {{whole: T[], damaged: Damaged[]}} */
    const parts = { whole: [], damaged: [] };
    for (const one of list)
      if (isWhole(one)) parts.whole.push(one);
      else parts.damaged.push(told(one));
    return parts;
  }

  /** The entries of an object, as `sift` parts them. @param {any} object @param {(entry: any) => boolean} isWhole @param {string} where */
  function siftEntries(object, isWhole, where) {
    const { whole, damaged } = sift(
      Object.entries(object),
      ([name, entry]) => isName(name) && isWhole(entry),
      ([name, entry]) => [`${where}${name}`, entry],
    );
    return { whole: Object.fromEntries(whole), damaged };
  }

  /** The same without repetitions. @param {Damaged[]} list @returns {Damaged[]} */
  const once = (list) =>
    [...new Set(list.map((one) => JSON.stringify(one)))].map((one) => JSON.parse(one));

  /**
   * What is kept under a key. It is read again each time, so that two tabs do not undo one another.
   * A browser that refuses throws.
   * @template T @param {string} key @param {(data: unknown) => Found<T>} examine what JSON says,
   *   undefined if nothing is kept
   */
  function store(key, examine) {
    const ASIDE = `unreadable ${key}`;

    /** @returns {Damaged[]} */
    function aside() {
      const text = localStorage.getItem(ASIDE);
      if (text === null) return [];
      try {
        const list = JSON.parse(text);
        if (list.every((/** @type {any} */ one) => typeof one[0] === "string")) return list;
      } catch {}
      return [["", text]];
    }

    /** @returns {Found<T>} */
    function read() {
      const text = localStorage.getItem(key);
      if (text === null) return examine(undefined);
      try {
        return examine(JSON.parse(text));
      } catch {
        return { ...examine(undefined), damaged: [["", text]] };
      }
    }

    /** Change what is kept; what a later edition wrote stays as it is. @param {(data: T) => void} how */
    function change(how) {
      const { data, damaged, newer } = read();
      if (newer) throw new Error(newer);
      how(data);
      if (damaged.length)
        localStorage.setItem(ASIDE, JSON.stringify(once([...aside(), ...damaged])));
      localStorage.setItem(key, JSON.stringify(data));
      return data;
    }

    function erase() {
      localStorage.removeItem(ASIDE);
      localStorage.setItem(key, JSON.stringify(examine(undefined).data));
    }

    /** All that was left out, now or before. */
    const damaged = () => once([...aside(), ...read().damaged]);

    return { read, change, erase, damaged };
  }

  Object.assign(globalThis, { bookStored: { isObject, isName, sift, siftEntries, store } });
})();
