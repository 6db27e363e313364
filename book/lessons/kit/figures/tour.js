// @ts-check
// A tour: some moments of a figure, each a state and what is to be seen in it.

import { button } from "./controls.js";
import { assignAll, controlRow, format, h, setText, stateOf } from "./kit.js";

/** @typedef {{state: Record<string, any>, say: string}} Moment `say` names numbers by their path */
/** @typedef {import("./kit.js").Model<any>} Model */
/** @typedef {{model: any, el: HTMLElement}} Context */

export const PACE = 60; // milliseconds for each letter of what a moment says, while it plays by itself

/**
 * What a moment says, its numbers filled in: "{weights.1.0}" is the entry of row 1 and column 0,
 * "{weights.1.0:3}" has three decimals instead of two, and "{weights.1.0:%}" is in percent.
 * @param {string} say @param {any} results
 */
export function spoken(say, results) {
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
 * is as the reader had left it. The page sends a reader to a moment by the event "tl:moment", and
 * by the moment -1 out of the tour.
 * @param {(context: any) => any} render @param {string[]} names the traits that a moment may change
 * @param {Moment[]} moments @param {(model: any) => any} compute the numbers of the figure
 * @returns {(context: Context) => any}
 */
export function touring(render, names, moments, compute) {
  return (context) => {
    const drawn = render(context);
    if (!context.model.get("tour")) return drawn;
    const stop = guide(context, names, moments, compute);
    return () => {
      stop();
      drawn();
    };
  };
}

/**
 * What a reader sees of the tour: one button before it begins, then the player and what is said.
 * @param {number} count of moments
 * @param {Record<"enter" | "back" | "next" | "play" | "again" | "end", () => void>} acts
 */
function panel(count, acts) {
  const open = button(`Tour: ${count} moments`, acts.enter);
  const [back, next, play] = [
    button("Back", acts.back),
    button("Next", acts.next),
    button("Play", acts.play),
  ];
  const [again, end] = [button("Back to the tour", acts.again), button("End", acts.end)];
  again.className = "tl-tour-again";
  const place = h("span", { class: "tl-tour-place" });
  const says = h("p", { class: "tl-tour-says", "aria-live": "polite" });
  const row = controlRow(back, next, play, place, again, end);
  play.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return {
    element: h("div", { class: "tl-tour", role: "group", "aria-label": "Tour" }, open, row, says),
    open,
    next,
    /** @param {number} now the moment, -1 before the tour @param {string} text */
    show(now, text) {
      open.hidden = now >= 0;
      row.hidden = says.hidden = now < 0;
      again.hidden = true;
      setText(place, `${now + 1} of ${count}`);
      setText(says, text);
      back.setAttribute("aria-disabled", String(now === 0));
      next.setAttribute("aria-disabled", String(now === count - 1));
    },
    /** The reader has changed the figure. */
    left() {
      again.hidden = false;
    },
    /** @param {boolean} on */
    playing(on) {
      setText(play, on ? "Pause" : "Play");
    },
  };
}

/**
 * The traits that moments change: as the figure began, as the reader left it, as a moment has it.
 * @param {Model} model @param {string[]} names
 */
function traitsOf(model, names) {
  const start = stateOf(model, names);
  let [kept, busy] = [start, false];
  /** @param {Record<string, any>} state */
  const bring = (state) => {
    busy = true;
    assignAll(model, state);
    busy = false;
  };
  return {
    keep: () => {
      kept = stateOf(model, names);
    },
    restore: () => bring(kept),
    /** @param {Moment} moment */
    bring: ({ state }) => bring({ ...start, ...state }),
    /** Hear of changes that a reader makes; returns what stops it. @param {() => void} f */
    onchange(f) {
      const listen = () => busy || f();
      for (const name of names) model.on(`change:${name}`, listen);
      return () => names.forEach((name) => model.off(`change:${name}`, listen));
    },
  };
}

/**
 * Where a tour is, and what turns its pages by itself.
 * @param {Moment[]} moments @param {ReturnType<typeof traitsOf>} traits
 * @param {(now: number) => void} show @param {(on: boolean) => void} playing
 */
function course(moments, traits, show, playing) {
  const last = moments.length - 1;
  let [now, timer] = [-1, 0];
  const pause = () => {
    clearTimeout(timer);
    timer = 0;
    playing(false);
  };
  /** @param {number} i */
  const go = (i) => {
    if (i < 0 || i > last) return;
    if (now < 0) traits.keep();
    now = i;
    traits.bring(moments[now]);
    show(now);
  };
  const play = () => {
    if (now === last) go(0);
    playing(true);
    timer = window.setTimeout(() => {
      go(now + 1);
      if (now < last) play();
      else pause();
    }, PACE * moments[now].say.length);
  };
  return {
    pause,
    now: () => now,
    /** @param {number} i */
    to(i) {
      pause();
      go(i);
    },
    toggle: () => (timer ? pause() : play()),
    end() {
      pause();
      now = -1;
      traits.restore();
      show(now);
    },
  };
}

/** Go where the page sends a reader. @param {ReturnType<typeof course>} tour @param {number} moment */
function send(tour, moment) {
  if (moment >= 0) tour.to(moment);
  else if (tour.now() >= 0) tour.end();
}

/** What is said at a moment, if there is one. @param {Moment | undefined} moment @param {() => any} results */
function sayingOf(moment, results) {
  const say = moment?.say ?? "";
  return spoken(say, say.includes("{") ? results() : {});
}

/** What the buttons do. @param {ReturnType<typeof course>} tour @param {() => ReturnType<typeof panel>} view */
function actsOf(tour, view) {
  return {
    enter() {
      tour.to(0);
      view().next.focus();
    },
    back: () => tour.to(tour.now() - 1),
    next: () => tour.to(tour.now() + 1),
    play: tour.toggle,
    again: () => tour.to(tour.now()),
    end() {
      tour.end();
      view().open.focus();
    },
  };
}

/** The event that tells the page which moment is shown; -1 is none. @param {number} now */
const shownEvent = (now) => new CustomEvent("tl:shown", { detail: now });

/** @param {Context} context @param {string[]} names @param {Moment[]} moments @param {(model: any) => any} compute */
function guide({ model, el }, names, moments, compute) {
  const traits = traitsOf(model, names);
  const tell = (/** @type {number} */ now) => el.dispatchEvent(shownEvent(now));
  const tour = course(
    moments,
    traits,
    (now) => {
      view.show(
        now,
        sayingOf(moments[now], () => compute(model)),
      );
      tell(now);
    },
    (on) => view.playing(on),
  );
  /** @type {ReturnType<typeof panel>} */
  const view = panel(
    moments.length,
    actsOf(tour, () => view),
  );
  const deaf = traits.onchange(() => {
    if (tour.now() < 0) return;
    tour.pause();
    view.left();
    tell(-1);
  });
  el.addEventListener("tl:moment", (event) => {
    send(tour, /** @type {CustomEvent<number>} */ (event).detail);
  });
  el.prepend(view.element);
  view.show(-1, "");
  return () => {
    tour.pause();
    deaf();
  };
}
