// @ts-check
// What CSS alone cannot do for the shell.

(() => {
  const BOXES =
    ".scroll-box, pre, .output, .tl-matrix-box, .pst-scrollable-table-container, .katex-display";

  const root = document.documentElement;
  const paper = matchMedia("print");
  /** What is still to be looked at. @type {Element[]} */
  let boxes = [];
  /** @type {any} */
  let turn;

  /**
   * Give boxes that scroll sideways a tab stop. To look at one lays it out: a long page takes turns
   * and says when all are seen. On paper a turn waits. What is folded away waits until it opens and
   * the page grows: Chromium's first measure of it can be an old one.
   */
  function reach() {
    const end = performance.now() + 10;
    while (boxes.length && !paper.matches && performance.now() < end) {
      const box = /** @type {Element} */ (boxes.pop());
      if (!box.checkVisibility()) continue;
      if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
      else box.removeAttribute("tabindex");
    }
    if (boxes.length) turn = setTimeout(reach, paper.matches ? 100 : 0);
    else root.dataset.boxes = "seen";
  }

  /** Begin again, the first box first, once the page rests: a drag may change it frame by frame. */
  function look() {
    clearTimeout(turn);
    delete root.dataset.boxes;
    turn = setTimeout(() => {
      boxes = [...document.querySelectorAll(`:is(${BOXES}):not([role="region"])`)].reverse();
      reach();
    }, 100);
  }
  addEventListener("load", () => new ResizeObserver(look).observe(document.body));
  addEventListener("tl:look", look);
  document.fonts.ready.then(look); // letters have another width
  // Paper breaks its lines. Back on the screen, the page may be as large as it was before.
  paper.addEventListener("change", look);

  // The projector comes when its button or the page's address asks for it.
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

  // The theme's buttons call by handlers in the page, which `light_pages.py` takes out.
  document.querySelector(".btn-download-pdf-button")?.addEventListener("click", () => print());
  document
    .querySelector(".btn-fullscreen-button")
    // @ts-expect-error the theme declares it
    ?.addEventListener("click", () => toggleFullScreen());

  // Where a server's policy forbids styles in the page, formulas get theirs from here.
  const styled = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[style]"));
  if (styled.length && !styled[0].style.length)
    for (const one of styled) one.style.cssText = `${one.getAttribute("style")}`;

  // A page opened from a file may not read other pages: it lists what it finds by title.
  // @ts-expect-error Sphinx's documentation_options.js declares it
  if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
})();
