// @ts-check
// Shows a figure in a film or on a card: its chapter above, the text of a moment below, and its
// motion at the time that film.py requests.

/** @type {Record<"head" | "room" | "place" | "said", HTMLElement>} */
const parts = {
  head: document.createElement("h1"),
  room: document.createElement("div"),
  place: document.createElement("span"),
  said: document.createElement("p"),
};

/** The animations that have a start and an end. */
const motions = () =>
  document
    .getAnimations()
    .filter((animation) => Number.isFinite(Number(animation.effect?.getComputedTiming().endTime)));

const pressFilm = {
  /** @param {HTMLElement} live the figure @param {string} title of its chapter */
  frame(live, title) {
    const host = /** @type {HTMLElement} */ (live.parentElement);
    parts.head.textContent = title;
    parts.room.append(host);
    document.body.classList.add("press-film");
    document.body.append(parts.head, parts.room, parts.said);
  },
  /** @param {string} text @param {string} place "2 of 6" */
  say(text, place) {
    parts.place.textContent = place;
    parts.said.replaceChildren(parts.place, text);
  },
  /** Go to a moment and pause its motion. @param {HTMLElement} live @param {number} at */
  go(live, at) {
    live.dispatchEvent(new CustomEvent("tl:moment", { detail: at }));
    this.move(0);
  },
  /** Make the figure as large as possible, and return when its motion ends. @param {HTMLElement} live */
  fit(live) {
    const { clientWidth, clientHeight } = parts.room;
    const scale = Math.min(clientWidth / live.offsetWidth, clientHeight / live.offsetHeight);
    live.style.transform = `scale(${scale})`;
    return Math.max(
      0,
      ...motions().map((animation) => Number(animation.effect?.getComputedTiming().endTime)),
    );
  },
  /** @param {number} time in milliseconds */
  move(time) {
    for (const animation of motions()) {
      animation.pause();
      animation.currentTime = time;
    }
  },
  /** Move all motion to its end. */
  rest() {
    for (const animation of motions()) animation.finish();
  },
};

Object.assign(globalThis, { pressFilm });
