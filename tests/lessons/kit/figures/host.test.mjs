// host.js and the page's scripts without a browser: the model that a figure gets, and loading.
// fake_page.mjs stands in for the page; tests/book has the real one.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import vm from "node:vm";
import { gzipSync } from "node:zlib";

import ts from "typescript";

import { asset } from "#lessons/kit/figures/assets.js";
import { assign, connect } from "#lessons/kit/figures/kit.js";
import { fixtures } from "./compare.mjs";
import { pageWith } from "./fake_page.mjs";

/** The models that figures of these states get. */
function models(...states) {
  const page = pageWith(states.map((state) => ({ state })));
  const found = [];
  page.figures.define("any", { render: ({ model }) => void found.push(model) });
  return found;
}

test("one script can use what another one shares", () => {
  const { figures } = pageWith([]);
  figures.share("figures-kit", { one: 1 });
  assert.deepEqual({ ...figures.use("figures-kit") }, { one: 1 });
  assert.equal(figures.use("other"), undefined);
});

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
  const stop = connect(model, ["x", "y"], () => {
    drawn += 1;
  });
  assert.equal(drawn, 1);
  assign(model, "x", 2);
  assign(model, "y", 2);
  assert.equal(drawn, 3);
  stop();
  assign(model, "x", 3);
  assert.equal(drawn, 3);
});

test("a figure mounts once: when it comes near the screen, or when the browser has time", () => {
  const page = pageWith([{}, {}, {}], { busy: true });
  let drawn = 0;
  page.figures.define("any", {
    render: () => {
      drawn += 1;
    },
  });
  const mounted = () => page.hosts.map((host) => host.mounted);
  assert.deepEqual(mounted(), [false, false, false]);
  page.see(page.hosts[1], false);
  page.see(page.hosts[2]);
  assert.deepEqual(mounted(), [false, false, true]);
  page.rest();
  page.see(page.hosts[0]);
  assert.deepEqual(mounted(), [true, true, true]);
  assert.equal(drawn, 3);
});

test("a figure with assets does not mount because the browser has time", () => {
  const { page, hosts } = pageOfModels(1, { busy: true });
  page.rest();
  assert.ok(!hosts[0].mounted && page.scripts.length === 0);
});

const BYTES = Uint8Array.from({ length: 1000 }, (_, i) => (i * i) % 256);
const PACKED = gzipSync(BYTES).toString("base64");
const MODEL = { name: "model", key: "0a1b", bytes: 301_234 };

/** A page of figures that need the model; each puts what it got into `got`. */
function pageOfModels(count, options) {
  const page = pageWith(Array(count).fill({ state: { x: 1 }, assets: [MODEL] }), options);
  const got = [];
  page.figures.define("any", { render: ({ model }) => void got.push(model) });
  return { page, got, hosts: page.hosts };
}

/** Let the last script arrive, with the model or with what came instead. */
async function arrive(page, packed = PACKED) {
  if (packed) page.figures.bring(MODEL.key, packed);
  page.scripts.at(-1).onload();
  await page.settle();
}

test("an asset loads only when its figure is near the screen, and arrives as bytes", async () => {
  const { page, got, hosts } = pageOfModels(1);
  const [host] = hosts;
  page.see(host, false);
  assert.equal(page.scripts.length, 0);
  assert.deepEqual([host.words, host.notice.children[0].attributes.role], ["", "status"]);
  assert.match(page.watches[0].options.rootMargin, /^[1-9]\d*%/);

  page.see(host);
  assert.equal(page.scripts[0].src, "https://book.test/_static/figures/assets/0a1b.js");
  assert.equal(host.words, "Loading the model, 0.3 MB …");
  assert.ok(!host.mounted && !got.length);

  await arrive(page);
  assert.ok(host.mounted);
  assert.equal(host.words, "The figure is ready.");
  assert.deepEqual(new Uint8Array(asset(got[0], "model")), BYTES);
  assert.equal(got[0].get("x"), 1);
  assert.equal(page.document.activeElement, undefined);
});

test("an asset in the middle of a message is copied to an aligned buffer of its own", () => {
  const message = Uint8Array.from([9, 0, 0, 128, 63, 0, 0, 0, 64, 9]).buffer;
  const view = new DataView(message, 1, 8);
  const [model] = models({ assets: {} });
  model.set("assets", { model: view });
  assert.deepEqual([...new Float32Array(asset(model, "model"))], [1, 2]);
});

