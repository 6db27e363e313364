// The engine's worker without a Worker: it runs in the test's own thread.

import { serve } from "#lessons/kit/engine/worker.js";

/** Give orders one after the other and return all reports. @param {...any} orders */
export function reportsTo(...orders) {
  /** @type {any[]} */
  const reports = [];
  /** @type {(() => void)[]} */
  const later = [];
  const take = serve(
    (report) => reports.push(report),
    (work) => later.push(work),
  );
  for (const order of orders) {
    take(order);
    for (let work = later.shift(); work; work = later.shift()) work();
  }
  return reports;
}
