// @ts-check
// What is larger than the paper, and making it smaller. `pdf.py` runs it on the page that it prints.

/** The parts that no page may break. */
const WHOLE = "figure, svg, img, .tl-figure, .cell_input, .math";
/** What is drawn by its own rules; only the whole of it is measured. */
const INSIDE = "svg *, .katex *";

/**
 * Find what stands out of the column or is taller than a page, without what stands in it.
 * @param {number} height of a page, in pixels
 */
function outsized(height) {
  const column = /** @type {Element} */ (document.querySelector(".bd-article-container"));
  const { right, left } = column.getBoundingClientRect();
  /** @type {{ box: HTMLElement, by: number }[]} */
  const found = [];
  for (const box of document.querySelectorAll(".bd-article *")) {
    if (box.matches(INSIDE) || found.at(-1)?.box.contains(box)) continue;
    const here = box.getBoundingClientRect();
    const wide = here.width > 0 && here.right > right + 1;
    const tall = here.height > height && box.matches(WHOLE);
    const by = Math.min((right - left) / (here.right - left), tall ? height / here.height : 1);
    if (wide || tall) found.push({ box: /** @type {HTMLElement} */ (box), by });
  }
  return found;
}

/** @param {{ box: Element, by: number }} found */
function describe({ box, by }) {
  const page = box.closest("article")?.id;
  const text = box.textContent?.trim().slice(0, 60);
  return {
    by,
    what: `${page}: <${box.localName} class="${box.getAttribute("class") ?? ""}"> ${text}`,
  };
}

/** Say what is too large. @param {number} height */
function tooLarge(height) {
  return outsized(height).map(describe);
}

/** Make what is too large as small as it must be, and say what it was. @param {number} height */
function shrink(height) {
  const found = outsized(height);
  for (const { box, by } of found) box.style.zoom = String(by - 0.005);
  return found.map(describe);
}

Object.assign(globalThis, { shrink, tooLarge });
