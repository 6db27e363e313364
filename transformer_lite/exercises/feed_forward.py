"""Chapter 15, the feed-forward layer: unit by unit, as a convolution, and in its block."""

import torch
import torch.nn.functional as F

from transformer_lite.exercises._exercise import Case, Exercise, Mistake
from transformer_lite.exercises._properties import GRADIENT
from transformer_lite.exercises._random import normal_numbers
from transformer_lite.norms import layer_norm

BUG_HUNTS = ("by_convolution",)

_double = torch.float64
_normal = normal_numbers(15)
_SENTENCE = torch.tensor([[2.0, -1], [-1, 2], [-2, -1]])
_WEIGHTS = {
    "w1": torch.tensor([[1.0, 0, -1, 1], [0, 1, 1, 1]]),
    "b1": torch.tensor([-1.0, 0, 1, 0]),
    "w2": torch.tensor([[1.0, 1], [0, 1], [-0.5, 0.5], [1, 0.5]]),
    "b2": torch.tensor([-1.0, 0.5]),
}


def _feed_forward(x, w1, b1, w2, b2):
    return torch.relu(x @ w1 + b1) @ w2 + b2


def _random_weights(width, hidden, dtype=torch.float32):
    shapes = {"w1": (width, hidden), "b1": (hidden,), "w2": (hidden, width), "b2": (width,)}
    return {name: _normal(*shape, dtype=dtype) for name, shape in shapes.items()}


# Unit by unit


def _contributions(x, w1, b1, w2):
    return torch.relu(x @ w1 + b1)[..., None] * w2


def _contribution_case(name, length, width, hidden, dtype=torch.float32):
    weights = _random_weights(width, hidden, dtype)
    del weights["b2"]
    return Case(name, {"x": _normal(length, width, dtype=dtype), **weights})


_CONTRIBUTION_CASES = (
    Case(
        "Je suis étudiant, by hand",
        {"x": _SENTENCE, **{name: _WEIGHTS[name] for name in ("w1", "b1", "w2")}},
    ),
    _contribution_case("T=4, D=3, M=5", 4, 3, 5),
    _contribution_case("T=2, D=5, M=7, in float64", 2, 5, 7, _double),
    _contribution_case("one token, D=3, M=2", 1, 3, 2),
)


_CONTRIBUTION_MISTAKES = (
    Mistake(
        lambda x, w1, b1, w2: (x @ w1 + b1)[..., None] * w2,
        "The ReLU is missing: units that hold negative numbers add something too. A unit that is "
        "off passes nothing.",
    ),
    Mistake(
        lambda x, w1, b1, w2: torch.relu((x @ w1 + b1)[..., None] * w2),
        "The ReLU comes after the second map. It then cuts off the negative weights of units that "
        "are on, and two minus signs let a unit through that is off.",
    ),
    Mistake(
        lambda x, w1, b1, w2: torch.relu(x @ w1)[..., None] * w2,
        "The bias b1 is not added. It decides from where on a unit is on.",
    ),
    Mistake(
        lambda x, w1, b1, w2: (torch.relu(x @ w1) + b1)[..., None] * w2,
        "The bias b1 is added after the ReLU. It belongs before it: it shifts the point at which "
        "the unit switches on.",
    ),
    Mistake(
        lambda x, w1, b1, w2: torch.relu(x @ w1 + b1) @ w2,
        "The contributions are summed over the units already. Keep one row for each unit: the "
        "shape is (T, M, D).",
    ),
    Mistake(
        lambda x, w1, b1, w2: torch.relu(x @ w1 + b1)[:, None, :] * w2.mT,
        "The last two axes are the wrong way round. Each unit owns a row of w2: units come "
        "before features, (T, M, D).",
    ),
    Mistake(
        lambda x, w1, b1, w2: (x @ w1 + b1).softmax(dim=-1)[..., None] * w2,
        "A softmax makes the units share out a whole 1. In this layer each unit is cut off at 0 "
        "by itself.",
    ),
    Mistake(
        lambda x, w1, b1, w2: (x @ w1 + b1 > 0)[..., None] * w2,
        "Each unit that is on adds its row of w2 just once. It should add the row times what the "
        "unit holds.",
    ),
    Mistake(
        lambda x, w1, b1, w2: F.gelu(x @ w1 + b1)[..., None] * w2,
        "This is a GELU. It lets a little through below 0; the ReLU of this exercise does not.",
    ),
    Mistake(
        lambda x, w1, b1, w2: _contributions(x, w1, b1, w2).detach(),
        "The numbers are right, but detach has cut them off from the weights, and nothing can be "
        "trained through them.",
    ),
)


