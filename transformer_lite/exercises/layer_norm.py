"""Chapter 13, layer normalization: keep pads out of statistics, and find two common slips."""

import torch

from transformer_lite import norms
from transformer_lite.exercises._exercise import Case, Exercise, Mistake
from transformer_lite.exercises._properties import GRADIENT
from transformer_lite.exercises._random import normal_numbers

_double = torch.float64
_normal = normal_numbers(13)
_HI_HELLO = torch.tensor(
    [
        *[[0.1, 0.2, 0.3, 0.4], [0.11, 0.22, 0.33, 0.44], [0, 0, 0, 0], [0, 0, 0, 0]],
        *[[0.13, 0.78, -0.7, -0.15], [0.14, 0.8, -0.75, -0.15]],
        *[[0.11, 0.28, -0.17, -0.15], [0.13, 0.21, -0.12, -0.11]],
    ],
    dtype=torch.float32,
).view(2, 4, 4)


def _batch_cases() -> tuple[Case, ...]:
    def draw(name, lengths, t, d, eps, dtype=torch.float32):
        """Random tokens; the pads hold the largest numbers of all, so that a leak shows."""
        mask = torch.arange(t) < torch.tensor(lengths)[:, None]
        x = _normal(len(lengths), t, d, dtype=dtype)
        x = torch.where(mask[..., None], x, 9 + x.abs())
        return Case(name, {"x": x, "mask": mask, "eps": eps})

    table = torch.tensor([[True, True, False, False], [True, True, True, True]])
    constant = draw("a feature that is 1 in every real token, B=2, T=5, D=3", [3, 5], 5, 3, 1e-5)
    constant.inputs["x"][..., 1] = 1 + 8.0 * ~constant.inputs["mask"]
    return (
        Case("the Hi, Hello table", {"x": _HI_HELLO, "mask": table, "eps": 1e-5}),
        draw("large numbers in the pads, B=3, T=4, D=2", [4, 1, 2], 4, 2, 1e-5),
        draw("float64 and eps=0.25, B=2, T=3, D=5", [3, 2], 3, 5, 0.25, _double),
        constant,
    )


def _batch_by(mean_of, variance_of):
    """Return a batch norm with these statistics of (x, mask)."""

    def function(x, mask, eps):
        return (x - mean_of(x, mask)) / torch.sqrt(variance_of(x, mask) + eps)

    return function


def _real_mean(x, mask):
    return x[mask].mean(dim=0)


def _real_variance(x, mask):
    return x[mask].var(dim=0, correction=0)


def _batch_of_one_sentence(x, mask, eps):
    pairs = zip(x, mask, strict=True)
    return torch.stack([norms.batch_norm(sentence, real, eps) for sentence, real in pairs])


def _batch_zeroing_pads_in_place(x, mask, eps):
    x[~mask] = 0
    return norms.batch_norm(x, mask, eps)


def _batch_centring_zeroed_pads(x, mask):
    zeroed = x * mask[..., None]
    return (zeroed - _real_mean(x, mask)).square().sum(dim=(0, 1)) / mask.sum()


