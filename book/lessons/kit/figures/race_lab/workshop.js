// @ts-check
// Two machines are trained at the same time, each in its own room.

import { machineRoom } from "./machine_room.js";
import { emptyRun, takeIn } from "./runs.js";
import { machinesOf, startOrder } from "./settings.js";
import { TEXTS } from "./texts.js";

/** @typedef {import("./settings.js").Choice} Choice */
/** @typedef {import("./machine_room.js").Report} Report */

/** What the button that trains says. @param {string} phase */
export function trainText(phase) {
  const { train, pause, go, again } = TEXTS.buttons;
  const names = { running: pause, paused: go, done: again };
  return names[/** @type {"done"} */ (phase)] ?? train;
}

/**
 * The two rooms in which the machines are trained, and what is known of them.
 * @param {string} engine @param {{changed: () => void, over: () => void, onwards: (report: Report) => boolean,
 *   weights: (report: Report) => void, note: (text: string) => void, wantsMaps: () => boolean}} page
 */
export function workshop(engine, page) {
  /** @type {import("./machine_room.js").Room[]} */
  let rooms = [];
  let runs = [emptyRun(), emptyRun()];
  let asked = [false, false];
  let [round, index, phase] = [0, 0, "ready"];
  /** @type {Choice | null} */
  let choice = null;
  const both = [0, 1];
  const away = () => {
    if (phase !== "running") return;
    const order = { do: document.hidden ? "pause" : "go" };
    for (const i of both) if (!runs[i].finished) rooms[i].send(order);
  };
  const leave = (/** @type {PageTransitionEvent} */ event) => event.persisted || clear();
  const ask = (/** @type {number} */ i) => {
    if (asked[i] || !rooms[i]) return;
    asked[i] = true;
    if (runs[i].exact || page.wantsMaps()) rooms[i].send({ do: "example", index });
    if (!runs[i].exact) rooms[i].send({ do: "text", count: 48, seed: 1 });
  };
  /** @param {number} i @param {Report} report */
  const listen = (i, report) => {
    if (!choice) return;
    if (report.kind === "weights" || report.kind === "pass") return page.weights(report);
    if (report.kind === "note") return page.note(report.text);
    const isOperation = i === 0 && runs[0].finished && page.onwards(report);
    if (!isOperation) takeIn(runs[i], report, choice.seeds);
    if (report.kind === (runs[i].exact ? "example" : "text")) asked[i] = false;
    if (report.kind === "progress") ask(i);
    if (phase === "running" && (runs[i].error || runs.every(({ finished }) => finished))) {
      phase = runs[i].error ? "failed" : "done";
      page.over();
    }
    page.changed();
  };
  function clear() {
    for (const room of rooms) room.stop();
    [rooms, runs, asked, phase, choice] = [
      [],
      [emptyRun(), emptyRun()],
      [false, false],
      "ready",
      null,
    ];
    round += 1;
    document.removeEventListener?.("visibilitychange", away);
    globalThis.removeEventListener?.("pagehide", leave);
  }
  return {
    runs: () => runs,
    phase: () => phase,
    clear,
    /** @param {Choice} asks @param {string} text */
    start(asks, text) {
      clear();
      [choice, phase] = [asks, "running"];
      const now = round;
      rooms = both.map((i) =>
        machineRoom(engine, (report) => {
          if (now === round) listen(i, report);
        }),
      );
      const { whole, changed } = machinesOf(asks);
      [whole, changed].forEach((settings, i) => rooms[i].send(startOrder(asks, settings, text)));
      document.addEventListener("visibilitychange", away);
      globalThis.addEventListener("pagehide", leave);
    },
    /** Pause, or go on. */
    turn() {
      phase = phase === "running" ? "paused" : "running";
      const order = { do: phase === "running" ? "go" : "pause" };
      for (const i of both) if (!runs[i].finished) rooms[i].send(order);
    },
    /** Show another held-out question. */
    other() {
      index = (index + 1) % 16;
      both.forEach(ask);
    },
    ask: () => both.forEach(ask),
    /** @param {number} i @param {object} order */
    send: (i, order) => rooms[i]?.send(order),
  };
}
