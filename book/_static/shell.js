// @ts-check
// What CSS alone cannot do for the shell: whatever scrolls sideways can be reached by keyboard.

(() => {
  const BOXES = ".scroll-box, pre, .output, .pst-scrollable-table-container, mjx-container[display]";

  /** Give every box that overflows a tab stop, and take it back when it fits again. */
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
})();
