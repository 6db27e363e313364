// @ts-check
// The files that a figure needs besides its state, as assets.py lists them.

/**
 * The bytes of an asset, in memory of their own. Jupyter hands over a view that may begin anywhere
 * in a message, and a Float32Array wants to begin at a multiple of four.
 * @param {import("./kit.js").Model<{assets: Record<string, DataView>}>} model @param {string} name
 */
export function asset(model, name) {
  const view = model.get("assets")[name];
  return view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
}
