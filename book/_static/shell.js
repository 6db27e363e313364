// @ts-check
// What CSS alone cannot do for the shell.

(() => {
  const BOXES = ".scroll-box, pre, .output, .tl-matrix-box, .pst-scrollable-table-container, mjx-container[display]";

  /** Give every box that scrolls sideways a tab stop, and take it back when its content fits. */
  function reach() {
    for (const box of document.querySelectorAll(`:is(${BOXES}):not([role="region"])`)) {
      if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
      else box.removeAttribute("tabindex");
    }
  }

  const mathJax = /** @type {any} */ (window).MathJax;
  addEventListener("load", () => {
    new ResizeObserver(reach).observe(document.body);
    mathJax?.startup?.promise.then(reach);
  });

  // A page opened from a file may not read other pages, so it lists what it finds by title alone.
  // @ts-expect-error Sphinx's documentation_options.js declares it
  if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
})();
