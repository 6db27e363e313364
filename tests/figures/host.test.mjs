// host.js and the page's scripts without a browser: the model that a figure gets, and loading.
// The five calls that host.js makes to the page are stood in for; tests/book has the real page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import vm from "node:vm";

import { assign, connect } from "../../transformer_lite/figures/kit.js";
import { fixtures } from "./compare.mjs";

const HOST = readFileSync(new URL("../../transformer_lite/figures/host.js", import.meta.url), "utf8");

/** Run host.js on a page with one figure a state; return the models that the figures get. */
function models(...states) {
  const hosts = states.map((state) => ({
    querySelector: () => ({ textContent: JSON.stringify(state) }),
    append() {},
    classList: { add() {} },
  }));
  const window = {};
  const document = { createElement: () => ({}), querySelectorAll: () => hosts };
  vm.runInNewContext(HOST, { window, document });
  const found = [];
  window.livingFigures.define("any", { render: ({ model }) => found.push(model) });
  return found;
}

test("every figure gets its own state", () => {
  const [first, second] = models({ x: 1 }, { x: 2 });
  first.set("x", 5);
  assert.equal(first.get("x"), 5);
  assert.equal(second.get("x"), 2);
});

test("a change is heard by its listeners, after it was made, until they stop", () => {
  const [model] = models({ x: 1, y: 1 });
  const heard = [];
  const listen = () => heard.push(model.get("x"));
  model.on("change:x", listen);
  model.set("y", 2);
  model.set("x", 3);
  model.off("change:x", listen);
  model.set("x", 4);
  assert.deepEqual(heard, [3]);
});

test("connect draws at once and after each change until it is stopped", () => {
  const [model] = models({ x: 1, y: 1 });
  let drawn = 0;
  const stop = connect(model, ["x", "y"], () => { drawn += 1; });
  assert.equal(drawn, 1);
  assign(model, "x", 2);
  assign(model, "y", 2);
  assert.equal(drawn, 3);
  stop();
  assign(model, "x", 3);
  assert.equal(drawn, 3);
});

for (const [name, script] of Object.entries(fixtures.scripts)) {
  test(`the page script of ${name} registers one figure and leaves no global name`, () => {
    const defined = [];
    const page = vm.createContext({ livingFigures: { define: (...figure) => defined.push(figure) } });
    vm.runInContext(script, page);
    assert.deepEqual(defined.map(([key, figure]) => [key, typeof figure.render]), [[name, "function"]]);
    assert.deepEqual(Object.keys(page), ["livingFigures"]);
  });
}

for (const [name, module] of Object.entries(fixtures.modules)) {
  test(`the module of ${name} loads from text alone, as Jupyter loads it`, async () => {
    const loaded = await import(`data:text/javascript;charset=utf-8,${encodeURIComponent(module)}`);
    assert.equal(typeof loaded.default.render, "function");
  });
}
