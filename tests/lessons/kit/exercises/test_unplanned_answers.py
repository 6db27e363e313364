"""Answers that nobody had planned for: wrong ones that once passed, right ones that once failed.

And causes that were told once and were false.
"""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from lessons.kit import exercises


def softmax_less(center):
    """Return a softmax that subtracts this in place of each row's maximum."""

    def tempered(scores, temperature):
        divided = scores / temperature
        powers = (divided - center(divided)).exp()
        return powers / powers.sum(dim=-1, keepdim=True)

    return tempered


def filled(low, then_masked=True):
    """Return a masked softmax that fills with this number."""

    def masked_weights(scores, mask):
        weights = scores.masked_fill(~mask, low).softmax(dim=-1)
        return weights * mask if then_masked else weights

    return masked_weights


def less_the_mean_of_the_allowed(scores, mask):
    count = mask.sum(dim=-1, keepdim=True).clamp(min=1)
    mean = (scores * mask).sum(dim=-1, keepdim=True) / count
    powers = torch.where(mask, (scores - mean).exp(), 0.0)
    return powers / powers.sum(dim=-1, keepdim=True).clamp(min=1e-30)


def heads_filled(low):
    """Multi-head attention that fills with this number."""

    def attend(x, w_q, w_k, w_v, w_o, num_heads, mask):
        q, k, v = (torch.stack((x @ w).chunk(num_heads, dim=1)) for w in (w_q, w_k, w_v))
        scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~mask, low)
        return torch.cat(list(scores.softmax(dim=-1) @ v), dim=1) @ w_o

    return attend


def heads_by_raw_exponentials(x, w_q, w_k, w_v, w_o, num_heads, mask):
    q, k, v = (torch.stack((x @ w).chunk(num_heads, dim=1)) for w in (w_q, w_k, w_v))
    powers = (q @ k.mT / k.shape[-1] ** 0.5).exp() * mask
    weights = powers / powers.sum(dim=-1, keepdim=True)
    return torch.cat(list(weights @ v), dim=1) @ w_o


def raw_attend(x, w_query, w_key, w_value):
    powers = ((x @ w_query) @ (x @ w_key).mT).exp()
    return powers / powers.sum(dim=-1, keepdim=True) @ (x @ w_value)


def raw_attend_scaled(query, key, value):
    powers = (query @ key.mT / key.shape[-1] ** 0.5).exp()
    return powers / powers.sum(dim=-1, keepdim=True) @ value


def mask_with(change):
    """Return the decoder's mask, changed afterwards."""

    def decoder_mask(ids, pad):
        mask = (ids != pad) & torch.ones(len(ids), len(ids), dtype=torch.bool).tril()
        return change(mask)

    return decoder_mask


def first_column(mask):
    mask[:, 0] = True
    return mask


def first_entry(mask):
    mask[0, 0] = True
    return mask


def empty_rows_see_themselves(mask):
    return mask | (torch.eye(len(mask)).bool() & ~mask.any(dim=1, keepdim=True))


def empty_rows_see_all(mask):
    return mask | ~mask.any(dim=1, keepdim=True)


def encode_in(dtype):
    """Positions encoded in one dtype, whatever theirs is."""

    def encode(positions, d_model):
        angles = positions[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
        return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2).to(dtype)

    return encode


WRONG = [
    *(
        ("scaling.tempered", softmax_less(center))
        for center in (
            lambda x: x.mean(dim=-1, keepdim=True),
            lambda x: x.median(dim=-1, keepdim=True).values,
            lambda x: x.amin(dim=-1, keepdim=True),
            lambda x: x[..., :1],
            lambda x: x[..., -1:],
            lambda x: x.abs().amax(dim=-1, keepdim=True),
            lambda x: x.max(),
            lambda x: 0,
        )
    ),
    *(("masks.masked_weights", filled(low)) for low in (-20.0, -100.0, -1000.0, -1e4)),
    *(("masks.masked_weights", filled(low, False)) for low in (-1e4, -1e9)),
    ("masks.masked_weights", less_the_mean_of_the_allowed),
    *(("multi_head.attend", heads_filled(low)) for low in (-20.0, -50.0, -100.0, -1e4)),
    ("multi_head.attend", heads_by_raw_exponentials),
    ("attention.attend", raw_attend),
    ("scaling.attend_scaled", raw_attend_scaled),
    *(
        ("masks.decoder_mask", mask_with(change))
        for change in (first_column, first_entry, empty_rows_see_themselves, empty_rows_see_all)
    ),
    ("sinusoidal_positions.encode", encode_in(torch.float32)),
    ("sinusoidal_positions.encode", encode_in(torch.float64)),
    ("scaling.gap_for", lambda share: torch.logit(share, eps=1e-6)),
    ("scaling.gap_for", lambda share: torch.logit(share.clamp(1e-7, 1 - 1e-7))),
    ("scaling.gap_for", lambda share: torch.log(share / (1 - share + 1e-8))),
]


