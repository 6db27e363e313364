// @ts-check
// Shows the named things of the book that match the reader's words, above the pages that Sphinx
// finds. The names are read from named.js. They are inserted as text, never as HTML.

(() => {
  /** @typedef {{kind: string, name: string, says: string, href: string, page: string, whole: string[], fields: [number, string[], string][]}} Thing */

  /** The kinds in display order: label, plural, and words that mean them. */
  const KINDS = /** @type {Record<string, [string, string, string]>} */ ({
    formula: ["Formula", "formulas", "formula equation"],
    figure: ["Figure", "figures", "figure picture drawing chart"],
    exercise: ["Exercise", "exercises", "exercise task"],
    term: ["Term", "terms", "term definition glossary"],
    drill: ["Drill", "drills", "drill practice"],
    example: ["Worked example", "worked examples", "worked example"],
  });
  const ORDER = Object.keys(KINDS);
  const LITTLE = new Set(
    "a an and at by for from how in is it its of on or the to what with".split(" "),
  );
  const FIRST = 10;

  /** @param {string} text @returns {string[]} its words in lower case, without accents and stop words */
  function wordsOf(text) {
    const plain = text
      .normalize("NFKD")
      .replace(/\p{M}|['’]s\b/gu, "")
      .toLowerCase();
    return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !LITTLE.has(word));
  }

  /** @param {number} weight @param {string} text @returns {[number, string[], string]} */
  const field = (weight, text) => [weight, wordsOf(text), wordsOf(text).join("")];

  /** @returns {Thing[]} */
  function read() {
    // @ts-expect-error named.js declares it
    const pages = typeof NAMED === "undefined" ? [] : NAMED;
    const things = pages.flatMap((/** @type {any} */ { url, title, things }) =>
      things.map((/** @type {string[]} */ [kind, name, anchor, also, says]) => ({
        kind,
        name,
        says,
        href: `${url}#${anchor}`,
        page: title,
        whole: [name, ...also.split(", ")].map((text) => wordsOf(text).join("")),
        fields: [
          field(4, name),
          field(3, also),
          field(5, KINDS[kind][2]),
          field(1, `${says} ${title}`),
        ],
      })),
    );
    return things;
  }

  /**
   * Return how well a word fits a field: as one of its words, as a prefix of one, or inside the
   * joined words, such as "lookup" in "look-up".
   * @param {string} word @param {[number, string[], string]} field
   */
  function fit(word, [weight, words, joined]) {
    const stem = word.length > 3 ? word.replace(/s$/, "") : word;
    if (words.includes(word) || words.includes(stem)) return weight;
    if (word.length > 2 && words.some((other) => other.startsWith(stem))) return weight * 0.7;
    return word.length > 4 && joined.includes(stem) ? weight * 0.5 : 0;
  }

  /**
   * Return a thing's score; 0 if one of the words fits nowhere. Things with the same full name have
   * equal scores, and are ordered by kind. @param {Thing} thing @param {string[]} words */
  function rank({ kind, whole, fields }, words) {
    const fits = words.map((word) => Math.max(...fields.map((field) => fit(word, field))));
    if (!fits.length || fits.includes(0)) return 0;
    const own = words.filter((word) => !fit(word, field(1, KINDS[kind][2]))).join("");
    if (whole.includes(own)) return own === whole[0] ? 10 : 8;
    return fits.reduce((sum, value) => sum + value) / fits.length;
  }

  /** @param {string} query @returns {Thing[]} matching things, best first */
  function find(query) {
    const words = wordsOf(query);
    return read()
      .map((thing) => ({ thing, score: rank(thing, words) }))
      .filter(({ score }) => score)
      .sort(
        (a, b) => b.score - a.score || ORDER.indexOf(a.thing.kind) - ORDER.indexOf(b.thing.kind),
      )
      .map(({ thing }) => thing);
  }

  /** @param {string} tag @param {string} className @param {...(Node | string)} content */
  function make(tag, className, ...content) {
    const element = document.createElement(tag);
    element.className = className;
    element.append(...content);
    return element;
  }

  /** @param {Thing} thing */
  function item({ kind, name, says, href, page }) {
    const link = /** @type {HTMLAnchorElement} */ (make("a", ""));
    link.href = href;
    link.append(make("span", "tl-kind", `${KINDS[kind][0]} `), name);
    const where = make("p", "tl-named-page", page);
    return make("li", "", link, ...(says ? [make("p", "", says)] : []), where);
  }

  /** Return a summary: "14 found by name: 1 formula, 13 figures." @param {Thing[]} found */
  function inWords(found) {
    const counts = ORDER.map((kind) => {
      const count = found.filter((thing) => thing.kind === kind).length;
      const [singular, plural] = KINDS[kind];
      return count && `${count} ${count === 1 ? singular.toLowerCase() : plural}`;
    });
    return `${found.length} found by name: ${counts.filter(Boolean).join(", ")}.`;
  }

  /** @param {Thing[]} found */
  function show(found) {
    const section = /** @type {HTMLElement} */ (document.querySelector(".tl-named"));
    const list = /** @type {HTMLElement} */ (section.querySelector("ol"));
    list.append(...found.slice(0, FIRST).map(item));
    section.hidden = false;
    const rest = found.slice(FIRST).map(item);
    if (!rest.length) return;
    const more = make("button", "tl-named-more", `Show ${rest.length} more`);
    more.addEventListener("click", () => {
      list.append(...rest);
      more.remove();
      /** @type {HTMLElement} */ (rest[0].querySelector("a")).focus();
    });
    section.append(more);
  }

  /** @type {HTMLInputElement | null} */ (
    document.querySelector(".bd-search-container input")
  )?.select();
  const query = new URLSearchParams(location.search).get("q")?.trim();
  const status = document.getElementById("named-status");
  if (!query || !status) return;
  const found = find(query);
  if (found.length) show(found);
  status.textContent = found.length
    ? inWords(found)
    : `Nothing in the book has “${query}” in its name. Try fewer words, or one of the lists above. ` +
      "Pages that hold the words follow, if there are any.";
})();
