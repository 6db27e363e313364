"""Build a decoder layer: self-attention, cross-attention and feed-forward layer, each added."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import layer_norm

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.outcome import TensorFunction
from transformer_lite.layers.attention import attention_steps
from transformer_lite.layers.masks import look_ahead_mask

_normal = normal_numbers("decoder.decoder_layer")
_Attend = Callable[[Tensor, Tensor, Tensor, Tensor | None], Tensor]


def _norm(x: Tensor) -> Tensor:
    return layer_norm(x, x.shape[-1:])


def _attend(x: Tensor, source: Tensor, weights: Tensor, mask: Tensor | None) -> Tensor:
    w_q, w_k, w_v = weights
    return attention_steps(x @ w_q, source @ w_k, source @ w_v, mask).output


def _unscaled(x: Tensor, source: Tensor, weights: Tensor, mask: Tensor | None) -> Tensor:
    w_q, w_k, w_v = weights
    return attention_steps(x @ w_q * w_q.shape[1] ** 0.5, source @ w_k, source @ w_v, mask).output


def _layer(
    causal: bool = True,
    reads_pads: bool = False,
    attend: _Attend = _attend,
    source_of: Callable[[Tensor, Tensor, Tensor], Tensor] = lambda x, x_0, memory: memory,
    asks: Callable[[Tensor, Tensor], Tensor] = lambda x, x_0: x,
    residuals: tuple[bool, bool, bool] = (True, True, True),
    across_first: bool = False,
    post_norm: bool = False,
    no_norm: bool = False,
    relu: bool = True,
    swapped: bool = False,
) -> TensorFunction:
    """Return a decoder layer, right or wrong in one part."""

    def layer(
        x: Tensor,
        memory: Tensor,
        real: Tensor,
        back: Tensor,
        across: Tensor,
        up: Tensor,
        down: Tensor,
    ) -> Tensor:
        given = x
        if swapped:
            back, across = across, back
        before = _same if post_norm or no_norm else _norm
        after = _norm if post_norm else _same
        mask = look_ahead_mask(x.shape[1]) if causal else None
        pads = None if reads_pads else real[:, None, :]

        def look_back(x: Tensor) -> Tensor:
            return attend(before(x), before(x), back, mask)

        def look_across(x: Tensor) -> Tensor:
            source = source_of(before(x), before(given), memory)
            return attend(before(asks(x, given)), source, across, _fitting(pads, source))

        def alone(x: Tensor) -> Tensor:
            hidden = before(x) @ up
            return (hidden.relu() if relu else hidden) @ down

        parts = [look_back, look_across, alone]
        if across_first:
            parts = [look_across, look_back, alone]
        for part, is_added in zip(parts, residuals, strict=True):
            x = after(x + part(x) if is_added else part(x))
        return x

    return layer


def _same(x: Tensor) -> Tensor:
    return x


def _fitting(mask: Tensor | None, source: Tensor) -> Tensor | None:
    """Return the mask if it has a column for each token of the source."""
    return mask if mask is not None and mask.shape[-1] == source.shape[1] else None


def _random(
    name: str, b: int, t: int, s: int, d: int, f: int, dtype: torch.dtype = torch.float64
) -> Case:
    real = torch.ones(b, s, dtype=torch.bool)
    for row in range(b):
        real[row, max(1, s - row) :] = False
    inputs = {
        "x": _normal(b, t, d, dtype=dtype),
        "memory": _normal(b, s, d, dtype=dtype),
        "real": real,
        "back": _normal(3, d, d, dtype=dtype),
        "across": _normal(3, d, d, dtype=dtype),
        "up": _normal(d, f, dtype=dtype),
        "down": _normal(f, d, dtype=dtype),
    }
    return Case(name, inputs)


def _cases() -> tuple[Case, ...]:
    return (
        _random("B=2, T=3, S=4, D=4, F=8", 2, 3, 4, 4, 8),
        _random(
            "one sentence, more target than source tokens: B=1, T=5, S=2, D=4, F=6", 1, 5, 2, 4, 6
        ),
        _random("as many target as source tokens: B=3, T=4, S=4, D=6, F=5", 3, 4, 4, 6, 5),
        _random("one target token: B=2, T=1, S=3, D=4, F=4", 2, 1, 3, 4, 4),
        _random("width 1: B=2, T=3, S=2, D=1, F=4", 2, 3, 2, 1, 4),
        _random("float32, B=3, T=2, S=5, D=8, F=3", 3, 2, 5, 8, 3, torch.float32),
    )


_MISTAKES = mistakes(
    _layer(causal=False),
    "The self-attention has no look-ahead mask: each token attends to the tokens after it.",
    _layer(reads_pads=True),
    "The cross-attention attends to the padding of the source: real is not used there.",
    _layer(source_of=lambda x, x_0, memory: x),
    "The cross-attention computes keys and values from x. Compute them from memory.",
    _layer(source_of=lambda x, x_0, memory: _norm(memory)),
    "Your layer normalizes memory. Use it as it is, and normalize only x.",
    _layer(asks=lambda x, x_0: x_0),
    "The queries of the cross-attention come from the input of the layer. Compute them from the "
    "sum after the self-attention.",
    _layer(across_first=True),
    "The cross-attention comes before the self-attention. The masked self-attention is the first "
    "part.",
    _layer(residuals=(False, True, True)),
    "The output of the self-attention replaces x. Add it to x.",
    _layer(residuals=(True, False, True)),
    "The output of the cross-attention replaces x. Add it to x.",
    _layer(residuals=(True, True, False)),
    "The feed-forward layer replaces x. Add its output to x.",
    _layer(post_norm=True),
    "The norms come after the sums: that is post-norm, the paper's order. This layer is pre-norm: "
    "each part reads a normalized copy of x, and x itself is never normalized.",
    _layer(no_norm=True),
    "There is no norm. Each of the three parts reads layer_norm(x).",
    _layer(relu=False),
    "The feed-forward layer has no ReLU between its two matrices.",
    _layer(attend=_unscaled),
    "The scores are not divided by the square root of the width.",
    _layer(swapped=True),
    "You swapped the weights of the two attentions: back belongs to the self-attention, across to "
    "the cross-attention.",
)


def _head_by_hand(x: Tensor, source: Tensor, weights: Tensor, hidden: Tensor) -> Tensor:
    query, key, value = x @ weights[0], source @ weights[1], source @ weights[2]
    scores = query @ key.mT / key.shape[-1] ** 0.5
    return scores.masked_fill(hidden, -torch.inf).softmax(dim=-1) @ value


def _by_hand(
    x: Tensor, memory: Tensor, real: Tensor, back: Tensor, across: Tensor, up: Tensor, down: Tensor
) -> Tensor:
    def normed(x: Tensor) -> Tensor:
        centered = x - x.mean(dim=-1, keepdim=True)
        return centered / (centered.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()

    future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
    x = x + _head_by_hand(normed(x), normed(x), back, future)
    x = x + _head_by_hand(normed(x), memory, across, ~real[:, None, :])
    return x + (normed(x) @ up).clamp(min=0) @ down


def _sentence_by_sentence(
    x: Tensor, memory: Tensor, real: Tensor, back: Tensor, across: Tensor, up: Tensor, down: Tensor
) -> Tensor:
    """Leave the padding out, one sentence after the other."""
    rows = []
    for tokens, source, keep in zip(x, memory, real, strict=True):
        part = tokens[None], source[keep][None], torch.ones(1, int(keep.sum()), dtype=torch.bool)
        rows.append(_by_hand(*part, back, across, up, down))
    return torch.cat(rows)


def _draw(draw: Draw) -> Inputs:
    b, t, s, d, f = draw.size(), draw.size(), draw.size(), draw.size(2, 6), draw.size()
    real = draw.mask(b, s)
    real[:, draw.size(0, s - 1)] = True
    weights = draw.normal(3, d, d), draw.normal(3, d, d), draw.normal(d, f), draw.normal(f, d)
    return draw.normal(b, t, d), draw.normal(b, s, d), real, *weights


decoder_layer = Exercise(
    name="decoder.decoder_layer",
    reference=_layer(),
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_hand, _sentence_by_sentence),
    draw=_draw,
    hint_texts=(
        "What does each of the three parts read, and what happens to its output? Which of them "
        "needs a mask, and which one?",
        "Write attend(x, source, weights, hidden) first. Then three lines of the form "
        "x = x + part(norm(x)). The masks have the shapes (T, T) and (B, 1, S).",
        "future = torch.ones(T, T).triu(1).bool(); n = norm(x); "
        "x = x + attend(n, n, back, future); "
        "x = x + attend(norm(x), memory, across, ~real[:, None, :]); "
        "return x + (norm(x) @ up).relu() @ down.",
    ),
    starter='''\
def decoder_layer(x, memory, real, back, across, up, down):
    """A pre-norm decoder layer with one head: (B, T, D) -> (B, T, D)."""
    ...  # self-attention, cross-attention, feed-forward: each is added to x
''',
)
