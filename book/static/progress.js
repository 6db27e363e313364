// @ts-check
// Keeps in this browser what a reader has done, and shows it beside the chapters' names. Storage
// that is missing or refuses counts as empty, and an entry that cannot be read is left out.

(() => {
  /** @typedef {{done: Record<string, string>, of: Record<string, number>, read: boolean}} Entry */

  const { isObject, siftEntries, store } = /** @type {any} */ (globalThis).bookStored;
  const KINDS = { quiz: "question", prediction: "prediction", drill: "drill" };
  const root = document.documentElement.dataset.content_root ?? "./";
  const KEY = `progress of ${new URL(root, location.href).pathname}`;
  const LINKS = ".bd-links a, .chapter-map a, .chapter-table td:first-child a";

  /** The chapter's name, "" if it is none. @param {string} href */
  const chapterOf = (href) =>
    /(\d\d_\w+)\.html/.exec(new URL(href, location.href).pathname)?.[1] ?? "";
  const here = chapterOf(location.href);
  const boxes = [...document.querySelectorAll(".tl-practice")];

  const isCount = (/** @type {any} */ x) => Number.isSafeInteger(x) && x >= 0;
  /** @param {any} entry */
  const isEntry = (entry) =>
    isObject(entry) &&
    typeof entry.read === "boolean" &&
    isObject(entry.done) &&
    isObject(entry.of) &&
    Object.values(entry.done).every((kind) => Object.hasOwn(KINDS, `${kind}`)) &&
    Object.keys(KINDS).every((kind) => isCount(entry.of[kind]));

  const own = store(KEY, (/** @type {any} */ data = {}) => {
    if (!isObject(data)) return { data: {}, damaged: [["", data]] };
    const { whole, damaged } = siftEntries(data, isEntry, "");
    return { data: whole, damaged };
  });

  /** Change what is kept of this chapter; where the browser refuses, until the page is left. @param {(entry: Entry) => void} how */
  function change(how) {
    try {
      kept = own.change((/** @type {Record<string, Entry>} */ stored) => {
        how(mine(stored));
      });
    } catch {
      how(mine(kept));
    }
    show();
  }

  /** This chapter's entry: what its page asks. @param {Record<string, Entry>} kept */
  function mine(kept) {
    const { done, read } = kept[here] ?? { done: {}, read: false };
    const asked = Object.entries(done).filter(([id]) => boxes.some((box) => box.id === id));
    const of = Object.keys(KINDS).map((kind) => [
      kind,
      boxes.filter((box) => box.classList.contains(`tl-${kind}`)).length,
    ]);
    kept[here] = { done: Object.fromEntries(asked), of: Object.fromEntries(of), read };
    return kept[here];
  }

  /** "3 of 7 questions, read to the end" @param {Entry} entry */
  function inWords({ done, of, read }) {
    const parts = Object.entries(KINDS).map(([kind, name]) => {
      const made = Object.values(done).filter((one) => one === kind).length;
      return of[kind] ? `${made} of ${of[kind]} ${name}${of[kind] > 1 ? "s" : ""}` : "";
    });
    return [...parts, read ? "read to the end" : ""].filter(Boolean).join(", ");
  }

  /** @param {Element} link @param {Entry} entry @param {string} told */
  function mark(link, { done, of, read }, told) {
    const all = Object.values(of).reduce((sum, count) => sum + count, 1);
    const share = (Object.keys(done).length + Number(read)) / all;
    const text = link.querySelector("text"); // on the map
    const glyph = document.createElementNS(`${link.namespaceURI}`, text ? "tspan" : "span");
    glyph.setAttribute("class", "tl-progress");
    glyph.setAttribute("aria-hidden", "true");
    glyph.textContent = ` ${"○◔◑◕●"[Math.floor(Math.min(share, 1) * 4)]}`;
    (text ?? link).append(glyph);
    link.setAttribute("aria-label", told);
    link.setAttribute("title", told);
  }

  /** @param {Element} link */
  function titleOf(link) {
    const lines = [...link.querySelectorAll("tspan")].map((line) => line.textContent);
    return lines.join(" ") || `${link.textContent}`.trim();
  }

  /** A line on entries that could not be read. */
  function leftOut() {
    try {
      const count = own.damaged().length;
      return count
        ? [`Left out as damaged: ${count}. It stays in this browser as “unreadable ${KEY}”.`]
        : [];
    } catch {
      return [];
    }
  }

  function show() {
    for (const old of document.querySelectorAll(".tl-progress")) old.remove();
    const lines = new Map();
    for (const link of document.querySelectorAll(LINKS)) {
      link.removeAttribute("aria-label");
      link.removeAttribute("title");
      const name = chapterOf(link.getAttribute("href") ?? "");
      if (!Object.hasOwn(kept, name)) continue;
      const told = `${titleOf(link)}: ${inWords(kept[name])}`;
      lines.set(name, told);
      mark(link, kept[name], told);
    }
    dispatchEvent(new CustomEvent("tl:progress", { detail: [...lines.values(), ...leftOut()] }));
  }

  /** @type {Record<string, Entry>} */
  let kept = {};
  Object.assign(window, { keptProgress: () => kept }); // for Review

  function renew() {
    try {
      kept = own.read().data;
    } catch {}
    if (Object.hasOwn(kept, here)) mine(kept);
    show();
  }
  renew();
  addEventListener("storage", renew);
  // Back from the browser's cache.
  addEventListener("pageshow", ({ persisted }) => persisted && renew());
  addEventListener("tl:erase", () => {
    kept = {};
    try {
      own.erase();
    } catch {}
    show();
  });

  document.addEventListener("tl:practised", (event) => {
    const { kind, right } = /** @type {CustomEvent} */ (event).detail;
    const box = /** @type {Element} */ (event.target).closest(".tl-practice");
    if (!box || !Object.hasOwn(KINDS, kind) || (kind === "drill" && !right)) return;
    change(({ done }) => {
      done[box.id] = kind;
    });
  });

  const last = [...document.querySelectorAll("article h2")].at(-1);
  if (here && last)
    new IntersectionObserver((seen, watch) => {
      if (!seen.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      change((entry) => {
        entry.read = true;
      });
    }).observe(last);
})();
