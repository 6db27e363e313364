// @ts-check
// Shows a diagram in a notebook. The published page has the drawing itself and needs no script.

/** @param {{ model: { get(name: string): string }, el: HTMLElement }} context */
function render({ model, el }) {
  const html = new DOMParser().parseFromString(model.get("html"), "text/html");
  el.replaceChildren(...html.body.children);
}

export default { render };
