"""Find the bug: a sentence vector that changes with the amount of padding."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("looking_inside.mean_pool")


def _sum(hidden: Tensor, keep: Tensor) -> Tensor:
    return (hidden * keep[..., None]).sum(dim=1)


def _reference(hidden: Tensor, keep: Tensor) -> Tensor:
    return _sum(hidden, keep) / keep.sum(dim=1)[:, None]


def _case(name: str, rows: list[str], width: int, dtype: torch.dtype = torch.float32) -> Case:
    """Rows such as "xx." are two words and a padding token with far larger numbers."""
    keep = torch.tensor([[place == "x" for place in row] for row in rows])
    hidden = _normal(*keep.shape, width, dtype=dtype)
    return Case(name, {"hidden": torch.where(keep[..., None], hidden, 9 + hidden), "keep": keep})


def _cases() -> tuple[Case, ...]:
    by_hand = [[[1.0, 2], [3, 6]], [[5, 0], [8, 8]]]
    return (
        Case(
            "two words, and one word with a pad, by hand",
            {
                "hidden": torch.tensor(by_hand),
                "keep": torch.tensor([[True, True], [True, False]]),
            },
        ),
        _case("lengths 5, 2 and 3, D=4", ["xxxxx", "xx...", "xxx.."], 4),
        _case("pads in front, in float64", ["....x", "xxxxx", "..xxx", ".xxxx"], 3, torch.float64),
        _case("one sentence, no pads", ["xxxxxx"], 5),
        _case("one feature, a pad between two words", ["x.xx", "xx.x", "x..."], 1),
        _case("as many sentences as positions", ["xxx", "x..", "xx."], 3),
        _case("sentences of one word", ["x", "x"], 4),
    )


def _counted_from_the_front(hidden: Tensor, keep: Tensor) -> Tensor:
    counts = keep.sum(dim=1).tolist()
    return torch.stack([x[:n].mean(dim=0) for x, n in zip(hidden, counts, strict=True)])


_MISTAKES = mistakes(
    lambda x, keep: x.mean(dim=1),
    "The mean includes the padding, so a sentence's vector depends on the longest sentence in its "
    "batch. Leave the padding out of the sum and out of the count.",
    lambda x, keep: _sum(x, keep) / x.shape[1],
    "The padding is left out of the sum but is still counted. Divide by the number of words, not "
    "by the number of positions.",
    lambda x, keep: x.sum(dim=1) / keep.sum(dim=1)[:, None],
    "You divide by the number of words, but the padding is still in the sum.",
    _sum,
    "This is the sum of the words. Divide it by their number.",
    lambda x, keep: x[keep].mean(dim=0).expand(len(x), -1),
    "This is one mean over the words of all sentences. Compute a separate mean for each sentence.",
    lambda x, keep: x[:, 0],
    "This is the vector of the first position alone. BERT's own pooling uses it, but this exercise "
    "asks for the mean over all words.",
    _counted_from_the_front,
    "You take the first positions, as many as there are words. But padding may be at any position: "
    "use keep itself, not only its sum.",
)


def _sentence_by_sentence(hidden: Tensor, keep: Tensor) -> Tensor:
    return torch.stack([x[kept].mean(dim=0) for x, kept in zip(hidden, keep, strict=True)])


def _by_weights(hidden: Tensor, keep: Tensor) -> Tensor:
    weights = keep.to(hidden.dtype)
    weights = weights / weights.sum(dim=1, keepdim=True)
    return torch.einsum("bt,btd->bd", weights, hidden)


def _draw(draw: Draw) -> Inputs:
    batch, places, width = draw.size(), draw.size(), draw.size()
    keep = draw.mask(batch, places)
    keep[torch.arange(batch), [draw.size(0, places - 1) for _ in range(batch)]] = True
    hidden = draw.normal(batch, places, width)
    return torch.where(keep[..., None], hidden, 5 * hidden + 3), keep


mean_pool = Exercise(
    name="looking_inside.mean_pool",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_sentence_by_sentence, _by_weights),
    draw=_draw,
    hint_texts=(
        "Look at the second sentence of the first case. It has one word. Which vector would it get "
        "if it were the only sentence in its batch?",
        "Multiply the hidden states by 1 at the words and by 0 at the padding. What must you "
        "divide the sum by now?",
        "kept = keep[..., None] broadcasts over the features. Return (hidden * kept).sum(dim=1) / "
        "kept.sum(dim=1).",
    ),
    starter='''\
def mean_pool(hidden, keep):
    """Mean over the words: hidden (B, T, D), keep (B, T) -> (B, D)."""
    return hidden.mean(dim=1)
''',
    remarks=(GRADIENT,),
)
