// @ts-check
// Runs before the first paint: sets the theme, so a dark page never flashes white, and covers what
// predictions ask for. Where nothing may be kept, it keeps things until the page is left.

(() => {
  // A browser may refuse to keep anything; the theme's own scripts would stop there.
  let storage;
  try {
    storage = localStorage;
  } catch {}
  if (!storage) {
    const kept = new Map();
    const value = {
      forgets: true,
      getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
      setItem: (/** @type {string} */ name, /** @type {any} */ text) => {
        kept.set(name, `${text}`);
      },
      removeItem: (/** @type {string} */ name) => {
        kept.delete(name);
      },
    };
    Object.defineProperty(window, "localStorage", { value });
  }
  const page = document.documentElement.dataset;
  const mode = `${localStorage.getItem("mode")}`;
  page.mode = ["light", "dark"].includes(mode) ? mode : "auto";
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  page.theme = page.mode === "auto" ? (dark ? "dark" : "light") : page.mode;

  /** Cover each answer as soon as the page has it. */
  function cover() {
    for (const part of document.querySelectorAll(".tl-cover-bar[hidden] + .tl-covered")) {
      /** @type {any} */ (part).hidden = "until-found";
      /** @type {any} */ (part).previousElementSibling.hidden = false;
    }
  }
  const watch = new MutationObserver(cover);
  watch.observe(document, { childList: true, subtree: true });
  document.addEventListener("readystatechange", () => {
    cover();
    watch.disconnect();
  });
})();
