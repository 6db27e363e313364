// @ts-check
// The page that lists the progress stored by progress.js, and erases it after asking again.

(() => {
  const panel = /** @type {HTMLElement} */ (document.querySelector(".tl-progress-panel"));
  const find = (/** @type {string} */ selector) =>
    /** @type {HTMLElement} */ (panel.querySelector(selector));
  const [erase, yes, no] = panel.querySelectorAll("button");

  /** @param {string} line */
  function item(line) {
    const element = document.createElement("li");
    element.textContent = line;
    return element;
  }

  /** @param {boolean} open @param {HTMLElement} next @param {string} text */
  function ask(open, next, text) {
    find(".tl-sure").hidden = !open;
    find("[role=status]").textContent = text;
    next.focus();
  }

  addEventListener("tl:progress", (event) => {
    /** @type {string[]} */
    const lines = /** @type {CustomEvent} */ (event).detail;
    find("ul").replaceChildren(...(lines.length ? lines : ["Nothing is kept yet."]).map(item));
  });
  erase.onclick = () => ask(true, no, "");
  no.onclick = () => ask(false, erase, "Nothing was erased.");
  yes.onclick = () => {
    dispatchEvent(new Event("tl:erase"));
    ask(false, erase, "Your progress is erased.");
  };
  panel.hidden = false;
})();
