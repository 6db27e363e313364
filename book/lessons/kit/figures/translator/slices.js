// @ts-check
// Long work in short pieces, so that the page never stops for it.

/**
 * Run a generator to its end, some milliseconds at a time; between them the page does what it has
 * to. Short work is done before this returns. Returns the function that stops it.
 * @template T
 * @param {Generator<unknown, T>} generator @param {(result: T) => void} done @param {number} budget
 */
export function inSlices(generator, done, budget) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  const run = () => {
    const end = performance.now() + budget;
    let turn = generator.next();
    while (!turn.done && performance.now() < end) turn = generator.next();
    if (turn.done) done(turn.value);
    else waiting = setTimeout(run);
  };
  run();
  return () => clearTimeout(waiting);
}
