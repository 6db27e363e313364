// @ts-check
// Geometry of points in the plane.

/**
 * The corners of the smallest convex region around some points, counter-clockwise: where every
 * mixture with shares of the points must lie. (Andrew's monotone chain.)
 * @param {number[][]} points @returns {number[][]}
 */
export function hull(points) {
  const sorted = points.toSorted((p, q) => p[0] - q[0] || p[1] - q[1]);
  return [...chain(sorted), ...chain(sorted.toReversed())];
}

/** The corners passed on the way from the first point to the last, without the last. @param {number[][]} sorted */
function chain(sorted) {
  /** @type {number[][]} */
  const corners = [];
  for (const point of sorted) {
    while (
      corners.length > 1 &&
      !turnsLeft(corners[corners.length - 2], corners[corners.length - 1], point)
    )
      corners.pop();
    corners.push(point);
  }
  return corners.slice(0, -1);
}

/** @param {number[]} p @param {number[]} q @param {number[]} r */
function turnsLeft(p, q, r) {
  return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]) > 0;
}
