// @ts-check
// Stores a reader's progress in this browser, and shows it next to the chapters' names. Missing or
// blocked storage counts as empty, and an entry that cannot be read is ignored.

(() => {
  /** @typedef {{done: Record<string, string>, of: Record<string, number>, read: boolean}} Entry */

  const { isObject, siftEntries, store } = /** @type {any} */ (globalThis).bookStored;
  const KINDS = { quiz: "question", prediction: "prediction", drill: "drill" };
  const root = document.documentElement.dataset.content_root ?? "./";
  const KEY = `progress of ${new URL(root, location.href).pathname}`;
  const LINKS = ".bd-links a, .chapter-map a, .chapter-table td:first-child a";

  /** Return the name of the chapter at an address; "" for other pages. @param {string} href */
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

  /** Change this chapter's entry; without storage, the change lasts until the page is left. @param {(entry: Entry) => void} how */
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

  /** Return this chapter's entry, limited to what its page asks now. @param {Record<string, Entry>} kept */
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

  /** Return an entry in words: "3 of 7 questions, read to the end". @param {Entry} entry */
  function inWords({ done, of, read }) {
    const parts = Object.entries(KINDS).map(([kind, name]) => {
      const count = Object.values(done).filter((value) => value === kind).length;
      return of[kind] ? `${count} of ${of[kind]} ${name}${of[kind] > 1 ? "s" : ""}` : "";
    });
    return [...parts, read ? "read to the end" : ""].filter(Boolean).join(", ");
  }

  /** @param {Element} link @param {Entry} entry @param {string} label */
  function mark(link, { done, of, read }, label) {
    const all = Object.values(of).reduce((sum, count) => sum + count, 1);
    const share = (Object.keys(done).length + Number(read)) / all;
    const text = link.querySelector("text"); // a chapter on the map
    const glyph = document.createElementNS(`${link.namespaceURI}`, text ? "tspan" : "span");
    glyph.setAttribute("class", "tl-progress");
    glyph.setAttribute("aria-hidden", "true");
    glyph.textContent = ` ${"○◔◑◕●"[Math.floor(Math.min(share, 1) * 4)]}`;
    (text ?? link).append(glyph);
    link.setAttribute("aria-label", label);
    link.setAttribute("title", label);
  }

  /** @param {Element} link */
  function titleOf(link) {
    const lines = [...link.querySelectorAll("tspan")].map((line) => line.textContent);
    return lines.join(" ") || `${link.textContent}`.trim();
  }

  /** Return a line about entries that could not be read, if there are any. */
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
      const label = `${titleOf(link)}: ${inWords(kept[name])}`;
      lines.set(name, label);
      mark(link, kept[name], label);
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
  // The page may come back from the browser's cache.
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