@pytest.mark.parametrize(
    ("name", "answer"), WRONG, ids=[f"{n}-{i}" for i, (n, _) in enumerate(WRONG)]
)
def test_a_wrong_answer_fails(name, answer, capsys):
    assert not exercises.get_exercise(name).check(answer).passed


def encode_by_math(positions, d_model):
    rows = []
    for p in positions.tolist():
        pairs = [(math.sin(a), math.cos(a)) for a in _angles(p, d_model)]
        rows.append([number for pair in pairs for number in pair])
    return torch.tensor(rows, dtype=positions.dtype)


def _angles(position, d_model):
    return [position / 10000 ** (i / d_model) for i in range(0, d_model, 2)]


def weights_in_place(query, key):
    weights = torch.exp(query @ key.T / key.shape[-1] ** 0.5 - 0)
    top = (query @ key.T / key.shape[-1] ** 0.5).amax(dim=1, keepdim=True)
    weights = torch.exp(query @ key.T / key.shape[-1] ** 0.5 - top)
    weights /= weights.sum(dim=1, keepdim=True)
    return weights


def shift_by_atan2(encoding, offset):
    width = encoding.shape[-1]
    speeds = 10000 ** (-torch.arange(0, width, 2, dtype=encoding.dtype) / width)
    angles = torch.atan2(encoding[:, 0::2], encoding[:, 1::2]) + offset * speeds
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def shift_by_the_hint(encoding, offset):
    width = encoding.shape[-1]
    b = offset / 10000 ** (torch.arange(0, width, 2) / width)
    sin, cos = encoding[:, 0::2], encoding[:, 1::2]
    turned = sin * b.cos() + cos * b.sin(), cos * b.cos() - sin * b.sin()
    return torch.stack(turned, dim=-1).flatten(1)


def softmax_backward_by_autograd(weights, upstream):
    scores = weights.log().detach().requires_grad_()
    scores.softmax(dim=-1).backward(upstream)
    return scores.grad


def batch_norm_by_torch(x, mask, eps):
    real = x[mask]
    mean, variance = real.mean(dim=0), real.var(dim=0, correction=0)
    return F.batch_norm(x.mT, mean, variance, eps=eps).mT


def batch_norm_by_mean_squares(x, mask, eps):
    real = mask[..., None].to(x.dtype)
    mean = (x * real).sum(dim=(0, 1)) / real.sum()
    variance = (x * x * real).sum(dim=(0, 1)) / real.sum() - mean**2
    return (x - mean) / (variance + eps).sqrt()


def attend_with(root):
    """Attention that divides by this root of K."""
    return lambda q, k, v: (q @ k.mT / root(k.shape[-1])).softmax(dim=-1) @ v


def a_shift_of_floats(weight, bias, mean, std):
    raw = [w / s for w, s in zip(weight.tolist(), std.tolist(), strict=True)]
    return torch.tensor(
        [*raw, bias.item() - sum(w * m for w, m in zip(raw, mean.tolist(), strict=True))],
        dtype=weight.dtype,
    )


def softmax_backward_by_stacks(weights, upstream):
    """No table, though two rows of two numbers are as many numbers as one."""
    rows = [torch.stack(pair) for pair in zip(weights, upstream, strict=True)]
    return torch.stack([a * (g - (a * g).sum()) for a, g in rows])


RIGHT = [
    ("sinusoidal_positions.encode", encode_by_math),
    ("the_cat_sat.weights_of_words", weights_in_place),
    ("sinusoidal_positions.shift", shift_by_atan2),
    ("sinusoidal_positions.shift", shift_by_the_hint),
    ("scaling.softmax_backward", softmax_backward_by_autograd),
    ("scaling.softmax_backward", lambda a, g: a * g - a * (a * g).sum(-1, True) / a.sum(-1, True)),
    ("scaling.softmax_backward", softmax_backward_by_stacks),
    ("words_as_vectors.skip_gram_loss", lambda i, o, m, c: F.cross_entropy(i[m] @ o.T, c).item()),
    ("normalization.batch_norm_without_pads", batch_norm_by_torch),
    ("normalization.batch_norm_without_pads", batch_norm_by_mean_squares),
    ("common_scale.fold_scaling", a_shift_of_floats),
    ("scaling.gap_for", lambda s: torch.tensor([math.log(p / (1 - p)) for p in s.tolist()]).to(s)),
    ("scaling.gap_for", lambda share: torch.from_numpy(np.log(share / (1 - share)).numpy())),
    ("the_cat_sat.attend", attend_with(lambda k: torch.sqrt(torch.tensor(k)))),
    ("the_cat_sat.attend", attend_with(lambda k: torch.tensor(float(k)) ** 0.5)),
    ("scaling.attend_scaled", attend_with(lambda k: torch.sqrt(torch.tensor(k)))),
    ("masks.masked_weights", filled(-1e9)),
]