def _contributions_by_einsum(x, w1, b1, w2):
    return torch.einsum("tm,md->tmd", (x @ w1 + b1).clamp(min=0), w2)


def _contributions_unit_by_unit(x, w1, b1, w2):
    units = [torch.outer(F.relu(x @ w1[:, m] + b1[m]), w2[m]) for m in range(len(w2))]
    return torch.stack(units, dim=1)


contributions = Exercise(
    name="feed_forward.contributions",
    reference=_contributions,
    cases=_CONTRIBUTION_CASES,
    mistakes=_CONTRIBUTION_MISTAKES,
    right_answers=(_contributions_by_einsum, _contributions_unit_by_unit),
    hint_texts=(
        "What does unit m hold for one token, after the ReLU? And which row of w2 is its own?",
        "Compute the hidden layer, shape (T, M). Give it a last axis of size 1, so that each "
        "number multiplies a whole row of w2.",
        "hidden = torch.relu(x @ w1 + b1). Then hidden[..., None] has shape (T, M, 1), and its "
        "product with w2, shape (M, D), has shape (T, M, D).",
    ),
    starter='''\
def contributions(x, w1, b1, w2):
    """What each hidden unit adds to each token: x (T, D) -> (T, M, D)."""
    raise NotImplementedError
''',
    properties=(GRADIENT,),
)


# As a convolution


def _convolved(x, w1, b1, w2, b2):
    """The two maps over tokens that have their features first: (B, D, T) -> (B, D, T)."""
    hidden = torch.relu(torch.conv1d(x, w1.T[:, :, None], b1))
    return torch.conv1d(hidden, w2.T[:, :, None], b2)


def _token_case(name, batch, length, width, hidden, dtype=torch.float32):
    tokens = _normal(batch, length, width, dtype=dtype)
    return Case(name, {"x": tokens, **_random_weights(width, hidden, dtype)})


_CONVOLUTION_CASES = (
    Case("Je suis étudiant, by hand", {"x": _SENTENCE[None], **_WEIGHTS}),
    _token_case("B=2, T=4, D=3, M=6", 2, 4, 3, 6),
    _token_case("B=3, T=2, D=5, M=4, in float64", 3, 2, 5, 4, _double),
    _token_case("as long as wide, B=2, T=4, D=4, M=5", 2, 4, 4, 5),
)


def _reshaped_both_ways(x, *weights):
    batch, length, width = x.shape
    return _convolved(x.reshape(batch, width, length), *weights).reshape(batch, length, width)


def _reshaped_in(x, *weights):
    batch, length, width = x.shape
    return _convolved(x.reshape(batch, width, length), *weights).transpose(1, 2)


def _reshaped_out(x, *weights):
    return _convolved(x.transpose(1, 2), *weights).reshape(x.shape)


def _one_long_sentence(x, *weights):
    channels = x.transpose(0, 1).reshape(1, -1, x.shape[-1]).transpose(1, 2)
    return _convolved(channels, *weights).transpose(1, 2).reshape(x.shape)


