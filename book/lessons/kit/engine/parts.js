// @ts-check
// The parts of a Transformer. Each has its forward and its backward step next to each other:
// backward takes dL/dy, the gradient of the loss for the output, adds to the gradients of the
// weights, and returns dL/dx. A part keeps what its backward step needs from the last forward step.
//
// Shapes: B sequences of T tokens, B·T rows; D the width of a token; H heads of width K.

import { clear, matrix, part, product, top, transposed, view } from "./matrix.js";

/** @typedef {import("./matrix.js").Matrix} Matrix */
/** @typedef {import("./matrix.js").Memory} Memory */
/** @typedef {{value: Matrix, gradient: Matrix}} Weight */
/** @typedef {{batch: number, length: number}} Shape B and T of the sequences that come in */
/**
 * @typedef {object} Part
 * @property {Record<string, Weight>} weights
 * @property {(x: Matrix, shape: Shape) => Matrix} forward
 * @property {(dy: Matrix) => Matrix} backward
 */

/** A matrix to learn, and its gradient. @param {Memory} memory @param {number} rows @param {number} columns @returns {Weight} */
export function weight(memory, rows, columns) {
  return { value: matrix(memory, rows, columns), gradient: matrix(memory, rows, columns) };
}

/** The same weights, named as those of a part with this name. @param {string} name @param {Record<string, Weight>} weights */
export const under = (name, weights) =>
  Object.fromEntries(Object.entries(weights).map(([own, weight]) => [`${name}.${own}`, weight]));

/**
 * The linear layer, y = x Wᵀ + b.
 * @param {Memory} memory @param {number} rows @param {number} from @param {number} to @param {boolean} [withBias]
 * @returns {Part}
 */
export function linear(memory, rows, from, to, withBias = true) {
  const multiply = product(memory, from * to);
  const w = weight(memory, to, from);
  const b = withBias ? weight(memory, 1, to) : null;
  const [y, dx] = [matrix(memory, rows, to), matrix(memory, rows, from)];
  /** @type {Matrix} */
  let input;
  return {
    weights: b ? { weight: w, bias: b } : { weight: w },
    forward(x) {
      input = x;
      const out = clear(top(y, x.rows));
      if (b) for (let i = 0; i < x.rows; i += 1) out.data.set(b.value.data, i * to);
      multiply(out, x, transposed(w.value));
      return out;
    },
    // dL/dW = dyᵀ x,  dL/db = Σ dy over the rows,  dL/dx = dy W
    backward(dy) {
      multiply(w.gradient, transposed(dy), input);
      if (b) {
        const [db, dys] = [b.gradient.data, dy.data];
        for (let i = 0; i < dy.rows; i += 1) {
          for (let j = 0; j < to; j += 1) db[j] += dys[i * to + j];
        }
      }
      const out = clear(top(dx, dy.rows));
      multiply(out, dy, w.value);
      return out;
    },
  };
}

const EPSILON = 1e-5; // as in PyTorch

/**
 * Normalization of each row. Layer: y = γ x̂ + β with x̂ = (x − μ) / √(σ² + ε).
 * RMS: y = γ x̂ with x̂ = x / √(mean(x²) + ε).
 * @param {Memory} memory @param {number} rows @param {number} width @param {"layer" | "rms"} kind
 * @returns {Part}
 */
