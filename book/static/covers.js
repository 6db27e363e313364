// @ts-check
// Opens what a prediction covers: by the reader's guess, by its button, by the browser's search, by
// a link into it. `first.js` hides it before it is drawn; open is what is not hidden.

(() => {
  /** @param {HTMLElement} whole a prediction and what it covers */
  function watch(whole) {
    const find = (/** @type {string} */ one) =>
      /** @type {HTMLElement} */ (whole.querySelector(`:scope > ${one}`));
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
    whole.addEventListener("tl:practised", (event) => {
      const { kind, choice } = /** @type {CustomEvent} */ (event).detail;
      if (kind !== "prediction") return;
      guess = choice;
      part.hidden = false;
      show();
    });
    new MutationObserver(show).observe(part, { attributeFilter: ["hidden"] });
    show(); // a link into it may have opened it already
  }

  /** Browsers that do not know "until-found" leave a link into a covered part unanswered. */
  function follow() {
    const target = document.querySelector(":target");
    const part = /** @type {HTMLElement | null} */ (target?.closest(".tl-covered") ?? null);
    if (!part?.hidden) return;
    part.hidden = false;
    target?.scrollIntoView();
  }

  for (const whole of document.querySelectorAll(".tl-cover"))
    watch(/** @type {HTMLElement} */ (whole));
  addEventListener("hashchange", follow);
  addEventListener("load", follow);
})();
