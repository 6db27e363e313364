// @ts-check
// A tour: some moments of a figure, each a state and what is to be seen in it.

import { controlRow, format, h, setText, stateOf } from "./kit.js";

/** @typedef {{state: Record<string, any>, say: string}} Moment `say` names numbers by their path */
/** @typedef {import("./kit.js").Model<any>} Model */
/** @typedef {{model: any, el: HTMLElement}} Context */

const PACE = 60; // milliseconds for each letter of what a moment says, while it plays by itself

/**
 * What a moment says, its numbers filled in: "{weights.1.0}" is the entry of row 1 and column 0,
 * "{weights.1.0:3}" has three decimals in place of two, and "{weights.1.0:%}" is in percent.
 * @param {string} say @param {any} results
 */
export function told(say, results) {
  return say.replace(/\{([\w.]+)(?::(\d|%))?\}/g, (_, path, form = "2") => {
    const x = path
      .split(".")
      .reduce((/** @type {any} */ at, /** @type {string} */ name) => at[name], results);
    return form === "%" ? `${format(100 * x, 0)} %` : format(Number(x), Number(form));
  });
}

/**
 * A figure's `render`, with a tour above the figure where its trait `tour` asks for one.
 * A moment changes what it names; all else is as the figure began. When the tour ends, the figure
 * is as the reader had left it. A page's host sends a reader to a moment by the event "tl:moment".
 * @param {(context: any) => any} render @param {string[]} names the traits that a moment may change
 * @param {Moment[]} moments @param {(model: any) => any} compute the numbers of the figure
 * @returns {(context: Context) => any}
 */
export function touring(render, names, moments, compute) {
  return (context) => {
    const drawn = render(context);
    if (!context.model.get("tour")) return drawn;
    const stop = player(context, names, moments, compute);
    return () => {
      stop();
      drawn();
    };
  };
}

/** @param {string} text @param {() => void} onclick */
function button(text, onclick) {
  return h("button", { type: "button", onclick }, text);
}

/** @param {Context} context @param {string[]} names @param {Moment[]} moments @param {(model: any) => any} compute */
function player({ model, el }, names, moments, compute) {
  const start = stateOf(model, names);
  const place = h("span", { class: "tl-tour-place" });
  const news = h("p", { class: "tl-tour-says", "aria-live": "polite" });
  let [now, going, timer] = [-1, false, 0];
  let left = start; // as the reader left the figure

  /** @param {Record<string, any>} state */
  const bring = (state) => {
    going = true;
    for (const name of names) model.set(name, state[name]);
    going = false;
    model.save_changes(); // one message: a kernel checks the traits together
  };
  const halt = () => {
    clearTimeout(timer);
    timer = 0;
    setText(play, "Play");
  };
  /** @param {number} i */
  const go = (i) => {
    if (i < 0 || i >= moments.length) return;
    if (now < 0) left = stateOf(model, names);
    now = i;
    bring({ ...start, ...moments[i].state });
    show();
  };
  const show = () => {
    const on = now >= 0;
    open.hidden = on;
    row.hidden = news.hidden = !on;
    again.hidden = true;
    if (!on) return;
    const { say } = moments[now];
    setText(place, `${now + 1} of ${moments.length}`);
    setText(news, told(say, say.includes("{") ? compute(model) : {}));
    back.setAttribute("aria-disabled", String(now === 0));
    next.setAttribute("aria-disabled", String(now === moments.length - 1));
  };
  const step = () => {
    timer = window.setTimeout(() => {
      go(now + 1);
      if (now < moments.length - 1) step();
      else halt();
    }, PACE * moments[now].say.length);
    setText(play, "Pause");
  };
  const end = () => {
    halt();
    now = -1;
    bring(left);
    show();
    open.focus();
  };

  const enter = () => {
    go(0);
    next.focus();
  };
  /** @param {number} by */
  const turn = (by) => () => {
    halt();
    go(now + by);
  };
  const open = button(`Tour: ${moments.length} moments`, enter);
  const [back, next] = [button("Back", turn(-1)), button("Next", turn(1))];
  const play = button("Play", () => {
    if (timer) return halt();
    if (now === moments.length - 1) go(0);
    step();
  });
  play.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const again = button("Back to the tour", () => go(now));
  const row = controlRow(back, next, play, place, again, button("End", end));
  const box = h("div", { class: "tl-tour", role: "group", "aria-label": "Tour" }, open, row, news);

  const changed = () => {
    if (going || now < 0) return;
    halt();
    again.hidden = false; // the reader has taken over
  };
  for (const name of names) model.on(`change:${name}`, changed);
  el.addEventListener("tl:moment", (event) => {
    halt();
    go(/** @type {CustomEvent<number>} */ (event).detail);
  });
  el.prepend(box);
  show();
  return () => {
    halt();
    for (const name of names) model.off(`change:${name}`, changed);
  };
}
