// @ts-check
// Lists the published versions of the book under its title. On a page of an old version, it also
// links to the newest one. Without the list, or from a file, the page is not changed.

(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const box = document.querySelector(".book-version");
  if (!box || location.protocol === "file:") return;
  const here = new URL("../", script.src); // of this version
  const home = new URL(script.dataset.home ?? "", here); // of the newest
  const page = location.pathname.slice(here.pathname.length) + location.hash;

  /**
   * Keep only the valid entries.
   * @param {unknown} list
   * @returns {{ name: string, path: string }[]}
   */
  const checked = (list) =>
    Array.isArray(list)
      ? list.filter((entry) => typeof entry?.name === "string" && /^(v[\w.]+\/)?$/.test(entry.path))
      : [];

  /** @param {{ name: string, path: string }[]} versions the newest comes first */
  function show(versions) {
    const newest = document.querySelector(".newest-version");
    if (newest && versions.length) newest.textContent = `, ${versions[0].name}`;
    if (versions.length < 2) return;
    const [details, summary, list] = ["details", "summary", "ul"].map((tag) =>
      document.createElement(tag),
    );
    summary.append(...(box?.childNodes ?? []));
    for (const { name, path } of versions) {
      const link = document.createElement("a");
      const folder = new URL(path, home);
      link.href = new URL(page, folder).href;
      link.textContent = path ? name : `${name}, the newest`;
      if (folder.href === here.href) link.setAttribute("aria-current", "true");
      const item = document.createElement("li");
      item.append(link);
      list.append(item);
    }
    details.append(summary, list);
    box?.append(details);
  }

  fetch(new URL("versions.json", home))
    .then((answer) => (answer.ok ? answer.json() : []))
    .then((list) => show(checked(list)))
    .catch(() => {});
})();
