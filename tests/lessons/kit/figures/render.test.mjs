// Every figure, drawn under node: its tables are those of its static picture, whatever its state.

import assert from "node:assert/strict";
import test from "node:test";

import { assetsOf, fixtures } from "./compare.mjs";
import { makeDocument, makeModel, tablesOf } from "./fake_document.mjs";

/** Wait until a figure that works in slices has done its work. */
async function settle(el) {
  while (el.attributes["aria-busy"] === "true") await new Promise((done) => setImmediate(done));
}

/** Render a figure from a state. */
async function drawn(name, state) {
  const el = makeDocument();
  const figure = await import(`${fixtures.folders[name]}/${name}.js`);
  const model = makeModel({ ...structuredClone(state), assets: assetsOf(name) });
  const stop = figure.default.render({ model, el });
  await settle(el);
  return { el, stop };
}

for (const [name, { cases, other_form }] of Object.entries(fixtures.pictures)) {
  test(`${name} and its picture show the same tables`, async () => {
    const [live, still] = [new Set(), new Set()];
    for (const { state, tables } of cases) {
      const { el } = await drawn(name, state);
      for (const { caption } of tables) still.add(caption);
      for (const table of tablesOf(el)) {
        live.add(table.caption);
        const same = tables.find(({ caption }) => caption === table.caption);
        if (!other_form.includes(table.caption)) assert.deepEqual(table, same, table.caption);
      }
    }
    for (const caption of other_form) assert.ok(live.has(caption) || still.has(caption), caption);
    const shared = (captions) => [...captions].filter((c) => !other_form.includes(c)).sort();
    assert.deepEqual(shared(live), shared(still));
    assert.ok(shared(live).length, "at least one table stands in both");
  });

  test(`${name} has a status text, and Reset restores the first state`, async () => {
    const { state } = cases[0];
    const { el, stop } = await drawn(name, state);
    const before = tablesOf(el);
    assert.ok(el.all("p").some((p) => p.classList.has("tl-status") && p.textContent));
    const [first] = el.all("input").filter((input) => input.attributes.type === "range");
    if (!first) return stop();
    const { min, max } = first.attributes;
    first.value = Number(first.value) === Number(max) ? min : max;
    first.dispatch("input");
    await settle(el);
    assert.notDeepEqual(tablesOf(el), before);
    for (const button of el.all("button"))
      if (button.textContent === "Reset") button.dispatch("click");
    await settle(el);
    assert.deepEqual(tablesOf(el), before);
    return stop();
  });
}
