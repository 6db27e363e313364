"""Residual connections: keep the norm off the skip, walk a gradient back, scale without a mean."""

import torch

from transformer_lite.exercises._exercise import Case, Exercise, Mistake
from transformer_lite.exercises._properties import GRADIENT
from transformer_lite.exercises._random import normal_numbers
from transformer_lite.norms import layer_norm, rms_norm

BUG_HUNTS = ("pre_norm",)

_double = torch.float64
_normal = normal_numbers(14)
_THE_CAT_SAT = torch.tensor([[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]], dtype=torch.float32)


def _pre_norm(x, weight, eps):
    return x + torch.tanh(layer_norm(x, eps=eps) @ weight)


def _pre_norm_cases() -> tuple[Case, ...]:
    def draw(name, t, d, eps, shift=0.0, size=1.0, dtype=torch.float32):
        x = shift + size * _normal(t, d, dtype=dtype)
        return Case(name, {"x": x, "weight": _normal(d, d, dtype=dtype), "eps": eps})

    worked = {"x": _THE_CAT_SAT, "weight": torch.eye(4).roll(1, 0) / 2, "eps": 1e-5}
    return (
        Case("The, CAT and SAT, W moves every entry by one place and halves it", worked),
        draw("tokens far from 0, T=2, D=5", 2, 5, 1e-5, shift=7.0),
        draw("float64, T=6, D=3", 6, 3, 1e-5, dtype=_double),
        draw("small tokens and eps=0.01, T=3, D=7", 3, 7, 0.01, size=0.1),
    )


def _norm_on_the_skip(x, weight, eps):
    x = layer_norm(x, eps=eps)
    return x + torch.tanh(x @ weight)


def _pre_norm_in_place(x, weight, eps):
    x += torch.tanh(layer_norm(x, eps=eps) @ weight)
    return x


def _scaled(x, root):
    return (x - x.mean(dim=-1, keepdim=True)) / root


_PRE_NORM_MISTAKES = (
    Mistake(
        _norm_on_the_skip,
        "The normalized tokens are what the sum starts from. In pre-norm only the sub-layer sees "
        "them; the skip carries x as it came.",
    ),
    Mistake(
        lambda x, w, eps: layer_norm(x + torch.tanh(x @ w), eps=eps),
        "This is post-norm: first the sum, then the normalization. Here the sum stays as it is.",
    ),
    Mistake(
        lambda x, w, eps: torch.tanh(layer_norm(x, eps=eps) @ w),
        "The sub-layer's output is returned alone: the input was never added back.",
    ),
    Mistake(
        lambda x, w, eps: x + torch.tanh(x @ w),
        "The sub-layer sees x without normalization. Nothing in this function is normalized.",
    ),
    Mistake(
        lambda x, w, eps: layer_norm(_pre_norm(x, w, eps), eps=eps),
        "The sum is normalized once more. That belongs at the end of the whole stack, not here.",
    ),
    Mistake(
        lambda x, w, eps: x + layer_norm(torch.tanh(x @ w), eps=eps),
        "The normalization stands behind the sub-layer, on its output. It belongs in front.",
    ),
    Mistake(
        lambda x, w, eps: x + torch.tanh(layer_norm(x.mT, eps=eps).mT @ w),
        "The mean and the variance run down the columns. Each token is normalized by itself.",
    ),
    Mistake(
        lambda x, w, eps: (
            x + torch.tanh(_scaled(x, torch.sqrt(x.var(dim=-1, keepdim=True) + eps)) @ w)
        ),
        "The variance divides by n − 1. Layer normalization divides by n: correction=0.",
    ),
    Mistake(
        lambda x, w, eps: (
            x + torch.tanh(_scaled(x, x.std(dim=-1, keepdim=True, correction=0) + eps) @ w)
        ),
        "ε is added to the standard deviation. It belongs inside the root, with the variance.",
    ),
    Mistake(
        _pre_norm_in_place,
        "x += … writes into the caller's tokens, and what else still reads them sees the sum. "
        "Make a new tensor: x + …",
    ),
)


def _pre_norm_by_torch(x, weight, eps):
    update = torch.nn.functional.layer_norm(x, x.shape[-1:], eps=eps) @ weight
    return x + update.tanh()


def _pre_norm_by_hand(x, weight, eps):
    centered = x - x.mean(dim=-1, keepdim=True)
    normed = centered / torch.sqrt(centered.square().mean(dim=-1, keepdim=True) + eps)
    return torch.tanh(normed @ weight) + x


