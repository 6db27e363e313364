// @ts-check
// The mathematics of a training job: what a worker holds, sends and waits for. The first four
// functions are those of transformer_lite/training/costs.py.

import { format } from "../../kit/figures/kit.js";
import { short } from "../../kit/figures/units.js";
import job from "./training_job.json" with { type: "json" };

/** @typedef {keyof typeof job.models} ModelName */
/** @typedef {keyof typeof job.shardings} Sharding */
/** @typedef {keyof typeof job.precisions} Precision */
/**
 * @typedef {{model: ModelName, workers: number, batch_tokens: number, sharding: Sharding,
 *   precision: Precision, checkpointing: boolean, memory: number, link: number,
 *   speed: number}} State
 */
/** @typedef {ReturnType<typeof compute>} Results */
/** @typedef {{memory: string[], steps: string[]}} Formulas */

export const GIGABYTE = 1e9;
const [GIGABIT, TRILLION, MICROSECOND] = [1e9 / 8, 1e12, 1e-6];

/** The bytes that each worker sends in a ring: 2 (N − 1)/N · P · b. @param {number} parameters @param {number} workers @param {number} bytesEach */
export function allReduceBytes(parameters, workers, bytesEach) {
  return ((2 * (workers - 1)) / workers) * parameters * bytesEach;
}

/** How long a ring takes: 2 (N − 1) · (latency + n / (N · bandwidth)). @param {number} numBytes @param {number} workers @param {number} bytesPerSecond @param {number} latency */
export function ringAllReduceSeconds(numBytes, workers, bytesPerSecond, latency) {
  return 2 * (workers - 1) * (latency + numBytes / workers / bytesPerSecond);
}

/**
 * What one worker keeps: each level cuts one more of weights, gradients and optimizer.
 * @param {number} parameters @param {number} workers @param {Sharding} sharding
 * @param {{weight: number, gradient: number, optimizer: number}} bytes of one weight
 */
export function memoryBySharding(parameters, workers, sharding, bytes) {
  const level = levelOf(sharding);
  return [bytes.weight, bytes.gradient, bytes.optimizer].map(
    (each, i) => (each * parameters) / (level >= 3 - i ? workers : 1),
  );
}

/** The operations of a training: 6 · P · D. @param {number} parameters @param {number} tokens */
export function trainingOperations(parameters, tokens) {
  return 6 * parameters * tokens;
}

/** How many of the three are cut. @param {Sharding} sharding */
function levelOf(sharding) {
  return Object.keys(job.shardings).indexOf(sharding);
}

/** About the bytes that a worker keeps between the passes. @param {State} state */
function activationsOf({ model, workers, batch_tokens, precision, checkpointing }) {
  const { layers, d_model, words } = job.models[model];
  const features = checkpointing ? (layers + job.kept) * d_model : job.kept * layers * d_model;
  return (features + words) * (batch_tokens / workers) * job.precisions[precision].activation;
}

/** The traits as they are now. @param {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} model */
function settingsOf(model) {
  return {
    model: model.get("model"),
    workers: model.get("workers"),
    batch_tokens: model.get("batch_tokens"),
    sharding: model.get("sharding"),
    precision: model.get("precision"),
    checkpointing: model.get("checkpointing"),
    memory: model.get("memory"),
    link: model.get("link"),
    speed: model.get("speed"),
  };
}

/** The bytes that a worker sends, and the seconds of computing and of sending. @param {State} state */
function workOf(state) {
  const { model, workers, batch_tokens, sharding, precision, checkpointing, link, speed } = state;
  const [{ weights }, { gradient }] = [job.models[model], job.precisions[precision]];
  const [turns, { again, once }] = [job.moves[sharding] / 2, job.operations];
  const operations = trainingOperations(weights, batch_tokens / workers);
  const bandwidth = link * GIGABIT;
  return {
    sent: allReduceBytes(weights, workers, gradient) * turns,
    computing: (operations * (checkpointing ? again / once : 1)) / (speed * TRILLION),
    sending: ringAllReduceSeconds(weights * gradient, workers, bandwidth, job.latency) * turns,
  };
}

/** @param {number[]} list */
const column = (list) => list.map((x) => [x]);

/**
 * Every number of the figure; the same names as TrainingJob.results().
 * @param {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} model
 */
