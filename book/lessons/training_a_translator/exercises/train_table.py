"""Build the training loop: for each batch shift, compute loss and gradient, clip, and step."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("training_a_translator.train_table")
_Answer = tuple[Tensor, Tensor]
_Losses = Callable[[Tensor, Tensor, Tensor, int], Tensor]


def _mean_loss(weights: Tensor, inputs: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    """Return the mean loss of all labels that are not padding."""
    real = labels != pad_id
    return cross_entropy(weights[inputs][real], labels[real])


def _cut(gradient: Tensor, max_norm: float) -> Tensor:
    return gradient * (max_norm / gradient.norm().clamp(min=max_norm))


def _loop(
    loss_of: _Losses = _mean_loss,
    cut: Callable[[Tensor, float], Tensor] = _cut,
    shift: Callable[[Tensor], tuple[Tensor, Tensor]] = lambda t: (t[:, :-1], t[:, 1:]),
    rate_of: Callable[[Sequence[float], int], float] = lambda rates, i: rates[i],
    keeps_gradient: bool = False,
    loss_after: bool = False,
) -> Callable[..., _Answer]:
    """Return a training loop, right or wrong in one part."""

    def train(
        weights: Tensor, batches: list[Tensor], rates: list[float], max_norm: float, pad_id: int
    ) -> _Answer:
        table, losses, so_far = weights.detach().clone(), [], torch.zeros_like(weights)
        for i, targets in enumerate(batches):
            inputs, labels = shift(targets)
            with torch.enable_grad():
                table.requires_grad_()
                loss = loss_of(table, inputs, labels, pad_id)
                (gradient,) = torch.autograd.grad(loss, table)
            so_far = so_far + gradient if keeps_gradient else gradient
            table = table.detach() - rate_of(rates, i) * cut(so_far, max_norm)
            losses.append(
                (loss_of(table, *shift(targets), pad_id) if loss_after else loss).detach()
            )
        return table, torch.stack(losses)

    return train


def _with_pads(weights: Tensor, inputs: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    return cross_entropy(weights[inputs].flatten(0, 1), labels.flatten())


def _by_sentence(weights: Tensor, inputs: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    rows = zip(inputs, labels, strict=True)
    return torch.stack([_mean_loss(weights, *row, pad_id) for row in rows]).mean()


def _summed(weights: Tensor, inputs: Tensor, labels: Tensor, pad_id: int) -> Tensor:
    return _mean_loss(weights, inputs, labels, pad_id) * (labels != pad_id).sum()


def _far_from_zero(numbers: Tensor) -> Tensor:
    """Move numbers away from 0, where the 1e-6 in PyTorch's own clipping would be judged wrong."""
    return numbers + numbers.sign() * 2


def _batch(*rows: Sequence[int]) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])