export function norm(memory, rows, width, kind) {
  const centered = kind === "layer";
  const gain = weight(memory, 1, width);
  gain.value.data.fill(1);
  const bias = centered ? weight(memory, 1, width) : null;
  const [y, dx, unit] = [0, 1, 2].map(() => matrix(memory, rows, width));
  const size = memory.zeros(rows); // √(σ² + ε) or √(mean(x²) + ε) of each row
  return {
    weights: bias ? { weight: gain, bias } : { weight: gain },
    forward(x) {
      const [gamma, beta] = [gain.value.data, bias?.value.data];
      const [xs, hats, ys] = [x.data, unit.data, y.data];
      for (let i = 0; i < x.rows; i += 1) {
        const at = i * width;
        let mean = 0;
        if (centered) for (let j = 0; j < width; j += 1) mean += xs[at + j];
        mean /= width;
        let square = 0;
        for (let j = 0; j < width; j += 1) square += (xs[at + j] - mean) ** 2;
        const root = Math.sqrt(square / width + EPSILON);
        size[i] = root;
        for (let j = 0; j < width; j += 1) {
          const hat = (xs[at + j] - mean) / root;
          hats[at + j] = hat;
          ys[at + j] = gamma[j] * hat + (beta ? beta[j] : 0);
        }
      }
      return top(y, x.rows);
    },
    // With g = γ dL/dy:  dL/dx = (g − mean(g) − x̂ mean(g x̂)) / size, for RMS without mean(g).
    backward(dy) {
      const [gamma, dGamma, dBeta] = [gain.value.data, gain.gradient.data, bias?.gradient.data];
      const [hats, dys, dxs] = [unit.data, dy.data, dx.data];
      for (let i = 0; i < dy.rows; i += 1) {
        const at = i * width;
        let [mean, along] = [0, 0];
        for (let j = 0; j < width; j += 1) {
          const g = gamma[j] * dys[at + j];
          mean += g;
          along += g * hats[at + j];
          dGamma[j] += dys[at + j] * hats[at + j];
          if (dBeta) dBeta[j] += dys[at + j];
        }
        [mean, along] = [centered ? mean / width : 0, along / width];
        for (let j = 0; j < width; j += 1) {
          const g = gamma[j] * dys[at + j];
          dxs[at + j] = (g - mean - hats[at + j] * along) / size[i];
        }
      }
      return top(dx, dy.rows);
    },
  };
}

/**
 * The feed-forward layer, y = relu(x W₁ᵀ + b₁) W₂ᵀ + b₂.
 * @param {Memory} memory @param {number} rows @param {number} width @param {number} hidden
 * @returns {Part}
 */
export function feedForward(memory, rows, width, hidden) {
  const up = linear(memory, rows, width, hidden);
  const down = linear(memory, rows, hidden, width);
  /** @type {Matrix} */
  let active;
  return {
    weights: { ...under("up", up.weights), ...under("down", down.weights) },
    forward(x, shape) {
      active = relu(up.forward(x, shape));
      return down.forward(active, shape);
    },
    backward(dy) {
      return up.backward(reluBackward(active, down.backward(dy)));
    },
  };
}

// Loops over all numbers are functions of their own: V8 keeps those optimized, but drops the code of
// a closure such as `forward` when another layer's closure calls other functions.
/** Replaces x by max(x, 0). @param {Matrix} x */
function relu(x) {
  const xs = x.data;
  for (let i = 0; i < x.rows * x.columns; i += 1) xs[i] = Math.max(xs[i], 0);
  return x;
}

/** Passes the gradient on where the input was above 0. @param {Matrix} y @param {Matrix} dy */
function reluBackward(y, dy) {
  const [ys, dys] = [y.data, dy.data];
  for (let i = 0; i < dy.rows * dy.columns; i += 1) dys[i] = ys[i] === 0 ? 0 : dys[i];
  return dy;
}

/**
 * Rotary positions: turn the pairs (j, j + K/2) of each head by position · base^(−2j/K).
 * @param {Matrix} x rows of H·K numbers, turned where they are @param {Shape} shape
 * @param {number} heads @param {number} base @param {1 | -1} direction −1 turns back
 */
