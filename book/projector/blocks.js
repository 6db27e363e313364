// @ts-check
// The blocks of a page, and what makes them fit a screen. Nothing is moved: blocks are shown and
// hidden where they stand, so that figures go on living.

/** What is taken apart; everything else is a block. */
const HOLDS = "section, .tl-cover, .tl-covered, section > ul, section > dl";
const HEADING = "h1, h2, h3, h4, h5, h6, dt, .rubric";
const WIDE = "pre, .katex-display, .pst-scrollable-table-container, .scroll-box, .output.text_html";
const SMALLEST_TYPE = 0.75; // of the size that was meant; what is wider still scrolls
const FIGURES = ".tl-host, .tl-diagram, .cell_output img";
const SIZES = [1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7];

/** @typedef {{element: HTMLElement, section: Element, starts: boolean, leads: "" | "always" | "if it fits"}} Piece */

/** @param {Element} element @returns {Piece["leads"]} */
function leadsOf(element) {
  if (element.matches(`${HEADING}, .tl-prediction`)) return "always";
  return element.matches("p") && /:\s*$/.test(element.textContent ?? "") ? "if it fits" : "";
}

/**
 * The blocks of a page in order, without those that a prediction covers.
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
    const piece = { element: /** @type {HTMLElement} */ (element), section: own, starts, leads };
    starts = false;
    return [piece];
  });
}

/** Make the type of what is too wide smaller, a little. @param {Element} stage */
export function fitWidths(stage) {
  const boxes = /** @type {HTMLElement[]} */ ([...stage.querySelectorAll(WIDE)]);
  for (const box of boxes) box.style.removeProperty("--tl-fit");
  const shares = boxes.map((box) => box.clientWidth / box.scrollWidth);
  boxes.forEach((box, i) => {
    if (shares[i] < 1)
      box.style.setProperty("--tl-fit", Math.max(SMALLEST_TYPE, 0.99 * shares[i]).toFixed(3));
  });
}

/**
 * Make the figures of a screen that is too high smaller, a little, if it then fits.
 * @param {HTMLElement} stage @param {HTMLElement[]} shown
 */
export function fitHeight(stage, shown) {
  const figures = shown.flatMap((element) => [
    .../** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(FIGURES)),
  ]);
  for (const size of figures.length ? SIZES : []) {
    for (const figure of figures) figure.style.setProperty("--tl-size", `${size}`);
    if (stage.scrollHeight <= stage.clientHeight) return;
  }
}

/**
 * Show these blocks and no others; what holds none of them would only leave its margins.
 * @param {Element} stage @param {Piece[]} pieces @param {Set<Element>} shown
 */
export function showOnly(stage, pieces, shown) {
  showAll(stage);
  const all = [...shown];
  all[0].classList.add("tl-first");
  all[all.length - 1].classList.add("tl-last");
  const empty = [...stage.querySelectorAll(HOLDS)].filter((e) => !all.some((x) => e.contains(x)));
  const others = pieces.map(({ element }) => element).filter((element) => !shown.has(element));
  for (const element of [...empty, ...others]) element.classList.add("tl-off");
}

/** @param {Element} stage */
export function showAll(stage) {
  for (const element of stage.querySelectorAll(".tl-off, .tl-first, .tl-last"))
    element.classList.remove("tl-off", "tl-first", "tl-last");
}

/** Where blocks lie while all of them are shown. @param {Piece[]} pieces */
export function measure(pieces) {
  return pieces.map(({ element, starts, leads }) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom, starts, leads };
  });
}

/** A section's heading as it is read. @param {Element} section */
export function nameOf(section) {
  const heading = section.querySelector("h1, h2, h3, h4, h5, h6")?.cloneNode(true);
  if (!(heading instanceof Element)) return "";
  for (const extra of heading.querySelectorAll(".headerlink, .katex-mathml")) extra.remove();
  return heading.textContent?.trim() ?? "";
}