def _weights(size: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return _far_from_zero(_normal(size, size, dtype=dtype))


def _cases() -> tuple[Case, ...]:
    thanks, student = (1, 7, 2), (1, 3, 4, 5, 6, 2)
    two = [_batch(student, thanks), _batch((1, 3, 4, 5, 2), (1, 7, 7, 2))]
    wide = torch.float64
    runs = {
        "one batch of two sentences, nothing to clip": (_weights(8), two[:1], [0.5], 100.0, 0),
        "two batches, two learning rates": (_weights(8), two, [0.5, 2.0], 100.0, 0),
        "a gradient that is too long": (_weights(8), two, [1.0, 0.5], 0.1, 0),
        "four batches in float64": (_weights(8, wide), two * 2, [0.1, 1, 2, 1], 0.3, 0),
        "no padding in the batch": (_weights(8), [_batch(student, student)], [1.0], 0.2, 0),
        "pad_id=5": (
            _weights(6, wide),
            [torch.tensor([[0, 1, 2, 5, 5], [0, 3, 1, 4, 2]]), torch.tensor([[0, 2], [0, 3]])],
            [1.0, 1.0],
            0.4,
            5,
        ),
        "a learning rate of 0": (_weights(8), two, [0.0, 1.0], 100.0, 0),
    }
    names = "weights", "batches", "rates", "max_norm", "pad_id"
    return tuple(Case(name, dict(zip(names, run, strict=True))) for name, run in runs.items())


_MISTAKES = mistakes(
    _loop(shift=lambda t: (t[:, :-1], t[:, :-1])),
    "The labels equal the inputs, so the model must predict the word that it has just read. The "
    "labels are all columns but the first.",
    _loop(shift=lambda t: (t[:, 1:], t[:, :-1])),
    "The shift goes the wrong way: the model must predict the previous word.",
    _loop(shift=lambda t: (t[:, :-2], t[:, 1:-1]) if t.shape[1] > 2 else (t[:, :-1], t[:, 1:])),
    "The last column is missing from the labels, so the model never learns where the longest "
    "sentence ends.",
    _loop(_with_pads),
    "The loss counts the padding. Leave out every label that is pad_id.",
    _loop(_by_sentence),
    "You average the means of the sentences. Take one mean over all labels of the batch that are "
    "not padding.",
    _loop(_summed),
    "The losses are summed, not averaged, so a longer batch causes a larger step.",
    _loop(keeps_gradient=True),
    "The gradients of earlier batches are still in the sum. Set the gradient to zero (or None) "
    "before each backward pass.",
    _loop(cut=lambda gradient, _: gradient),
    "The gradient is not clipped to max_norm.",
    _loop(cut=lambda gradient, most: gradient * (most / gradient.norm())),
    "You scale every gradient to the length max_norm. Scale only a gradient that is longer.",
    _loop(cut=lambda gradient, most: gradient.clamp(-most, most)),
    "You clip each entry by itself. Compute the length of the whole gradient, and scale it.",
    _loop(rate_of=lambda rates, i: -rates[i]),
    "The step goes uphill, so the loss grows. Subtract the gradient.",
    _loop(rate_of=lambda rates, _: rates[0]),
    "All steps use the first learning rate. rates has one for each batch.",
    _loop(loss_after=True),
    "You return the loss after each step. Return the loss from which the gradient was computed.",
)


def _with_backward(
    weights: Tensor, batches: list[Tensor], rates: list[float], max_norm: float, pad_id: int
) -> _Answer:
    table, losses = torch.nn.Parameter(weights.clone()), []
    for targets, rate in zip(batches, rates, strict=True):
        inputs, labels = targets[:, :-1], targets[:, 1:]
        with torch.enable_grad():
            logits = table[inputs].flatten(0, 1)
            loss = cross_entropy(logits, labels.flatten(), ignore_index=pad_id)
            table.grad = None
            loss.backward()
        torch.nn.utils.clip_grad_norm_([table], max_norm)
        with torch.no_grad():
            table.sub_(rate * (torch.zeros(()) if table.grad is None else table.grad))
        losses.append(loss.detach())
    return table.detach(), torch.stack(losses)


def _by_hand(
    weights: Tensor, batches: list[Tensor], rates: list[float], max_norm: float, pad_id: int
) -> _Answer:
    """Use the formula of the gradient: probabilities minus targets."""
    table, losses = weights.clone(), []
    for targets, rate in zip(batches, rates, strict=True):
        inputs, labels = targets[:, :-1].flatten(), targets[:, 1:].flatten()
        inputs, labels = inputs[labels != pad_id], labels[labels != pad_id]
        log_probs = table[inputs].log_softmax(dim=-1)
        losses.append(-log_probs.gather(1, labels[:, None]).mean())
        wrong_by = log_probs.exp() - torch.eye(len(table), dtype=table.dtype)[labels]
        gradient = torch.zeros_like(table).index_add(0, inputs, wrong_by / len(labels))
        table = table - rate * _cut(gradient, max_norm)
    return table, torch.stack(losses)


def _draw(draw: Draw) -> Inputs:
    size = draw.size(4, 8)
    batches = []
    for _ in range(draw.size(1, 3)):
        rows = [[1] + [draw.size(2, size - 1) for _ in range(draw.size(1, 4))] for _ in range(3)]
        batches.append(_batch(*rows))
    rates = [float(draw.choice(0.1, 0.5, 1.0)) for _ in batches]
    return _far_from_zero(draw.normal(size, size)), batches, rates, draw.choice(0.1, 0.5, 10.0), 0


train_table = Exercise(
    name="training_a_translator.train_table",
    reference=_loop(),
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_with_backward, _by_hand),
    draw=_draw,
    hint_texts=(
        "Six things happen for each batch. What are they, and in what order? Look at the drawing "
        "of one step.",
        "Clone the weights and call requires_grad_() on the clone. For each batch: shift, "
        "F.cross_entropy with ignore_index, backward, clip, subtract under torch.no_grad(), and "
        "set the gradient to None.",
        "logits = table[targets[:, :-1]]; loss = F.cross_entropy(logits.flatten(0, 1), "
        "targets[:, 1:].flatten(), ignore_index=pad_id); after loss.backward(): "
        "factor = min(1, max_norm / table.grad.norm()); with torch.no_grad(): "
        "table -= rate * factor * table.grad.",
    ),
    starter='''\
def train_table(weights, batches, rates, max_norm, pad_id):
    """Train a table of logits (V, V): return the new table and the losses."""
    ...  # weights[w] are the logits of the word after w
''',
)
