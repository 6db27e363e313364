// @ts-check
// Where a machine is trained: in a Worker, which is made from the engine's text, so that it needs
// no network and works on a page that was opened from a file.

/** @typedef {Record<string, any>} Report */
/** @typedef {{send: (order: object) => void, stop: () => void}} Room */

const REFUSED =
  "This page is not allowed to start a Worker or to run the engine itself, so nothing can be trained here. Open the page as a file, or in another browser.";
const STUTTERS =
  "This browser does not allow a Worker, so the page itself computes and may stutter.";

/** Train in the page's own thread, 25 steps at a time. @param {string} source @param {(report: Report) => void} listen @returns {(order: object) => void} */
function withinThePage(source, listen) {
  let stopped = false;
  const serve = new Function(`${source}\nreturn serve;`)();
  const take = serve(
    (/** @type {Report} */ report) => stopped || listen(report),
    (/** @type {() => void} */ work) => setTimeout(() => stopped || work(), 4),
  );
  listen({ kind: "note", text: STUTTERS });
  return (order) => {
    stopped = stopped || /** @type {{do: string}} */ (order).do === "stop";
    if (!stopped) take(order);
  };
}

/**
 * A room for one machine. `listen` hears its reports, and one of kind "error" if it cannot be made.
 * @param {string} source the engine, as one script @param {(report: Report) => void} listen
 * @returns {Room}
 */
export function machineRoom(source, listen) {
  /** Orders that nothing has answered yet. @type {object[]} */
  let unheard = [];
  /** @type {Worker | null} */
  let worker = null;
  /** @type {((order: object) => void) | null} */
  let take = null;
  let url = "";
  const forget = () => {
    if (url) URL.revokeObjectURL(url);
    url = "";
  };
  const close = () => {
    worker?.terminate();
    worker = null;
    forget();
  };
  const fallBack = () => {
    close();
    try {
      take = withinThePage(source, listen);
      unheard.forEach(take);
    } catch {
      listen({ kind: "error", text: REFUSED });
    }
    unheard = [];
  };
  try {
    url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    worker = new Worker(url);
    let alive = false;
    worker.onmessage = ({ data }) => {
      if (!alive) forget();
      alive = true;
      unheard = [];
      listen(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (alive) listen({ kind: "error", text: event.message });
      else fallBack();
    };
  } catch {
    fallBack();
  }
  return {
    send(order) {
      if (take) return take(order);
      if (!worker) return;
      unheard.push(order);
      worker.postMessage(order);
    },
    stop() {
      take?.({ do: "stop" });
      close();
    },
  };
}