test("figures that share an asset load it once, even if one mounts later", async () => {
  const { page, hosts } = pageOfModels(3);
  page.see(hosts[0]);
  page.see(hosts[1]);
  await arrive(page);
  page.see(hosts[2]);
  await page.settle();
  assert.deepEqual(
    hosts.map((host) => host.mounted),
    [true, true, true],
  );
  assert.equal(page.scripts.length, 1);
  assert.equal(page.watches.length, 0);
});

const FAILURES = {
  "does not come": {
    fail: (page) => page.scripts.at(-1).onerror(),
    error: /0a1b\.js did not load/,
  },
  "brings nothing": { fail: (page) => arrive(page, ""), error: /0a1b\.js is damaged/ },
  "is cut off": { fail: (page) => arrive(page, PACKED.slice(0, 200)), error: /is damaged/ },
  "is not gzip": { fail: (page) => arrive(page, "AAAA"), error: /is damaged/ },
};

for (const [what, { fail, error }] of Object.entries(FAILURES))
  test(`an asset that ${what} is reported, and a retry can succeed`, async () => {
    const { page, hosts } = pageOfModels(2);
    hosts.forEach((host) => page.see(host));
    await fail(page);
    await page.settle();
    for (const host of hosts) {
      assert.match(host.words, /^Could not load the model\./);
      assert.ok(!host.mounted && host.button);
    }
    assert.equal(page.errors.length, 2);
    page.errors.forEach((found) => assert.match(found, error));

    const [host] = hosts;
    const button = host.button;
    button.focus();
    button.onclick();
    assert.equal(host.button, undefined);
    assert.equal(host.words, "Loading the model, 0.3 MB …");
    assert.equal(page.document.activeElement, host.notice);
    await fail(page);
    await page.settle();
    assert.equal(page.document.activeElement, host.button);

    host.button.onclick();
    await arrive(page);
    assert.ok(host.mounted);
    assert.equal(page.document.activeElement, host.children.at(-1));
    assert.equal(page.scripts.length, 3);

    hosts[1].button.onclick();
    await page.settle();
    assert.ok(hosts[1].mounted);
    assert.equal(page.scripts.length, 3);
  });

const BREAKS = {
  "at once": () => {
    throw new Error("no such number");
  },
  later: () => Promise.reject(new Error("no such number")),
};

for (const [when, breaks] of Object.entries(BREAKS))
  test(`a figure that fails ${when} keeps its picture and does not affect others`, async () => {
    const page = pageWith([{ state: { bad: true } }, {}]);
    let broken = true;
    page.figures.define("any", {
      render: ({ model }) => (model.get("bad") && broken ? breaks() : undefined),
    });
    await page.settle();
    const [bad, good] = page.hosts;
    assert.ok(!bad.mounted && good.mounted);
    assert.match(bad.words, /^Could not start this figure\./);
    assert.deepEqual(page.errors, ["no such number"]);
    broken = false;
    bad.button.onclick();
    await page.settle();
    assert.ok(bad.mounted);
  });

for (const [name, script] of Object.entries(fixtures.scripts)) {
  test(`the page script of ${name} registers one figure and leaves no global name`, () => {
    const defined = [];
    const kit = new Map();
    const page = vm.createContext({
      livingFigures: {
        define: (...figure) => defined.push(figure),
        share: (key, exports) => kit.set(key, exports),
        use: (key) => kit.get(key),
      },
    });
    for (const part of [...fixtures.kit, script]) vm.runInContext(part, page);
    assert.deepEqual(
      defined.map(([key, figure]) => [key, typeof figure.render]),
      [[name, "function"]],
    );
    assert.deepEqual(Object.keys(page), ["livingFigures"]);
  });
}

for (const [name, module] of Object.entries(fixtures.modules)) {
  test(`the module of ${name} loads from text alone, as Jupyter loads it`, async () => {
    const loaded = await import(`data:text/javascript;charset=utf-8,${encodeURIComponent(module)}`);
    assert.equal(typeof loaded.default.render, "function");
  });
}

test("no script of a page lost more than comments, types and indents", () => {
  const compilerOptions = { removeComments: true, target: ts.ScriptTarget.ESNext };
  const plain = (text) => ts.transpileModule(text, { compilerOptions }).outputText;
  for (const [path, bare] of Object.entries(fixtures.bare)) {
    assert.equal(plain(bare), plain(readFileSync(path, "utf8")), path);
  }
});
