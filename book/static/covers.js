// @ts-check
// Opens the answer that a prediction covers when the reader guesses, presses its button, finds it
// with the browser's search or follows a link into it. `first.js` hides it before it is drawn.

(() => {
  /** @param {HTMLElement} cover a prediction and its answer */
  function watch(cover) {
    const find = (/** @type {string} */ selector) =>
      /** @type {HTMLElement} */ (cover.querySelector(`:scope > ${selector}`));
    const [bar, part] = [find(".tl-cover-bar"), find(".tl-covered")];
    const [line, button] = /** @type {HTMLElement[]} */ ([...bar.children]);
    let guess = "";

    function show() {
      const open = !part.hidden;
      button.setAttribute("aria-expanded", String(open));
      button.textContent = open ? "Cover it again" : "Show me";
      const waiting = open ? "The answer:" : "The answer is covered until you guess.";
      line.textContent = guess ? `Your guess: “${guess}”.` : waiting;
    }

    button.onclick = () => {
      part.hidden = /** @type {any} */ (part.hidden ? false : "until-found");
    };
    cover.addEventListener("tl:practised", (event) => {
      const { kind, choice } = /** @type {CustomEvent} */ (event).detail;
      if (kind !== "prediction") return;
      guess = choice;
      part.hidden = false;
      show();
    });
    new MutationObserver(show).observe(part, { attributeFilter: ["hidden"] });
    show(); // a link into it may have opened it already
  }

  /** Follow a link into a covered answer, for browsers that do not know "until-found". */
  function follow() {
    const target = document.querySelector(":target");
    const part = /** @type {HTMLElement | null} */ (target?.closest(".tl-covered") ?? null);
    if (!part?.hidden) return;
    part.hidden = false;
    target?.scrollIntoView();
  }

  for (const cover of document.querySelectorAll(".tl-cover"))
    watch(/** @type {HTMLElement} */ (cover));
  addEventListener("hashchange", follow);
  addEventListener("load", follow);
})();
