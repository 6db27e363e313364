"""Find the bug: a merged LoRA whose change has lost its scale."""

import torch
from torch import Tensor

from transformer_lite.exercises._kit import GRADIENT, Case, Exercise, Mistake, normal_numbers

_normal = normal_numbers("descendants.low_rank")


def _merged(weight: Tensor, down: Tensor, up: Tensor, scale: float) -> Tensor:
    return weight + scale * (up @ down)


def _reference(weight: Tensor, down: Tensor, up: Tensor, alpha: float) -> Tensor:
    return _merged(weight, down, up, alpha / len(down))


def _cases() -> tuple[Case, ...]:
    def draw(
        name: str, e: int, d: int, r: int, alpha: float, dtype: torch.dtype = torch.float32
    ) -> Case:
        weight, down, up = (_normal(*shape, dtype=dtype) for shape in ((e, d), (r, d), (e, r)))
        return Case(name, {"weight": weight, "down": down, "up": up, "alpha": alpha})

    by_hand = {
        "weight": torch.tensor([[1.0, 0], [0, 1]]),
        "down": torch.tensor([[1.0, 1]]),
        "up": torch.tensor([[2.0], [0]]),
        "alpha": 1.0,
    }
    return (
        Case("rank 1 and α = 1, by hand", by_hand),
        Case("the same with α = 4", by_hand | {"alpha": 4.0}),
        draw("E=4, D=6, r=3, α=8", 4, 6, 3, 8.0),
        draw("E=5, D=3, r=2, α=0.5, in float64", 5, 3, 2, 0.5, torch.float64),
        draw("square, r=4, α=32", 6, 6, 4, 32.0),
        draw("one output, r=2, α=3", 1, 5, 2, 3.0),
        draw("one input, r=3, α=1", 4, 1, 3, 1.0),
    )


def _transposed(weight: Tensor, down: Tensor, up: Tensor, alpha: float) -> Tensor:
    change = alpha / len(down) * (up @ down)
    return weight + (change.mT if len(weight) == weight.shape[1] else change)


def _in_place(weight: Tensor, down: Tensor, up: Tensor, alpha: float) -> Tensor:
    weight += alpha / len(down) * (up @ down)
    return weight


_MISTAKES = (
    Mistake(
        lambda w, down, up, alpha: _merged(w, down, up, 1.0),
        "The scale α/r is lost: the layer added (α/r) B A while it was trained. With α = r nobody "
        "notices.",
    ),
    Mistake(
        lambda w, down, up, alpha: _merged(w, down, up, alpha),
        "The change is multiplied by α and not divided by r.",
    ),
    Mistake(
        lambda w, down, up, alpha: _merged(w, down, up, 1 / len(down)),
        "The change is divided by r and not multiplied by α.",
    ),
    Mistake(
        lambda w, down, up, alpha: _merged(w, down, up, 2 * alpha / len(down)),
        "The change is merged twice.",
    ),
    Mistake(
        lambda w, down, up, alpha: _merged(w, down, up, -alpha / len(down)),
        "The change is subtracted. That takes a merged change out again; asked for is to put it "
        "in.",
    ),
    Mistake(
        lambda w, down, up, alpha: alpha / len(down) * (up @ down),
        "This is the change alone. Add it to the weight.",
    ),
    Mistake(
        _transposed,
        "The change of a square weight is transposed. Its rows belong to the outputs: it is B A, "
        "not its transpose.",
    ),
    Mistake(
        _in_place,
        "+= changes the caller's weight. Whoever merges it once more adds the change twice. Make a "
        "new one.",
    ),
)


low_rank = Exercise(
    name="descendants.low_rank",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        lambda w, down, up, alpha: torch.addmm(w, up, down, alpha=alpha / down.shape[0]),
        lambda w, down, up, alpha: w + (up * (alpha / up.shape[1])) @ down,
    ),
    hint_texts=(
        "Which of its four inputs does the function never look at? And why does the first case "
        "not notice?",
        "While it was trained, the layer computed W x + (α/r) B A x. How large is r, and where can "
        "you read it?",
        "The scale is alpha / down.shape[0]. Multiply up @ down by it.",
    ),
    starter='''\
def low_rank(weight, down, up, alpha):
    """Merge a LoRA: weight (E, D), A = down (r, D), B = up (E, r)."""
    return weight + up @ down
''',
    remarks=(GRADIENT,),
)
