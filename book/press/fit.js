// @ts-check
// Finds what is larger than the paper and shrinks it. `pdf.py` runs it on the page that it prints.

/** The elements that must not be split across pages. */
const WHOLE = "figure, svg, img, .tl-figure, .cell_input, .math";
/** Contents with their own layout; only their containers are measured. */
const INSIDE = "svg *, .katex *";

/**
 * Find elements that extend beyond the column or are taller than a page, but not their contents.
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

/** Describe what is too large. @param {number} height */
function tooLarge(height) {
  return outsized(height).map(describe);
}

/** Shrink what is too large, and describe what was shrunk and by how much. @param {number} height */
function shrink(height) {
  const found = outsized(height);
  for (const { box, by } of found) box.style.zoom = String(by - 0.005);
  return found.map(describe);
}

Object.assign(globalThis, { shrink, tooLarge });
