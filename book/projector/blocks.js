// @ts-check
// Finds the blocks of a page and makes them fit a screen. Blocks are not moved but shown and hidden
// in place, so that live figures keep working.

/** Containers that are taken apart; every other element is a block. */
const HOLDS = "section, .tl-cover, .tl-covered, section > ul, section > dl";
const HEADING = "h1, h2, h3, h4, h5, h6, dt, .rubric";
const WIDE = "pre, .katex-display, .pst-scrollable-table-container, .scroll-box, .output.text_html";
const SMALLEST_TYPE = 0.75; // of the normal size; blocks that are still too wide scroll
const FIGURES = ".tl-host, .tl-diagram, .cell_output img";
const MARKS = ["tl-off", "tl-first", "tl-last", "tl-moment", "tl-beside"];
const SMALLER = 0.05; // the step by which figures shrink

/**
 * `tour` contains the ids of the moments of its figure.
 * @typedef {{element: HTMLElement, section: Element, starts: boolean, tour: string[], leads: "" | "always" | "if it fits"}} Piece
 */

/** @param {Element} element @returns {Piece["leads"]} */
function leadsOf(element) {
  if (element.matches(`${HEADING}, .tl-prediction`)) return "always";
  return element.matches("p") && /:\s*$/.test(element.textContent ?? "") ? "if it fits" : "";
}

/**
 * Return the blocks of a page in order, without those that a prediction covers.
 * @param {Element} holder @param {Element} [section] @returns {Piece[]}
 */
export function piecesOf(holder, section = holder) {
  const own = holder.matches("section") ? holder : section;
  let starts = holder.matches("section");
  return [...holder.children].flatMap((element) => {
    if (element.matches("script, style, template") || element.matches(".tl-covered[hidden]"))
      return [];
    if (element.matches(HOLDS)) return piecesOf(element, own);
    const leads = leadsOf(element);
    const tour = [...element.querySelectorAll(".tl-moments > li")].map(({ id }) => id);
    const piece = {
      element: /** @type {HTMLElement} */ (element),
      section: own,
      starts,
      tour,
      leads,
    };
    starts = tour.length > 0; // its moments follow it
    return [piece];
  });
}

/** Slightly reduce the font size of blocks that are too wide. @param {Element} stage */
export function fitWidths(stage) {
  const boxes = /** @type {HTMLElement[]} */ ([...stage.querySelectorAll(WIDE)]);
  for (const box of boxes) box.style.removeProperty("--tl-fit");
  const shares = boxes.map((box) => box.clientWidth / box.scrollWidth);
  boxes.forEach((box, i) => {
    if (shares[i] < 1)
      box.style.setProperty("--tl-fit", Math.max(SMALLEST_TYPE, 0.99 * shares[i]).toFixed(3));
  });
}

/** @param {Element} element @returns {HTMLElement[]} */
const figuresOf = (element) =>
  [...element.querySelectorAll(FIGURES)].map((figure) => /** @type {HTMLElement} */ (figure));

/** Restore the original sizes of figures. @param {Element} stage */
export function unfit(stage) {
  for (const figure of figuresOf(stage)) figure.style.removeProperty("--tl-size");
}

/**
 * Shrink the figures of a screen that is too high until it fits, but not below `smallest`.
 * @param {HTMLElement} stage @param {HTMLElement[]} shown @param {number} smallest
 * @param {number} [largest]
 * @returns {number} the resulting size
 */
export function fitHeight(stage, shown, smallest, largest = 1) {
  const figures = shown.flatMap(figuresOf);
  let size = largest; // in steps of 0.05
  const set = () =>
    figures.forEach((figure) => figure.style.setProperty("--tl-size", size.toFixed(2)));
  set();
  while (figures.length && size > smallest && stage.scrollHeight > stage.clientHeight) {
    size = Math.max(smallest, Number((size - SMALLER).toFixed(2)));
    set();
  }
  return size;
}

/**
 * Fit a figure and the text of its moment: the text is below it, or next to it if the figure would
 * become too small. During a tour the figure never grows, and text that moved to the side stays there.
 * @param {HTMLElement} stage @param {HTMLElement[]} shown
 * @param {[number, number]} smallest with text below, and next to it @param {number} largest
 */
export function fitMoment(stage, shown, [below, beside], largest) {
  if (largest >= below) {
    const size = fitHeight(stage, shown, below, largest);
    if (stage.scrollHeight <= stage.clientHeight) return size;
  }
  shown[0].classList.add("tl-beside");
  return fitHeight(stage, shown, beside, Math.min(below - 0.01, largest));
}

/**
 * Show only these blocks. Containers without any of them are hidden too, to remove their margins.
 * @param {Element} stage @param {Piece[]} pieces @param {Set<Element>} shown
 * @param {boolean} alone whether to show only the figure of a block, at a moment
 */
export function showOnly(stage, pieces, shown, alone) {
  showAll(stage);
  const all = [...shown];
  all[0].classList.toggle("tl-moment", alone);
  all[0].classList.add("tl-first");
  all[all.length - 1].classList.add("tl-last");
  const empty = [...stage.querySelectorAll(HOLDS)].filter((e) => !all.some((x) => e.contains(x)));
  const others = pieces.map(({ element }) => element).filter((element) => !shown.has(element));
  for (const element of [...empty, ...others]) element.classList.add("tl-off");
}

/** @param {Element} stage */
export function showAll(stage) {
  for (const element of stage.querySelectorAll(MARKS.map((name) => `.${name}`).join()))
    element.classList.remove(...MARKS);
}

/** Return the positions of blocks while all of them are shown. @param {Piece[]} pieces */
export function measure(pieces) {
  return pieces.map(({ element, starts, leads }) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom, starts, leads };
  });
}

/** Return a section's heading as plain text. @param {Element} section */
export function nameOf(section) {
  const heading = section.querySelector("h1, h2, h3, h4, h5, h6")?.cloneNode(true);
  if (!(heading instanceof Element)) return "";
  for (const extra of heading.querySelectorAll(".headerlink, .katex-mathml")) extra.remove();
  return heading.textContent?.trim() ?? "";
}
