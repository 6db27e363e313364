// @ts-check
// Which blocks of a page stand together on a screen, and how an address names one of them.

/**
 * A block of the page, as it lies when all blocks are shown: a paragraph, a cell, a table.
 * @typedef {object} Block
 * @property {number} top
 * @property {number} bottom
 * @property {boolean} starts whether a section begins with it
 * @property {"" | "always" | "if it fits"} leads whether it stays with the block behind it
 */

/** Whether the block before `at` has to stay with it. @param {Block[]} blocks @param {number} at @param {number} last @param {number} room */
function tied(blocks, at, last, room) {
  const { leads, top } = blocks[at - 1];
  return leads === "always" || (leads === "if it fits" && blocks[last].bottom - top <= room);
}

/**
 * Cut a page into screens: a section begins a new one, and so does the block that would not fit. A
 * heading stays with what follows it. A block higher than the screen gets one, and scrolls.
 * @param {Block[]} blocks in the order of the page
 * @param {number} room the height of a screen, in the unit of the blocks
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
 * The blocks from `first` up to `end`, which is left out; or one block, at a moment of its figure's
 * tour, which counts from 0 and is -1 otherwise.
 * @typedef {{first: number, end: number, moment: number}} Screen
 */

/**
 * The screens in turn: those that were cut, each followed by the moments of its figure's tour.
 * @param {number[]} firsts the first block of each screen that was cut
 * @param {number[]} moments how many each block has
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
 * The screen that shows a block, at a moment of its figure if there is such a one.
 * @param {Screen[]} screens @param {number} block @param {number} [moment]
 */
export function screenOf(screens, block, moment = -1) {
  const plain = screens.findLastIndex((screen) => screen.moment < 0 && screen.first <= block);
  const own = (/** @type {Screen} */ screen) => screen.first === block && screen.moment === moment;
  return Math.max(0, plain, screens.findIndex(own));
}

/**
 * What the address says behind its "#": the section, and how many blocks into it the screen begins.
 * @param {string} id @param {number} [steps]
 */
export function writePlace(id, steps = 0) {
  return `#${encodeURIComponent(id)}&projector${steps ? `=${steps}` : ""}`;
}

/** @param {string} hash @returns {{id: string, steps: number} | null} null if it asks for no projector */
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