export function rotate(x, { batch, length }, heads, base, direction) {
  const xs = x.data;
  const width = x.columns / heads;
  const half = width / 2;
  for (let t = 0; t < length; t += 1) {
    for (let j = 0; j < half; j += 1) {
      const angle = direction * t * base ** ((-2 * j) / width);
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      for (let b = 0; b < batch; b += 1) {
        for (let h = 0; h < heads; h += 1) {
          const at = (b * length + t) * x.columns + h * width + j;
          const [first, second] = [xs[at], xs[at + half]];
          xs[at] = first * cos - second * sin;
          xs[at + half] = first * sin + second * cos;
        }
      }
    }
  }
}

/**
 * Self-attention in H heads: Q, K and V are projections of x;
 * S = Q Kᵀ · scale, masked;  W = softmax(S);  heads = W V;  y = heads W_Oᵀ + b_O.
 * @param {Memory} memory @param {number} rows
 * @param {{width: number, heads: number, headWidth: number, length: number, causal: boolean,
 *   scaled: boolean, base: number | null}} options `base` turns rotary positions on
 * @returns {Part & {maps: Matrix}} `maps` holds the weights W of each sequence and head, T × T
 */
export function attention(memory, rows, options) {
  const { width, heads, headWidth, length: longest, causal, scaled, base } = options;
  const multiply = product(memory, longest * headWidth);
  const inner = heads * headWidth;
  const [toQuery, toKey, toValue] = [0, 1, 2].map(() => linear(memory, rows, width, inner));
  const toOutput = linear(memory, rows, inner, width);
  const scale = scaled ? 1 / Math.sqrt(headWidth) : 1;
  const maps = matrix(memory, rows * heads, longest);
  const joined = matrix(memory, rows, inner);
  const [dQ, dK, dV, dx] = [inner, inner, inner, width].map((n) => matrix(memory, rows, n));
  const dW = matrix(memory, longest, longest);
  /** @type {Matrix} */ let q;
  /** @type {Matrix} */ let k;
  /** @type {Matrix} */ let v;
  /** @type {Shape} */ let shape;

  /** Calls `use` with the rows and columns of each head of each sequence. @param {(of: (m: Matrix) => Matrix, map: Matrix) => void} use */
  function eachHead(use) {
    const { batch, length } = shape;
    for (let b = 0; b < batch; b += 1) {
      for (let h = 0; h < heads; h += 1) {
        const of = (/** @type {Matrix} */ m) =>
          part(m, b * length, h * headWidth, length, headWidth);
        const at = (b * heads + h) * length * length;
        use(of, view(maps.data, at, length, length));
      }
    }
  }

  return {
    maps,
    weights: {
      ...under("q_proj", toQuery.weights),
      ...under("k_proj", toKey.weights),
      ...under("v_proj", toValue.weights),
      ...under("out_proj", toOutput.weights),
    },
    forward(x, now) {
      shape = now;
      [q, k, v] = [toQuery, toKey, toValue].map((project) => project.forward(x, now));
      if (base !== null) for (const m of [q, k]) rotate(m, now, heads, base, 1);
      const all = clear(top(joined, x.rows));
      eachHead((of, map) => {
        multiply(clear(map), of(q), transposed(of(k)));
        softmax(map, scale, causal);
        multiply(of(all), map, of(v));
      });
      return toOutput.forward(all, now);
    },
    // dV = Wᵀ dheads,  dW = dheads Vᵀ,  dS = W (dW − Σⱼ Wⱼ dWⱼ),  dQ = dS K · scale,  dK = dSᵀ Q · scale
    backward(dy) {
      const d = toOutput.backward(dy);
      const [dq, dk, dv] = [dQ, dK, dV].map((m) => clear(top(m, dy.rows)));
      eachHead((of, map) => {
        multiply(of(dv), transposed(map), of(d));
        const dMap = clear(view(dW.data, 0, map.rows, map.rows));
        multiply(dMap, of(d), transposed(of(v)));
        softmaxBackward(map, dMap, scale);
        multiply(of(dq), dMap, of(k));
        multiply(of(dk), transposed(dMap), of(q));
      });
      if (base !== null) for (const m of [dq, dk]) rotate(m, shape, heads, base, -1);
      const out = clear(top(dx, dy.rows));
      const ways = [toQuery.backward(dq), toKey.backward(dk), toValue.backward(dv)];
      for (const way of ways) add(out, way);
      return out;
    },
  };
}

