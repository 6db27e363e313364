// @ts-check
// What goes through the steps of a figure by itself.

/**
 * A player, which `toggle` starts and stops.
 * @param {() => boolean} more whether there is another step @param {() => void} step
 * @param {() => void} changed hears that it started or stopped @param {number} pause milliseconds
 */
export function player(more, step, changed, pause) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    changed();
  };
  const tick = () => {
    if (more()) step();
    if (!more()) stop();
  };
  return {
    isPlaying: () => timer !== undefined,
    stop,
    toggle() {
      if (timer !== undefined) return stop();
      if (!more()) return;
      timer = setInterval(tick, pause);
      changed();
    },
  };
}
