// @ts-check
// An address of its own for a figure: what is shown is written after the page's #, and comes back.

/** @typedef {import("./kit.js").Model<any>} Model */

const AFTER = 200; // milliseconds without a change: browsers refuse too many addresses at once

/**
 * What shows what the page's address asks of a figure, and keeps there what it shows: #walk?word=2.
 * The reader's way back stays as it was. `host.js` calls it, on a published page alone.
 * @param {{names: string[], place: string, read(query: URLSearchParams): Record<string, any>,
 *   write(model: Model): Record<string, string>}} address the traits that it keeps, what it takes
 *   from an address, what it writes into one, and which part of it a plain anchor names: #walk-memory
 * @returns {(host: Element, model: Model, live: HTMLElement) => void}
 */
export function keeping({ names, place, read, write }) {
  return (host, model, live) => {
    const start = `#${host.getAttribute("data-figure")}`;
    let [now, timer] = [-1, 0];
    const keep = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        if (location.hash.includes("&projector")) return; // it keeps its own place there
        const query = new URLSearchParams(write(model));
        if (now >= 0) query.set("moment", String(now + 1));
        history.replaceState(history.state, "", `${start}?${query}`);
      }, AFTER);
    };
    const show = (/** @type {HashChangeEvent | undefined} */ event) => {
      // The event's address, because `keep` may have replaced the page's since.
      const { hash } = event ? new URL(event.newURL) : location;
      const asked = hash.startsWith(start) ? hash.slice(start.length) : "";
      if (!/^[?-]/.test(asked)) return;
      const isPlace = asked.startsWith("-");
      const query = new URLSearchParams(isPlace ? { [place]: asked.slice(1) } : asked);
      for (const [name, value] of Object.entries(read(query))) model.set(name, value);
      host.scrollIntoView();
      const moment = query.get("moment") ?? "";
      const detail = Number(moment) - 1;
      if (/^[1-9]\d*$/.test(moment)) live.dispatchEvent(new CustomEvent("tl:moment", { detail }));
    };
    live.addEventListener("tl:shown", (event) => {
      now = /** @type {CustomEvent<number>} */ (event).detail;
      keep();
    });
    for (const name of names) model.on(`change:${name}`, keep);
    addEventListener("hashchange", show);
    show(undefined);
  };
}
