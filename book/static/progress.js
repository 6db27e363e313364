// @ts-check
// Keeps in this browser what a reader has done, and shows it beside the chapters' names. Storage
// that is missing, refuses or holds something else counts as empty.

(() => {
  /** @typedef {{done: Record<string, string>, of: Record<string, number>, read: boolean}} Entry */

  const KINDS = { quiz: "question", prediction: "prediction", drill: "drill" };
  const root = document.documentElement.dataset.content_root ?? "./";
  const KEY = `progress of ${new URL(root, location.href).pathname}`;
  const LINKS = ".bd-links a, .chapter-map a, .chapter-table td:first-child a";

  /** The chapter's name, "" if it is none. @param {string} href */
  const chapterOf = (href) =>
    /(\d\d_\w+)\.html/.exec(new URL(href, location.href).pathname)?.[1] ?? "";
  const here = chapterOf(location.href);
  const boxes = [...document.querySelectorAll(".tl-practice")];

  /** @param {any} entry */
  const isEntry = (entry) =>
    typeof entry?.read === "boolean" &&
    Object.values(entry.done).every((kind) => Object.hasOwn(KINDS, kind)) &&
    Object.keys(KINDS).every((kind) => Number.isInteger(entry.of[kind]));

  function load() {
    try {
      const stored = Object.entries(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
      return Object.fromEntries(stored.filter(([, entry]) => isEntry(entry)));
    } catch {
      return {};
    }
  }

  function save() {
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {}
    show();
  }

  /** This chapter's entry: what its page asks. */
  function mine() {
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
    glyph.textContent = ` ${"○◔◑◕●"[Math.floor(share * 4)]}`;
    (text ?? link).append(glyph);
    link.setAttribute("aria-label", told);
    link.setAttribute("title", told);
  }

  /** @param {Element} link */
  function titleOf(link) {
    const lines = [...link.querySelectorAll("tspan")].map((line) => line.textContent);
    return lines.join(" ") || `${link.textContent}`.trim();
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
    dispatchEvent(new CustomEvent("tl:progress", { detail: [...lines.values()] }));
  }

  /** @type {Record<string, Entry>} */
  let kept = {};
  Object.assign(window, { keptProgress: () => kept }); // for Review

  function renew() {
    kept = load();
    if (Object.hasOwn(kept, here)) mine();
    show();
  }
  renew();
  addEventListener("storage", renew);
  // Back from the browser's cache.
  addEventListener("pageshow", ({ persisted }) => persisted && renew());
  addEventListener("tl:erase", () => {
    kept = {};
    save();
  });

  document.addEventListener("tl:practised", (event) => {
    const { kind, right } = /** @type {CustomEvent} */ (event).detail;
    const box = /** @type {Element} */ (event.target).closest(".tl-practice");
    if (!box || !Object.hasOwn(KINDS, kind) || (kind === "drill" && !right)) return;
    mine().done[box.id] = kind;
    save();
  });

  const last = [...document.querySelectorAll("article h2")].at(-1);
  if (here && last)
    new IntersectionObserver((seen, watch) => {
      if (!seen.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      mine().read = true;
      save();
    }).observe(last);
})();