pre_norm = Exercise(
    name="residual_connections.pre_norm",
    reference=_pre_norm,
    cases=_pre_norm_cases(),
    mistakes=_PRE_NORM_MISTAKES,
    right_answers=(_pre_norm_by_torch, _pre_norm_by_hand),
    hint_texts=(
        "SAT is [1, 1, 1, 1], and its normalized form is 0. What should be left of SAT, and what "
        "is?",
        "One name stands for two things. Which of the two should the plus sign see?",
        "Give the normalized tokens a name of their own: normed = (x - mean) / ... Then return "
        "x + torch.tanh(normed @ weight).",
    ),
    starter='''\
def pre_norm(x, weight, eps):
    """Return x + tanh(norm(x) W) for tokens x (T, D) and W (D, D)."""
    variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    x = (x - mean) / torch.sqrt(variance + eps)
    return x + torch.tanh(x @ weight)
''',
    properties=(GRADIENT,),
)


def _walk_back(weights, gradient):
    found = [gradient]
    for weight in reversed(weights):
        found.append(found[-1] + weight @ found[-1])
    return torch.stack(found[::-1])


def _walk_cases() -> tuple[Case, ...]:
    def draw(name, layers, d, dtype=torch.float32):
        weights = 0.5 * _normal(layers, d, d, dtype=dtype)
        return Case(name, {"weights": weights, "gradient": _normal(d, dtype=dtype)})

    slopes = torch.diag(torch.tensor([0.1, -0.5])).expand(3, 2, 2).contiguous()
    return (
        Case(
            "three layers with the slopes 0.1 and −0.5",
            {"weights": slopes, "gradient": torch.ones(2)},
        ),
        draw("L=2, D=3", 2, 3),
        draw("L=5, D=4", 5, 4),
        draw("float64, L=6, D=2", 6, 2, _double),
    )


def _walk(step, order=reversed):
    """Return a walk through the layers in this order with step(gradient, weight, first)."""

    def function(weights, gradient):
        found = [gradient]
        for weight in order(weights):
            found.append(step(found[-1], weight, gradient))
        return torch.stack(found[::-1])

    return function


def _walk_in_place(weights, gradient):
    found = [gradient.clone()]
    for weight in reversed(weights):
        gradient += weight @ gradient
        found.append(gradient.clone())
    return torch.stack(found[::-1])


_WALK_MISTAKES = (
    Mistake(
        _walk(lambda g, w, first: w @ g),
        "The skip is missing: each step passes on only what came through the layer. The sum "
        "x + x W sends the gradient along both ways.",
    ),
    Mistake(
        _walk(lambda g, w, first: g + g @ w),
        "The gradient goes through W in the forward direction. Backwards a row times W becomes a "
        "row times Wᵀ, which is W times the column.",
    ),
    Mistake(
        _walk(lambda g, w, first: g + w @ g, order=list),
        "The first layer is undone first. The walk starts at the output, with the last layer.",
    ),
    Mistake(
        lambda ws, g: _walk_back(ws, g).flip(0),
        "The rows are in the order of the walk. Row 0 should be the gradient at the input, and "
        "the last row the one at the output.",
    ),
    Mistake(
        lambda ws, g: _walk_back(ws, g)[:-1],
        "The last row is missing: the gradient at the output itself. L layers have L + 1 states.",
    ),
    Mistake(
        lambda ws, g: _walk_back(ws, g)[0],
        "Only the gradient at the input is returned. Keep the one of every depth.",
    ),
    Mistake(
        _walk(lambda g, w, first: first + w @ g),
        "Each step adds the gradient of the output. The skip of a layer reaches only to the end "
        "of that layer: add the gradient found one step before.",
    ),
    Mistake(
        _walk(lambda g, w, first: g),
        "The gradient takes the skips only. The way through the layers counts as well.",
    ),
    Mistake(
        _walk_in_place,
        "gradient += … changes the caller's gradient. Make a new tensor in each step.",
    ),
    Mistake(
        lambda ws, g: _walk_back(ws.float(), g.float()),
        "The gradients have become float32. Keep the dtype of the weights.",
    ),
)


def _walk_by_products(weights, gradient):
    steps = [torch.eye(len(gradient), dtype=gradient.dtype) + w for w in weights]
    rows = [gradient]
    for step in steps[::-1]:
        rows.insert(0, step @ rows[0])
    return torch.stack(rows)


def _walk_by_recursion(weights, gradient):
    if len(weights) == 0:
        return gradient[None]
    later = _walk_by_recursion(weights[1:], gradient)
    return torch.cat([(later[0] + later[0] @ weights[0].mT)[None], later])