_CONVOLUTION_MISTAKES = (
    Mistake(
        _reshaped_both_ways,
        "reshape keeps the numbers in their order and cuts them anew, so a column of channels "
        "holds numbers of different words. To swap two axes takes another operation, on the way "
        "in and on the way out.",
    ),
    Mistake(
        _reshaped_in,
        "On the way out the axes are swapped; on the way in they are still cut anew by reshape. "
        "Swap them there too.",
    ),
    Mistake(
        _reshaped_out,
        "On the way in the axes are swapped; on the way out they are still cut anew by reshape. "
        "Swap them back.",
    ),
    Mistake(
        lambda x, *weights: _convolved(x.transpose(1, 2), *weights),
        "The features still come before the positions. Swap the axes back at the end.",
    ),
    Mistake(
        _one_long_sentence,
        "The sentences are strung together word by word and cut apart sentence by sentence, so "
        "words end up in a sentence that is not theirs.",
    ),
    Mistake(
        lambda x, w1, b1, w2, b2: torch.relu((x @ w1 + b1) @ w2 + b2),
        "The ReLU stands after the second map: the output is never negative, and the two maps "
        "are one.",
    ),
    Mistake(
        lambda x, w1, b1, w2, b2: (x @ w1 + b1) @ w2 + b2,
        "There is no ReLU between the two maps.",
    ),
    Mistake(
        lambda x, w1, b1, w2, b2: torch.relu(x @ w1 + b1) @ w2,
        "The second bias is missing.",
    ),
    Mistake(
        lambda x, *weights: _feed_forward(x.mean(dim=1, keepdim=True), *weights).expand_as(x),
        "The words are averaged first. Every position goes through the layer by itself.",
    ),
)


by_convolution = Exercise(
    name="feed_forward.by_convolution",
    reference=_feed_forward,
    cases=_CONVOLUTION_CASES,
    mistakes=_CONVOLUTION_MISTAKES,
    right_answers=(
        lambda x, *weights: _convolved(x.mT, *weights).mT,
        lambda x, w1, b1, w2, b2: F.linear(F.linear(x, w1.T, b1).clamp(min=0), w2.T, b2),
    ),
    hint_texts=(
        "Print channels for Je suis étudiant. Which words do the numbers of its first column, "
        "channels[0, :, 0], come from?",
        "Both calls of reshape are meant to swap the last two axes. reshape cuts; which method "
        "swaps?",
        "channels = x.transpose(1, 2), and at the end return output.transpose(1, 2).",
    ),
    starter='''\
def by_convolution(x, w1, b1, w2, b2):
    """The layer as two convolutions of kernel size 1: x is (B, T, D)."""
    batch, length, width = x.shape
    channels = x.reshape(batch, width, length)
    hidden = torch.relu(torch.conv1d(channels, w1.T[:, :, None], b1))
    output = torch.conv1d(hidden, w2.T[:, :, None], b2)
    return output.reshape(batch, length, width)
''',
    properties=(GRADIENT,),
)


# The rest of the block


def _finish(x, found, *weights):
    z = layer_norm(x + found)
    return layer_norm(z + _feed_forward(z, *weights))


def _block_case(name, batch, length, width, hidden, dtype=torch.float32):
    x, found = (_normal(batch, length, width, dtype=dtype) for _ in range(2))
    return Case(name, {"x": x, "found": found, **_random_weights(width, hidden, dtype)})


_BLOCK_CASES = (
    Case(
        "one word of width 3, by hand",
        {
            "x": torch.tensor([[[2.0, -1, 0.5]]]),
            "found": torch.tensor([[[1.0, 0, -2]]]),
            "w1": torch.tensor([[1.0, -1], [0, 2], [-1, 0.5]]),
            "b1": torch.tensor([0.5, 1]),
            "w2": torch.tensor([[1.0, 0, -1], [-0.5, 2, 0]]),
            "b2": torch.tensor([0.0, 0.5, -1]),
        },
    ),
    _block_case("B=2, T=4, D=3, M=6", 2, 4, 3, 6),
    _block_case("B=3, T=2, D=5, M=4, in float64", 3, 2, 5, 4, _double),
)


def _with_batch_axis(x, found, *weights):
    """Normalize each feature over the positions, the axis before the last."""

    def norm(t):
        return layer_norm(t.mT).mT

    z = norm(x + found)
    return norm(z + _feed_forward(z, *weights))


