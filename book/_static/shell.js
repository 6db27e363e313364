// @ts-check
// What CSS alone cannot do for the shell.

(() => {
  const BOXES =
    ".scroll-box, pre, .output, .tl-matrix-box, .pst-scrollable-table-container, .katex-display";

  const paper = matchMedia("print");

  /**
   * Give boxes that scroll sideways a tab stop, and take it back when their content fits. To look
   * at a box lays it out, so a long page does it in short turns. On paper nothing scrolls: a turn
   * that comes then waits for the screen. What is folded away waits until it is opened: the page
   * grows then, and Chromium's first measure of a box that is folded away can be an old one.
   * @param {Element[]} boxes
   */
  function reach(boxes) {
    const end = performance.now() + 10;
    while (boxes.length && !paper.matches && performance.now() < end) {
      const box = /** @type {Element} */ (boxes.pop());
      if (!box.checkVisibility()) continue;
      if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
      else box.removeAttribute("tabindex");
    }
    if (boxes.length) setTimeout(() => reach(boxes), paper.matches ? 100 : 0);
  }

  const all = () => [...document.querySelectorAll(`:is(${BOXES}):not([role="region"])`)].reverse();
  const look = () => setTimeout(() => reach(all()));
  addEventListener("load", () => new ResizeObserver(look).observe(document.body));
  addEventListener("tl:look", look);
  // Paper breaks its lines. Back on the screen, the page may be as large as it was before.
  paper.addEventListener("change", look);

  // The projector comes when its button or the page's address asks for it. It goes on by itself.
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

  // A page opened from a file may not read other pages, so it lists what it finds by title alone.
  // @ts-expect-error Sphinx's documentation_options.js declares it
  if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
})();