_BATCH_MISTAKES = (
    Mistake(
        lambda x, m, eps: norms.batch_norm(x, None, eps),
        "The pads count in the mean and in the variance. Use the mask to leave them out.",
    ),
    Mistake(
        lambda x, m, eps: norms.batch_norm(x, ~m, eps),
        "The statistics are those of the pads. In this mask True means a real token.",
    ),
    Mistake(
        _batch_by(lambda x, m: (x * m[..., None]).mean(dim=(0, 1)), _real_variance),
        "The mean adds up the real tokens but divides by the number of all tokens, pads included.",
    ),
    Mistake(
        _batch_by(_real_mean, lambda x, m: (x - _real_mean(x, m)).square().mean(dim=(0, 1))),
        "The mean is right, but the pads still count in the variance.",
    ),
    Mistake(
        _batch_by(_real_mean, _batch_centring_zeroed_pads),
        "The pads are set to 0 before the mean is subtracted. Each then adds the squared mean to "
        "the variance. A pad has to be left out, not set to 0.",
    ),
    Mistake(
        _batch_by(_real_mean, lambda x, m: x[m].var(dim=0)),
        "This is the sample variance, divided by n − 1. Normalization divides by n.",
    ),
    Mistake(
        lambda x, m, eps: (x - _real_mean(x, m)) / (_real_variance(x, m).sqrt() + eps),
        "ε is added to the standard deviation. It belongs to the variance, inside the root.",
    ),
    Mistake(
        lambda x, m, eps: (x - _real_mean(x, m)) / _real_variance(x, m).sqrt(),
        "ε is not used. A feature that never changes has variance 0, and 0 / 0 is nan.",
    ),
    Mistake(
        lambda x, m, eps: norms.layer_norm(x, eps=eps),
        "Each token is normalized over its own features. That is layer normalization; here each "
        "feature is normalized over the tokens.",
    ),
    Mistake(
        _batch_by(lambda x, m: x[m].mean(), lambda x, m: x[m].var(correction=0)),
        "One mean and one variance serve all features. Each feature needs its own pair.",
    ),
    Mistake(
        _batch_of_one_sentence,
        "Each sentence is normalized by itself. Take the statistics over the tokens of the whole "
        "batch.",
    ),
    Mistake(
        lambda x, m, eps: norms.batch_norm(x, m, eps)[m],
        "Only the real tokens come back. Keep the pads out of the statistics, but in the output.",
    ),
    Mistake(
        lambda x, m, eps: norms.batch_norm(x, m, eps) * m[..., None],
        "The pads are set to 0 in the output. Here they are transformed like all other tokens.",
    ),
    Mistake(
        _batch_zeroing_pads_in_place,
        "Assigning to x[...], or an operation such as -=, writes into the caller's tensor.",
    ),
    Mistake(
        lambda x, m, eps: norms.batch_norm(x.float(), m, eps),
        "The result has become float32. Keep the dtype of x.",
    ),
    Mistake(
        _batch_by(
            lambda x, m: _real_mean(x, m).detach(), lambda x, m: _real_variance(x, m).detach()
        ),
        "The mean and the variance are cut off from x, by detach, item or torch.tensor. They "
        "depend on x too, and the gradient has to know.",
    ),
)


def _batch_with_sums(x, mask, eps):
    real = mask.unsqueeze(-1).to(x.dtype)
    mean = (x * real).sum(dim=(0, 1)) / real.sum()
    variance = ((x - mean) ** 2 * real).sum(dim=(0, 1)) / real.sum()
    return (x - mean) * torch.rsqrt(variance + eps)


batch_norm_without_pads = Exercise(
    name="layer_norm.batch_norm_without_pads",
    reference=norms.batch_norm,
    cases=_batch_cases(),
    mistakes=_BATCH_MISTAKES,
    right_answers=(_batch_by(_real_mean, _real_variance), _batch_with_sums),
    hint_texts=(
        "Which numbers may count in the mean of feature P1: how many tokens are there, and how "
        "many of them are real?",
        "Gather the real tokens into one table of shape (n, D). Take the mean and the variance "
        "of each of its columns, then transform all of x with them.",
        "real = x[mask] is that table. Use real.mean over axis 0 and real.var over axis 0 with "
        "correction=0, and put eps inside torch.sqrt.",
    ),
    starter='''\
def batch_norm_without_pads(x, mask, eps):
    """Normalize each feature of x (B, T, D) by the tokens that mask allows."""
    ...  # mask (B, T) is True for real tokens; pads do not count
''',
    properties=(GRADIENT,),
)


def _layer_cases() -> tuple[Case, ...]:
    def draw(name, *shape, size=1.0, eps=1e-5, dtype=torch.float32):
        x = size * _normal(*shape, dtype=dtype)
        return Case(name, _with_parameters(x, eps))

    def _with_parameters(x, eps):
        weight, bias = (_normal(x.shape[-1], dtype=x.dtype) for _ in range(2))
        return {"x": x, "weight": weight, "bias": bias, "eps": eps}

    worked = torch.tensor([2, 4, 6, 8], dtype=torch.float32)
    plain = {"x": worked, "weight": torch.ones_like(worked), "bias": torch.zeros_like(worked)}
    better = torch.tensor([2, -1, 3.5, -0.5, 4.2], dtype=torch.float32)
    constant = torch.stack([torch.ones(3), _normal(3)])
    return (
        Case("[2, 4, 6, 8] with γ=1, β=0, ε=1e-5", {**plain, "eps": 1e-5}),
        Case("[2, -1, 3.5, -0.5, 4.2] with random γ and β", _with_parameters(better, 1e-5)),
        draw("float64 and ε=0.25, B=2, T=3, D=5", 2, 3, 5, eps=0.25, dtype=_double),
        draw("small numbers, T=3, D=6", 3, 6, size=0.01),
        Case("a constant row, T=2, D=3", _with_parameters(constant, 1e-5)),
    )


def _layer_by(mean_of, std_of):
    """Return a layer norm with this mean of x and this standard deviation of (x, eps)."""

    def function(x, weight, bias, eps):
        return weight * (x - mean_of(x)) / std_of(x, eps) + bias

    return function