def _with_sample_variance(x, found, *weights):
    def norm(t):
        centered = t - t.mean(dim=-1, keepdim=True)
        return centered / torch.sqrt(t.var(dim=-1, keepdim=True) + 1e-5)

    z = norm(x + found)
    return norm(z + _feed_forward(z, *weights))


def _pre_norm(x, found, *weights):
    z = x + found
    return z + _feed_forward(layer_norm(z), *weights)


_BLOCK_MISTAKES = (
    Mistake(
        lambda x, found, *weights: layer_norm(x + _feed_forward(x, *weights)),
        "The second line uses x again, as if the pattern were read word for word. Attention then "
        "has no effect: start from the result of the first line.",
    ),
    Mistake(
        lambda x, found, *weights: layer_norm(x + _feed_forward(layer_norm(x + found), *weights)),
        "The second shortcut starts at x. It should start where the feed-forward layer starts: at "
        "the result of the first Add & Norm.",
    ),
    Mistake(
        lambda x, found, *weights: layer_norm(_feed_forward(layer_norm(x + found), *weights)),
        "The second residual sum is missing: what goes into the feed-forward layer is added to "
        "what comes out.",
    ),
    Mistake(
        lambda x, found, *weights: layer_norm(
            layer_norm(found) + _feed_forward(layer_norm(found), *weights)
        ),
        "The first residual sum is missing: x is added to what attention found.",
    ),
    Mistake(
        lambda x, found, *weights: (
            layer_norm(x + found) + _feed_forward(layer_norm(x + found), *weights)
        ),
        "The last normalization is missing. Post-norm has one after each of the two sums.",
    ),
    Mistake(
        lambda x, found, *weights: layer_norm(x + found + _feed_forward(x + found, *weights)),
        "The first normalization is missing: only the last sum is normalized.",
    ),
    Mistake(
        _pre_norm,
        "This is pre-norm: the feed-forward layer sees a normalized token, and the sum stays as "
        "it is. Here each sum is normalized, after adding.",
    ),
    Mistake(
        _with_batch_axis,
        "The normalization runs over the positions. Each word is normalized by its own numbers, "
        "along the last axis.",
    ),
    Mistake(
        _with_sample_variance,
        "The variance divides by D − 1. Layer normalization divides by D: correction=0.",
    ),
    Mistake(
        lambda x, found, *weights: layer_norm(x + found),
        "This is the first Add & Norm. The feed-forward layer and the second one are still to "
        "come.",
    ),
)


def _finish_with_torch(x, found, w1, b1, w2, b2):
    z = F.layer_norm(x + found, x.shape[-1:])
    ff = F.linear(F.linear(z, w1.T, b1).relu(), w2.T, b2)
    return F.layer_norm(z + ff, x.shape[-1:])


def _finish_by_formula(x, found, w1, b1, w2, b2):
    def add_and_norm(kept, added):
        variance, mean = torch.var_mean(kept + added, dim=-1, correction=0, keepdim=True)
        return (kept + added - mean) * (variance + 1e-5).rsqrt()

    z = add_and_norm(x, found)
    return add_and_norm(z, (z @ w1 + b1).clamp(min=0) @ w2 + b2)


finish_block = Exercise(
    name="feed_forward.finish_block",
    reference=_finish,
    cases=_BLOCK_CASES,
    mistakes=_BLOCK_MISTAKES,
    right_answers=(_finish_with_torch, _finish_by_formula),
    hint_texts=(
        "What goes into the feed-forward layer: x, what attention found, or what the first "
        "Add & Norm returned?",
        "Give the first Add & Norm's result a name. Put it through the feed-forward layer, add it "
        "to what comes out, and normalize along the last axis.",
        "z = torch.nn.functional.layer_norm(x + found, x.shape[-1:]). Then compute ff from z and "
        "normalize z + ff in the same way.",
    ),
    starter='''\
def finish_block(x, found, w1, b1, w2, b2):
    """Add & Norm, feed-forward, Add & Norm, for x and found (B, T, D)."""
    raise NotImplementedError
''',
    properties=(GRADIENT,),
)
