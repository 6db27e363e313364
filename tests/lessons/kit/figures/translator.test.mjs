// The engine of the page's translator: its numbers are the package's.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { randomNumbers } from "#lessons/kit/figures/kit.js";
import { drawIndex } from "#lessons/kit/figures/math.js";
import { doubtOf } from "#lessons/kit/figures/translator/doubt.js";
import { beam } from "#lessons/kit/figures/translator/beam.js";
import { encode } from "#lessons/kit/figures/translator/encoder.js";
import { fork, start, step } from "#lessons/kit/figures/translator/machine.js";
import { drawing, finished, highest, written } from "#lessons/kit/figures/translator/search.js";
import { readModel } from "#lessons/kit/figures/translator/weights.js";
import { sourceOf, textOf, tokenize } from "#lessons/kit/figures/translator/words.js";
import { close, fixtures } from "./compare.mjs";

const { file, passes, searches, texts, trained } = fixtures.translator_engine;
const bytes = Uint8Array.from(Buffer.from(file, "base64")).buffer;
const model = readModel(bytes);

/** A whole search, by what chooses its words. */
const searched = (translator, ids, choose, options = {}) =>
  finished(written(translator, encode(translator, ids, options), choose, options));
const greedy = (translator, ids, options) => searched(translator, ids, highest, options);
const rows = (tokens) => tokens.map((token) => [...token]);

/** A target taken in word by word: all that `passes` expects. */
function taken({ source, target, options }) {
  const encoded = encode(model, source, options);
  const state = start(model, encoded, options);
  const steps = target.map((id) => step(model, state, id, options));
  const last = steps.at(-1);
  const causal = options.causal ?? true;
  const all = causal ? steps : undefined;
  return { encoded, steps, last, all };
}

/** Rows of the decoder's own weights, [head][query][key], with 0 where the mask forbids. */
function ownWeights(steps, layer) {
  const last = steps.at(-1).layers[layer];
  const looks = last.selfRows.length > 1 ? last.selfRows : steps.map((s) => s.layers[layer].self);
  const filled = (row) => Array.from({ length: steps.length }, (_, j) => row[j] ?? 0);
  return last.self.map((_, head) => looks.map((look) => filled(look[head])));
}

test("a whole pass equals the package's, with every ablation", () => {
  for (const { source, target, options, expected } of passes) {
    const { encoded, steps, last, all } = taken({ source, target, options });
    close(rows(encoded.memory), expected.memory);
    close(
      encoded.layers.map((layer) => layer.weights),
      expected.encoder,
    );
    close([...last.logits], expected.logits.at(-1));
    const lastOnly = (weights) => weights.map((layer) => layer.map((head) => [head.at(-1)]));
    const cross = last.layers.map((layer) => layer.cross.map((row) => [row]));
    close(cross, lastOnly(expected.cross));
    close(
      last.layers.map((_, layer) => ownWeights(steps, layer)),
      expected.self,
    );
    all?.forEach(({ logits }, i) => close([...logits], expected.logits[i]));
  }
});

test("greedy search finds the package's words", () => {
  for (const { source, options, greedy: expected } of searches)
    assert.deepEqual(greedy(model, source, options).ids, expected);
});

test("beam search finds the package's beams, scores and tree", () => {
  for (const { source, width, alpha, options, expected } of searches) {
    const search = beam(model, source, width, alpha, options);
    const brief = ({ id, logProb, score }) => [id, logProb, score];
    const tree = search.tree.map(({ weighed, kept }) => ({
      weighed: weighed.map((row) => row.map(brief)),
      kept: kept.map(brief),
      parents: kept.map(({ parent }) => parent),
    }));
    close(
      {
        found: search.found.map(({ ids }) => ids),
        logProbs: search.found.map(({ logProb }) => logProb),
        scores: search.found.map(({ score }) => score),
        tree,
      },
      expected,
    );
    assert.deepEqual(search.ids, search.found[0].ids);
  }
});

test("two decodings forked from one state do not affect each other", () => {
  const encoded = encode(model, [5, 9, 2]);
  for (const options of [{}, { causal: false }]) {
    const straight = (...ids) => {
      const state = start(model, encoded, options);
      return ids.map((id) => step(model, state, id, options)).at(-1)?.logits;
    };
    const first = start(model, encoded, options);
    step(model, first, 1, options);
    const second = fork(first);
    step(model, first, 7, options);
    assert.deepEqual(step(model, second, 8, options).logits, straight(1, 8));
    assert.deepEqual(step(model, first, 9, options).logits, straight(1, 7, 9));
  }
});

test("sampling follows the probabilities and repeats with the same seed", () => {
  const drawn = Array.from({ length: 8 }, (_, i) => drawIndex([0, 0.5, 0.25, 0.25], i / 8));
  assert.deepEqual(drawn, [1, 1, 1, 1, 2, 2, 3, 3]);
  assert.equal(drawIndex([0, 0.6, 0.3], 0.95), 1);
  const options = { most: 12, temperature: 3 };
  const texts = [1, 1, 2].map((seed) =>
    searched(model, [5, 9, 2], drawing(seed, options.temperature), options).ids.join(),
  );
  assert.equal(texts[0], texts[1]);
  assert.notEqual(texts[0], texts[2]);
  const next = randomNumbers(7);
  const numbers = Array.from({ length: 4000 }, next);
  assert.ok(numbers.every((x) => x >= 0 && x < 1));
  assert.ok(Math.abs(numbers.reduce((a, b) => a + b) / 4000 - 0.5) < 0.02);
});

test("odd texts become the package's words and ids, and ids its text", () => {
  for (const { text, expected } of texts) {
    const { pieces, ids, unknown } = tokenize(model, text);
    close({ pieces, ids, text: textOf(model, ids) }, expected, JSON.stringify(text.slice(0, 80)));
    assert.deepEqual(
      unknown,
      ids.map((id) => model.tokens[id] === "<unk>"),
    );
  }
});

test("the trained translator has the package's logits", () => {
  const model = readModel(new Uint8Array(readFileSync(trained.path)).buffer);
  for (const { source, target, expected } of trained.logits) {
    const state = start(model, encode(model, sourceOf(model, source).ids));
    target.forEach((id, i) => {
      const { logits } = step(model, state, id);
      logits.forEach((x, k) => {
        assert.ok(Math.abs(x - expected[i][k]) < 1e-4, `${source}: ${x}, ${expected[i][k]}`);
      });
    });
  }
});

/** What a translator with a rule says. */
const sure = (/** @type {any} */ one, /** @type {any} */ written) =>
  /** @type {import("#lessons/kit/figures/translator/doubt.js").Doubt} */ (doubtOf(one, written));

test("it doubts the same sentences as the package, with the same values", () => {
  const shipped = readModel(new Uint8Array(readFileSync(trained.path)).buffer);
  assert.ok(shipped.doubt);
  const seen = new Set();
  for (const [text, expected] of trained.doubts) {
    const doubt = sure(shipped, greedy(shipped, sourceOf(shipped, text).ids));
    seen.add(doubt.isDoubtful);
    assert.equal(doubt.isDoubtful, expected.is_doubtful, text);
    assert.equal(doubt.word, expected.word, text);
    // The package computes with 32 bits, the page with 64.
    assert.ok(Math.abs(doubt.value - expected.value) < 1e-4, text);
    assert.ok(Math.abs(doubt.share - expected.probability) < 1e-4, text);
  }
  assert.equal(seen.size, 2);
});