walk_back = Exercise(
    name="residual_connections.walk_back",
    reference=_walk_back,
    cases=_walk_cases(),
    mistakes=_WALK_MISTAKES,
    right_answers=(_walk_by_products, _walk_by_recursion),
    hint_texts=(
        "One layer, one feature: y = x + w x. If the loss falls by g when y grows by 1, by how "
        "much does it fall when x grows by 1?",
        "Start with the gradient at the output. Go through the layers from the last to the first; "
        "each step adds what came through the layer to what came through the skip.",
        "found = [gradient]; then for weight in reversed(weights): "
        "found.append(found[-1] + weight @ found[-1]). At the end reverse the list and stack it.",
    ),
    starter='''\
def walk_back(weights, gradient):
    """Gradients of a stack of layers y = x + x W, at every depth.

    weights (L, D, D), gradient (D,) at the output -> (L + 1, D)
    """
    raise NotImplementedError
''',
    properties=(GRADIENT,),
)


def _rms_cases() -> tuple[Case, ...]:
    def draw(name, shape, eps, shift=0.0, size=1.0, dtype=torch.float32):
        x = shift + size * _normal(*shape, dtype=dtype)
        return Case(name, {"x": x, "weight": _normal(shape[-1], dtype=dtype), "eps": eps})

    five = torch.tensor([[2.0, -1.0, 3.5, -0.5, 4.2]])
    return (
        Case("[2, −1, 3.5, −0.5, 4.2] with γ=1", {"x": five, "weight": torch.ones(5), "eps": 1e-5}),
        draw("tokens far from 0, T=2, D=6", (2, 6), 1e-5, shift=9.0),
        draw("float64, T=5, D=3", (5, 3), 1e-5, dtype=_double),
        draw("small tokens and eps=0.01, T=3, D=4", (3, 4), 0.01, size=0.1),
    )


def _rms_in_place(x, weight, eps):
    x /= torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps)
    return x * weight


_RMS_MISTAKES = (
    Mistake(
        lambda x, w, eps: layer_norm(x, w, eps=eps),
        "The mean is subtracted: this is layer normalization. RMSNorm leaves the mean in.",
    ),
    Mistake(
        lambda x, w, eps: w * x / torch.sqrt(x.square().sum(dim=-1, keepdim=True) + eps),
        "The squares are added up. Take their mean: the M in RMS.",
    ),
    Mistake(
        lambda x, w, eps: w * x / (x.square().mean(dim=-1, keepdim=True) + eps),
        "The root is missing: this divides by the mean square.",
    ),
    Mistake(
        lambda x, w, eps: w * x / (x.square().mean(dim=-1, keepdim=True).sqrt() + eps),
        "ε is added to the root. It belongs inside, with the mean square.",
    ),
    Mistake(
        lambda x, w, eps: w * x / (x.abs().mean(dim=-1, keepdim=True) + eps),
        "This is the mean of the absolute values. Square first, and take the root at the end.",
    ),
    Mistake(
        lambda x, w, eps: w * x / torch.sqrt(x.var(dim=-1, keepdim=True, correction=0) + eps),
        "The divisor is the standard deviation, which measures the distance from the mean. RMSNorm "
        "measures the distance from 0.",
    ),
    Mistake(
        lambda x, w, eps: w * x / torch.sqrt(x.square().mean(dim=0, keepdim=True) + eps),
        "The mean runs over the tokens. Each token is divided by its own size.",
    ),
    Mistake(
        lambda x, w, eps: w * x / torch.sqrt(x.square().mean() + eps),
        "One mean is taken over everything. Each token has its own: dim=-1, keepdim=True.",
    ),
    Mistake(
        lambda x, w, eps: rms_norm(x, eps=eps),
        "The gain is not used. Multiply each feature by its weight.",
    ),
    Mistake(
        lambda x, w, eps: rms_norm(x, eps=eps) + w,
        "The weight is added. It is a gain: multiply.",
    ),
    Mistake(
        _rms_in_place,
        "x /= … writes into the caller's tokens. Make a new tensor.",
    ),
)


def _rms_by_norm(x, weight, eps):
    mean_square = x.norm(dim=-1, keepdim=True).square() / x.shape[-1]
    return x * (mean_square + eps).rsqrt() * weight


def _rms_row_by_row(x, weight, eps):
    return torch.stack([weight * row / (row @ row / len(row) + eps).sqrt() for row in x])


rms = Exercise(
    name="residual_connections.rms",
    reference=rms_norm,
    cases=_rms_cases(),
    mistakes=_RMS_MISTAKES,
    right_answers=(_rms_by_norm, _rms_row_by_row),
    hint_texts=(
        "Read the name from right to left: square, mean, root. Of which numbers, and along which "
        "axis?",
        "Take the mean of the squares of each token, add eps, take the root, divide, and multiply "
        "by the gain.",
        "mean_square = x.square().mean(dim=-1, keepdim=True), and the divisor is "
        "torch.sqrt(mean_square + eps).",
    ),
    starter='''\
def rms(x, weight, eps):
    """Divide each token of x (T, D) by its root mean square, times weight."""
    raise NotImplementedError
''',
    properties=(GRADIENT,),
)