@pytest.mark.filterwarnings("ignore:__array_wrap__")  # numpy's own, on a tensor
@pytest.mark.parametrize(
    ("name", "answer"), RIGHT, ids=[f"{n}-{i}" for i, (n, _) in enumerate(RIGHT)]
)
def test_a_right_answer_passes(name, answer, capsys):
    result = exercises.get_exercise(name).check(answer)
    assert result.passed, result.message


def layer_norm_with(root):
    """Layer normalization that divides by this, of the variance and ε."""

    def layer_norm(x, weight, bias, eps):
        gap = x - x.mean(dim=-1, keepdim=True)
        return gap / root(gap.square().mean(dim=-1, keepdim=True), eps) * weight + bias

    return layer_norm


def attention_weights_of(x, w_query, w_key, w_value):
    return ((x @ w_query) @ (x @ w_key).mT).softmax(dim=-1)


def transposed(x):
    return ((x @ x.mT).softmax(dim=-1) @ x).mT


def pads_left_as_they_are(x, mask, eps):
    real = x[mask]
    normed = (x - real.mean(dim=0)) / (real.var(dim=0, correction=0) + eps).sqrt()
    return torch.where(mask[..., None], normed, x)


def forward_states(weights, gradient):
    states = [gradient]
    for weight in weights:
        states.append(states[-1] + states[-1] @ weight)
    return torch.stack(states)


def pre_norm_of_everything(x, weight, eps):
    normed = (x - x.mean()) / (x.var(correction=0) + eps).sqrt()
    return x + torch.tanh(normed @ weight)


def one_row_too_low(query, key, vectors):
    limit, place = len(vectors) // 2, torch.arange(len(query))
    rows = (place[None, :] - place[:, None]).clamp(-limit, limit) + limit - 1
    position = torch.einsum("tk,tsk->ts", query, vectors[rows])
    return (query @ key.mT + position) / query.shape[1] ** 0.5


FALSE = [
    ("masks.decoder_mask", mask_with(lambda m: m | torch.eye(len(m)).bool()), "are not hidden"),
    (
        "attention.attend",
        lambda x, q, k, v: attention_weights_of(x, q, k, v) @ (x @ q),
        "The keys are mixed",
    ),
    ("attention.contextual", transposed, "The features ask each other"),
    ("attention.contextual", lambda x: x @ x.mT, "These are the weights"),
    ("attention.soft_lookup", lambda q, k, v: k @ q, "These are the weights"),
    ("attention.soft_lookup", lambda q, k, v: (k @ q).exp(), "These are the weights"),
    ("the_cat_sat.attend", lambda q, k, v: q @ k.mT, "These are the attention weights"),
    ("the_cat_sat.attend", lambda q, k, v: (q @ k.mT).exp(), "These are the attention weights"),
    ("the_cat_sat.attend", lambda q, k, v: list(attend_with(math.sqrt)(q, k, v)), "gradient"),
    ("scaling.attend_scaled", attend_with(lambda k: 2), "Likely"),
    (
        "scaling.attend_scaled",
        lambda q, k, v: (q @ k.mT / math.sqrt(k.shape[-2] * k.shape[-1])).softmax(-1) @ v,
        "number of keys",
    ),
    ("scaling.tempered", lambda s, t: ((s - s.max()) / t).exp(), "One maximum"),
    (
        "layer_norm.layer_norm",
        layer_norm_with(lambda variance, eps: variance.clamp(min=eps).sqrt()),
        "ε is gone",
    ),
    ("normalization.batch_norm_without_pads", pads_left_as_they_are, "set to 0"),
    ("residual_connections.pre_norm", pre_norm_of_everything, "down the columns"),
    ("residual_connections.walk_back", forward_states, "order of the walk"),
    ("sinusoidal_positions.shift", lambda e, k: e.roll(k, dims=0), "The rows are moved"),
    ("position_families.shaw_scores", one_row_too_low, "The offset itself serves"),
]


@pytest.mark.parametrize(
    ("name", "answer", "words"), FALSE, ids=[f"{n}-{i}" for i, (n, *_) in enumerate(FALSE)]
)
def test_false_cause_is_not_printed(name, answer, words, capsys):
    result = exercises.get_exercise(name).check(answer)
    assert not result.passed
    exercises.get_exercise(name).cause(answer)
    assert words not in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda q, k, v: torch.cdist(q[None], k)[0].softmax(0) @ v, "the farthest key gets"),
        (lambda q, k, v: (-torch.cdist(q[None], k)[0]).softmax(0) @ v, "The nearest key gets"),
    ],
)
def test_distances_as_scores_get_a_message_about_the_sign(answer, words, capsys):
    assert words in " ".join(
        exercises.get_exercise("attention.soft_lookup").check(answer).message.split()
    )