/** Replaces scores by softmax(scores · scale), row by row; causal: up to the diagonal. @param {Matrix} m @param {number} scale @param {boolean} causal */
export function softmax(m, scale, causal) {
  const s = m.data;
  for (let i = 0; i < m.rows; i += 1) {
    const at = m.at + i * m.down;
    const count = causal ? i + 1 : m.columns;
    let largest = -Infinity;
    for (let j = 0; j < count; j += 1) largest = Math.max(largest, s[at + j] * scale);
    let sum = 0;
    for (let j = 0; j < count; j += 1) {
      const power = Math.exp(s[at + j] * scale - largest);
      s[at + j] = power;
      sum += power;
    }
    for (let j = 0; j < count; j += 1) s[at + j] /= sum;
    s.fill(0, at + count, at + m.columns);
  }
}

/** Replaces dL/dW by dL/dscores = W (dW − Σⱼ Wⱼ dWⱼ) · scale. @param {Matrix} w @param {Matrix} d @param {number} scale */
function softmaxBackward(w, d, scale) {
  const [ws, ds] = [w.data, d.data];
  for (let i = 0; i < w.rows; i += 1) {
    const [at, to] = [w.at + i * w.down, d.at + i * d.down];
    let mean = 0;
    for (let j = 0; j < w.columns; j += 1) mean += ws[at + j] * ds[to + j];
    for (let j = 0; j < w.columns; j += 1) {
      ds[to + j] = ws[at + j] * (ds[to + j] - mean) * scale;
    }
  }
}

/** y ← y + x. @param {Matrix} y @param {Matrix} x */
function add(y, x) {
  const [ys, xs] = [y.data, x.data];
  for (let i = 0; i < x.rows * x.columns; i += 1) ys[i] += xs[i];
}

/**
 * A residual connection around a part f. Pre-norm: y = x + f(Norm(x)). Post-norm: y = Norm(x + f(x)).
 * Without the residual, "x +" is missing; without a norm, "Norm" is.
 * @param {Memory} memory @param {number} rows @param {number} width @param {Part} inside
 * @param {{norm: Part | null, place: "pre" | "post", carries: boolean}} options
 * @returns {Part}
 */
export function residual(memory, rows, width, inside, { norm, place, carries }) {
  const [before, after] = place === "pre" ? [norm, null] : [null, norm];
  const [y, dx] = [matrix(memory, rows, width), matrix(memory, rows, width)];
  /** The sum of a and b, or b alone. @param {Matrix} into @param {Matrix} a @param {Matrix} b */
  const join = (into, a, b) => {
    if (!carries) return b;
    const [sums, as, bs] = [into.data, a.data, b.data];
    for (let i = 0; i < a.rows * width; i += 1) sums[i] = as[i] + bs[i];
    return top(into, a.rows);
  };
  return {
    weights: norm ? under("norm", norm.weights) : {},
    forward(x, shape) {
      const added = inside.forward(before ? before.forward(x, shape) : x, shape);
      const sum = join(y, x, added);
      return after ? after.forward(sum, shape) : sum;
    },
    backward(dy) {
      const d = after ? after.backward(dy) : dy;
      const inner = inside.backward(d);
      return join(dx, d, before ? before.backward(inner) : inner);
    },
  };
}

/**
 * Embedding: row i is E[idᵢ] · √D, plus the row of its position if positions are added.
 * @param {Memory} memory @param {number} rows
 * @param {{vocabulary: number, width: number, length: number, positions: string}} options
 */
