// @ts-check
// Draws the items of a check-up: the same for everybody with the same part and number, on the page
// and on paper. The classroom also runs this file, for the sheets that it writes.

/** @typedef {{id: string, kind: string, chapter: string, choices: number}} Askable */
/** @typedef {{id: string, seed: number, order: number[]}} Drawn a drill's seed, a question's order */

(() => {
  const COUNT = 12;
  const DRILLS = 3;

  /** Return a shuffled copy of a list. @template T @param {T[]} list @param {() => number} random @returns {T[]} */
  const mixed = (list, random) =>
    list
      .map((value) => ({ value, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ value }) => value);

  /**
   * Draw twelve items, from each chapter in turn, with at most three drills.
   * @param {Askable[]} items questions and drills of one part @param {() => number} random
   * @returns {Drawn[]}
   */
  function drawn(items, random) {
    const sorted = items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const queues = [...Map.groupBy(sorted, ({ chapter }) => chapter).values()].map((list) =>
      mixed(list, random),
    );
    /** @type {Askable[]} */
    const chosen = [];
    for (let turn = 0; queues.some((queue) => queue.length); turn += 1) {
      const queue = queues[turn % queues.length];
      const drills = chosen.filter(({ kind }) => kind === "drill").length;
      const at = queue.findIndex(({ kind }) => kind !== "drill" || drills < DRILLS);
      if (at < 0) queue.length = 0;
      else chosen.push(...queue.splice(at, 1));
      if (chosen.length === COUNT) break;
    }
    return chosen.map(({ id, choices }) => ({
      id,
      seed: Math.floor(random() * 2 ** 31),
      order: mixed([...Array(choices).keys()], random),
    }));
  }

  Object.assign(globalThis, { drawnCheckup: drawn });
})();