export function compute(model) {
  const state = settingsOf(model);
  const { weights } = job.models[state.model];
  const bytes = job.precisions[state.precision];
  const kept = memoryBySharding(weights, state.workers, state.sharding, bytes);
  const held = [...kept, activationsOf(state)];
  const { sent, computing, sending } = workOf(state);
  const steps = [computing + sending, Math.max(computing, sending)];
  return {
    memory: column([...held, held.reduce((sum, part) => sum + part, 0)]),
    sent: column([sent, state.workers * sent]),
    times: column([computing, sending, ...steps]),
    efficiency: column(steps.map((step) => (100 * computing) / step)),
  };
}

export const count = (/** @type {number} */ x) => short(x, job.units);
export const size = (/** @type {number} */ x) => short(x, job.byte_units);
export const time = (/** @type {number} */ x) => short(x / MICROSECOND, job.time_units);
export const percent = (/** @type {number} */ x) => `${format(x, 1)} %`;

/** What a worker holds, part by part, as formulas with numbers in them. @param {State} state @param {Results} results @returns {string[]} */
function memoryFormulas(state, { memory }) {
  const { layers, d_model, words, weights } = job.models[state.model];
  const bytes = job.precisions[state.precision];
  const [level, written] = [levelOf(state.sharding), memory.map(([x]) => size(x))];
  const kinds = [bytes.weight, bytes.gradient, bytes.optimizer].map((each, i) => {
    const part = level >= 3 - i ? ` / ${state.workers} workers` : "";
    return `${each} B · ${count(weights)} weights${part} = ${written[i]}`;
  });
  const together = state.checkpointing
    ? `(${job.kept} + ${layers} layers)`
    : `${job.kept} · ${layers} layers`;
  return [
    ...kinds,
    `(${together} · ${d_model} features + ${words} words) · ${tokens(state)} · ${bytes.activation} B = ${written[3]}`,
    `${written.slice(0, 4).join(" + ")} = ${written[4]}`,
  ];
}

/** What a step sends and how long it takes. @param {State} state @param {Results} results @returns {string[]} */
function stepFormulas(state, { sent, times, efficiency }) {
  const [n, moves] = [state.workers, job.moves[state.sharding]];
  const { weights } = job.models[state.model];
  const { gradient } = job.precisions[state.precision];
  const operations = job.operations[state.checkpointing ? "again" : "once"];
  const [one, all] = sent.map(([x]) => size(x));
  const [computing, sending, plain, longer] = times.map(([x]) => time(x));
  const [least, most] = efficiency.map(([x]) => percent(x));
  const speed = count(state.speed * TRILLION);
  const piece = `${size(weights * gradient)} / ${n} / ${size(state.link * GIGABIT)} a second`;
  return [
    `${moves} · (${n} − 1)/${n} · ${count(weights)} weights · ${gradient} B = ${one}`,
    `${n} workers · ${one} = ${all}`,
    `${operations} · ${count(weights)} weights · ${tokens(state)} / ${speed} a second = ${computing}`,
    `${moves} · (${n} − 1) · (${time(job.latency)} + ${piece}) = ${sending}`,
    `${computing} + ${sending} = ${plain}`,
    `the longer of ${computing} and ${sending} = ${longer}`,
    `${computing} / ${plain} = ${least}`,
    `${computing} / ${longer} = ${most}`,
  ];
}

/** The tokens of a worker: a batch over the workers. @param {State} state */
function tokens({ batch_tokens, workers }) {
  return `${batch_tokens} tokens / ${workers} workers`;
}

/** Every number as a formula. @param {Pick<import("../../kit/figures/kit.js").Model<State>, "get">} model @param {Results} results @returns {Formulas} */
export function formulas(model, results) {
  const state = settingsOf(model);
  return { memory: memoryFormulas(state, results), steps: stepFormulas(state, results) };
}

/** Whether the job fits, and what takes the time. @param {Results} results @param {Pick<State, "memory">} state */
export function verdict({ memory, times }, { memory: gigabytes }) {
  const held = memory.map(([bytes]) => bytes);
  const [parts, device] = [held.slice(0, 4), gigabytes * GIGABYTE];
  const largest = job.keys.memory[parts.indexOf(Math.max(...parts))];
  const fits = held[4] <= device;
  const room = fits
    ? `It fits: ${size(held[4])} of ${size(device)}.`
    : `It does not fit: ${size(held[4])}, and a device has ${size(device)}. Largest part: ${largest}.`;
  const [computing, sending, plain, longer] = times.map(([seconds]) => seconds);
  if (sending === 0) return `${room} Nothing is sent; a step takes ${time(plain)}.`;
  const more = sending > computing ? "sending" : "computing";
  return `${room} A step takes ${time(longer)} to ${time(plain)}, most of it ${more}.`;
}