export function embedding(memory, rows, { vocabulary, width, length, positions }) {
  const table = weight(memory, vocabulary, width);
  const learned = positions === "learned" ? weight(memory, length, width) : null;
  const places = learned
    ? learned.value
    : positions === "sinusoidal"
      ? sines(memory, length, width)
      : null;
  const y = matrix(memory, rows, width);
  const root = Math.sqrt(width);
  /** @type {ArrayLike<number>} */ let ids;
  /** @type {Shape} */ let shape;
  return {
    weights: {
      "table.weight": table,
      ...(learned ? { "positions.table": learned } : {}),
    },
    /** @param {ArrayLike<number>} now @param {Shape} size @returns {Matrix} */
    forward(now, size) {
      [ids, shape] = [now, size];
      for (let i = 0; i < ids.length; i += 1) {
        const [from, place] = [ids[i] * width, (i % shape.length) * width];
        for (let j = 0; j < width; j += 1) {
          const position = places ? places.data[place + j] : 0;
          y.data[i * width + j] = table.value.data[from + j] * root + position;
        }
      }
      return top(y, ids.length);
    },
    /** @param {Matrix} dy */
    backward(dy) {
      for (let i = 0; i < ids.length; i += 1) {
        const [to, place] = [ids[i] * width, (i % shape.length) * width];
        for (let j = 0; j < width; j += 1) {
          const d = dy.data[i * width + j];
          table.gradient.data[to + j] += d * root;
          if (learned) learned.gradient.data[place + j] += d;
        }
      }
    },
  };
}

/** The sinusoidal table: sin and cos of position / 10000^(2i/D). @param {Memory} memory @param {number} length @param {number} width */
function sines(memory, length, width) {
  const table = matrix(memory, length, width);
  for (let t = 0; t < length; t += 1) {
    for (let j = 0; j < width; j += 1) {
      const angle = t * 10000 ** (-(j - (j % 2)) / width);
      table.data[t * width + j] = j % 2 ? Math.cos(angle) : Math.sin(angle);
    }
  }
  return table;
}

/**
 * Cross-entropy: the mean of −log p(target) over the tokens that count.
 * @param {Memory} memory @param {number} rows @param {number} vocabulary
 */
export function crossEntropy(memory, rows, vocabulary) {
  const p = matrix(memory, rows, vocabulary);
  /** @type {ArrayLike<number>} */ let targets;
  /** @type {ArrayLike<number>} */ let counted;
  let count = 0;
  return {
    /** @param {Matrix} logits @param {ArrayLike<number>} now @param {ArrayLike<number>} which 1 for tokens that count, else 0 */
    forward(logits, now, which) {
      [targets, counted, count] = [now, which, 0];
      const out = top(p, logits.rows);
      out.data.set(logits.data.subarray(0, logits.rows * vocabulary));
      softmax(out, 1, false);
      let loss = 0;
      for (let i = 0; i < logits.rows; i += 1) {
        if (!counted[i]) continue;
        count += 1;
        // From the logits, because the logarithm of a probability of 0 would be −∞.
        loss += logSumExp(logits, i) - logits.data[i * vocabulary + targets[i]];
      }
      return loss / count;
    },
    /** dL/dlogits = (p − 1 at the target) / count, in the place of p. */
    backward() {
      const d = top(p, targets.length);
      for (let i = 0; i < targets.length; i += 1) {
        const at = i * vocabulary;
        if (counted[i]) d.data[at + targets[i]] -= 1;
        const factor = counted[i] ? 1 / count : 0;
        for (let j = 0; j < vocabulary; j += 1) d.data[at + j] *= factor;
      }
      return d;
    },
  };
}

/** log Σⱼ exp(logitsᵢⱼ). @param {Matrix} logits @param {number} i */
function logSumExp(logits, i) {
  const row = logits.data.subarray(i * logits.columns, (i + 1) * logits.columns);
  let largest = -Infinity;
  for (const x of row) largest = Math.max(largest, x);
  let sum = 0;
  for (const x of row) sum += Math.exp(x - largest);
  return largest + Math.log(sum);
}