def _mean(x):
    return x.mean(dim=-1, keepdim=True)


def _variance(x, correction=0, dim=-1):
    return x.var(dim=dim, correction=correction, keepdim=True)


def _layer_in_place(x, weight, bias, eps):
    x -= _mean(x)
    return weight * x / torch.sqrt(_variance(x) + eps) + bias


_LAYER_MISTAKES = (
    Mistake(
        _layer_by(_mean, lambda x, eps: x.std(dim=-1, keepdim=True) + eps),
        "There are two slips in it: by what does x.std divide, and where does ε belong?",
    ),
    Mistake(
        _layer_by(_mean, lambda x, eps: torch.sqrt(_variance(x, correction=1) + eps)),
        "ε is in its place. The variance is not yet: torch divides by n − 1 unless you tell it "
        "otherwise, and layer normalization divides by n.",
    ),
    Mistake(
        _layer_by(_mean, lambda x, eps: _variance(x).sqrt() + eps),
        "The variance is right. ε is not yet: it is added to the variance, before the root is "
        "taken.",
    ),
    Mistake(
        _layer_by(_mean, lambda x, eps: _variance(x) + eps),
        "The numbers are divided by the variance. The root is missing.",
    ),
    Mistake(
        _layer_by(_mean, lambda x, eps: _variance(x).sqrt()),
        "ε is gone. A constant row has variance 0, and 0 / 0 is nan.",
    ),
    Mistake(
        _layer_by(_mean, lambda x, eps: torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps)),
        "The squares are averaged before the mean is subtracted. The variance is the mean square "
        "of what is left after that.",
    ),
    Mistake(
        _layer_by(
            lambda x: x.mean(dim=0, keepdim=True),
            lambda x, eps: torch.sqrt(_variance(x, dim=0) + eps),
        ),
        "The statistics run down the first axis. Layer normalization works within one token, over "
        "the last axis.",
    ),
    Mistake(
        lambda x, weight, bias, eps: norms.layer_norm(x, None, bias, eps),
        "The gain γ (weight) is not used.",
    ),
    Mistake(
        lambda x, weight, bias, eps: norms.layer_norm(x, weight, None, eps),
        "The shift β (bias) is not used.",
    ),
    Mistake(
        lambda x, weight, bias, eps: (norms.layer_norm(x, eps=eps) + bias) * weight,
        "β is added before γ multiplies, so β gets scaled as well. First γ, then β.",
    ),
    Mistake(
        _layer_by(lambda x: x.mean(dim=-1), lambda x, eps: torch.sqrt(_variance(x) + eps)),
        "The mean has lost an axis, so it does not line up with the tokens. keepdim=True keeps it.",
    ),
    Mistake(
        _layer_in_place,
        "An operation such as -= writes into the tensor that it was given. Make a new one instead.",
    ),
    Mistake(
        lambda x, weight, bias, eps: norms.layer_norm(x, weight, bias, eps).float(),
        "The result has become float32. Keep the dtype of x.",
    ),
    Mistake(
        _layer_by(
            lambda x: _mean(x).detach(), lambda x, eps: torch.sqrt(_variance(x) + eps).detach()
        ),
        "The mean and the variance are cut off from x, by detach, item or torch.tensor. They "
        "depend on x too, and the gradient has to know.",
    ),
)


def _layer_from_z_scores(x, weight, bias, eps):
    return torch.addcmul(bias, norms.standardize(x, eps=eps), weight)


layer_norm = Exercise(
    name="layer_norm.layer_norm",
    reference=norms.layer_norm,
    cases=_layer_cases(),
    mistakes=_LAYER_MISTAKES,
    right_answers=(
        _layer_by(_mean, lambda x, eps: torch.sqrt((x - _mean(x)).square().mean(-1, True) + eps)),
        _layer_from_z_scores,
    ),
    hint_texts=(
        "What does the chapter get for √variance of [2, 4, 6, 8], and what does x.std give?",
        "Compute the variance yourself, or tell torch to divide by n. Then add eps, and take the "
        "root last.",
        "variance = x.var(dim=-1, keepdim=True, correction=0), and the divisor is the root of "
        "variance + eps.",
    ),
    starter='''\
def my_layer_norm(x, weight, bias, eps):
    """Normalize each token of x (..., D), then apply gain and shift."""
    mean = x.mean(dim=-1, keepdim=True)
    std = x.std(dim=-1, keepdim=True)
    return weight * (x - mean) / (std + eps) + bias
''',
    properties=(GRADIENT,),
)

# The starters that are whole functions with a bug in them.
BUG_HUNTS = ("layer_norm",)
