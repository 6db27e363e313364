// @ts-check
// Decides which blocks of a page share a screen, and how an address names a screen.

/**
 * A block of the page (a paragraph, a cell, a table), positioned as when all blocks are shown.
 * @typedef {object} Block
 * @property {number} top
 * @property {number} bottom
 * @property {boolean} starts whether a section begins with it
 * @property {"" | "always" | "if it fits"} leads whether it stays with the block after it
 */

/** Return whether the block before `at` must stay with it. @param {Block[]} blocks @param {number} at @param {number} last @param {number} room */
function tied(blocks, at, last, room) {
  const { leads, top } = blocks[at - 1];
  return leads === "always" || (leads === "if it fits" && blocks[last].bottom - top <= room);
}

/**
 * Cut a page into screens. A section starts a new screen, and so does a block that would not fit.
 * A heading stays with the block after it. A block that is taller than the screen gets a screen of
 * its own, which scrolls.
 * @param {Block[]} blocks in page order
 * @param {number} room the height of a screen, in the units of the blocks
 * @returns {number[]} the first block of each screen
 */
export function cut(blocks, room) {
  const firsts = blocks.length ? [0] : [];
  for (let i = 1; i < blocks.length; i += 1) {
    const first = firsts[firsts.length - 1];
    if (blocks[i].starts && blocks[i - 1].leads !== "always") firsts.push(i);
    else if (blocks[i].bottom - blocks[first].top > room) {
      let at = i;
      while (at > first && tied(blocks, at, i, room)) at -= 1;
      if (at > first) firsts.push(at);
      else if (blocks[i - 1].leads !== "always") firsts.push(i);
    }
  }
  return firsts;
}

/**
 * The blocks from `first` up to but not including `end`; or one block at a moment of its figure's
 * tour. Moments count from 0; -1 means no moment.
 * @typedef {{first: number, end: number, moment: number}} Screen
 */

/**
 * Return all screens in order: each cut screen, followed by the moments of its figures' tours.
 * @param {number[]} firsts the first block of each cut screen
 * @param {number[]} moments the number of moments of each block
 * @returns {Screen[]}
 */
export function inTurn(firsts, moments) {
  return firsts.flatMap((first, i) => {
    const end = firsts[i + 1] ?? moments.length;
    const tours = moments.slice(first, end).flatMap((count, j) =>
      Array.from({ length: count }, (_, moment) => ({
        first: first + j,
        end: first + j + 1,
        moment,
      })),
    );
    return [{ first, end, moment: -1 }, ...tours];
  });
}

/**
 * Return the screen that shows a block, at a moment of its figure if that exists.
 * @param {Screen[]} screens @param {number} block @param {number} [moment]
 */
export function screenOf(screens, block, moment = -1) {
  const plain = screens.findLastIndex((screen) => screen.moment < 0 && screen.first <= block);
  const own = (/** @type {Screen} */ screen) => screen.first === block && screen.moment === moment;
  return Math.max(0, plain, screens.findIndex(own));
}

/**
 * Return the address's part after "#": the section, and the number of its blocks before the screen.
 * @param {string} id @param {number} [steps]
 */
export function writePlace(id, steps = 0) {
  return `#${encodeURIComponent(id)}&projector${steps ? `=${steps}` : ""}`;
}

/** @param {string} hash @returns {{id: string, steps: number} | null} null if it does not ask for the projector */
export function readPlace(hash) {
  const match = /^#(.*)&projector(?:=(\d{1,6}))?$/.exec(hash);
  if (!match) return null;
  const steps = Number(match[2] ?? 0);
  try {
    return { id: decodeURIComponent(match[1]), steps };
  } catch {
    return { id: match[1], steps };
  }
}
