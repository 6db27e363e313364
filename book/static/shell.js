// @ts-check
// Does what CSS alone cannot do for the page around the text.

(() => {
  const BOXES =
    ".scroll-box, pre, .output, .tl-matrix-box, .pst-scrollable-table-container, .katex-display";

  const root = document.documentElement;
  const paper = matchMedia("print");
  /** The boxes that are still to be measured. @type {Element[]} */
  let boxes = [];
  /** The blocks that book.css leaves for later, the last one first. @type {Element[] | undefined} */
  let late;
  /** @type {any} */
  let turn;

  /**
   * Lay out the late blocks, then give boxes that scroll sideways a tab stop. Both take long on a
   * long page, so this is done in several turns, and `data-boxes` tells when all is done. While
   * printing, the next turn waits. Folded boxes are measured when they open and the page grows,
   * because Chromium's first measurement of them can be out of date.
   */
  function reach() {
    const end = performance.now() + 6;
    while ((late?.length || boxes.length) && !paper.matches && performance.now() < end) {
      if (late?.length) {
        late.pop()?.classList.add("tl-laid-out");
        root.getBoundingClientRect(); // lays it out now
        continue;
      }
      const box = /** @type {Element} */ (boxes.pop());
      if (!box.checkVisibility()) continue;
      if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
      else box.removeAttribute("tabindex");
    }
    if (late?.length || boxes.length) turn = setTimeout(reach, paper.matches ? 100 : 0);
    else root.dataset.boxes = "seen";
  }

  /** Start again with the first box once the page rests, since a drag may change every frame. */
  function look() {
    if (late?.length) return; // the boxes come after these blocks
    clearTimeout(turn);
    delete root.dataset.boxes;
    turn = setTimeout(() => {
      late ??= [...document.querySelectorAll(".bd-article section > *")]
        .filter((e) => getComputedStyle(e).getPropertyValue("content-visibility") === "auto")
        .reverse();
      boxes = [...document.querySelectorAll(`:is(${BOXES}):not([role="region"])`)].reverse();
      reach();
    }, 100);
  }
  addEventListener("load", () => new ResizeObserver(look).observe(document.body));
  addEventListener("tl:look", look);
  document.fonts.ready.then(look); // the web fonts have other widths
  // Printing wraps long lines. After it, the page may have its old size, so nothing else reports it.
  paper.addEventListener("change", look);

  // Load the projector when its button or the page's address asks for it.
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  let asked = false;
  function project() {
    if (asked) return;
    asked = true;
    const script = document.createElement("script");
    script.src = src.replace("shell", "projector");
    document.head.append(script);
  }
  const read = () => location.hash.includes("&projector") && project();
  document.querySelector(".btn-projector")?.addEventListener("click", project);
  addEventListener("hashchange", read);
  read();

  /**
   * Open and close a menu of the theme, which leaves this to Bootstrap, a script of 24 KB.
   * @param {HTMLElement} button @param {HTMLElement} menu
   */
  function connectMenu(button, menu) {
    const isOpen = () => menu.classList.contains("show");
    const show = (/** @type {boolean} */ on) => {
      for (const part of [button, menu]) part.classList.toggle("show", on);
      button.setAttribute("aria-expanded", String(on));
    };
    document.addEventListener("click", ({ target }) =>
      show(button.contains(/** @type {Node} */ (target)) && !isOpen()),
    );
    const both = /** @type {HTMLElement} */ (button.parentElement);
    both.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !both.contains(/** @type {Node} */ (relatedTarget))) show(false);
    });
    both.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1, Escape: 0 }[event.key];
      if (step === undefined || (!step && !isOpen())) return;
      event.preventDefault();
      show(step !== 0);
      const items = /** @type {HTMLElement[]} */ ([...menu.querySelectorAll(".dropdown-item")]);
      const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
      const next = at < 0 && step < 0 ? -1 : at + step;
      (step ? items.at(next % items.length) : button)?.focus();
    });
  }
  for (const button of document.querySelectorAll("[data-bs-toggle='dropdown']"))
    connectMenu(
      /** @type {HTMLElement} */ (button),
      /** @type {HTMLElement} */ (button.nextElementSibling),
    );

  // Show the button that leads to the top when the reader scrolls up.
  const toTop = document.getElementById("pst-back-to-top");
  let before = 0;
  toTop?.addEventListener("click", () => scrollTo(0, 0));
  addEventListener("scroll", () => {
    if (toTop) toTop.style.display = scrollY > 0 && scrollY < before ? "block" : "none";
    before = scrollY;
  });

  // Handle the theme's buttons here, because `light_pages.py` removes their inline handlers.
  document.querySelector(".btn-download-pdf-button")?.addEventListener("click", () => print());
  document
    .querySelector(".btn-fullscreen-button")
    // @ts-expect-error the theme declares it
    ?.addEventListener("click", () => toggleFullScreen());

  // If a server's security policy forbids inline styles, apply those of the formulas here.
  const styled = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[style]"));
  if (styled.length && !styled[0].style.length)
    for (const element of styled) element.style.cssText = `${element.getAttribute("style")}`;

  // A page opened from a file cannot read other pages, so search results show only titles.
  // @ts-expect-error Sphinx's documentation_options.js declares it
  if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
})();
