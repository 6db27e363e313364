"""Find the bug: each word of a context gets the whole gradient of their mean."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("words_as_vectors.bag_gradient")


def _slope(outputs: Tensor, x: Tensor, middle: int) -> Tensor:
    """Return the gradient of the loss along x."""
    p = (outputs @ x).softmax(dim=0)
    return p @ outputs - outputs[middle]


def _spread(inputs: Tensor, context: Tensor, piece: Tensor) -> Tensor:
    return torch.zeros_like(inputs).index_add_(0, context, piece.expand(len(context), -1))


def _reference(inputs: Tensor, outputs: Tensor, context: Tensor, middle: int) -> Tensor:
    piece = _slope(outputs, inputs[context].mean(dim=0), middle) / len(context)
    return _spread(inputs, context, piece)


def _cases() -> tuple[Case, ...]:
    def case(name: str, words: int, width: int, context: list[int], middle: int) -> Case:
        inputs, outputs = (_normal(words, width, dtype=torch.float64) for _ in range(2))
        ids = {"context": torch.tensor(context), "middle": middle}
        return Case(name, {"inputs": inputs, "outputs": outputs, **ids})

    small = {
        "inputs": torch.tensor([[1.0, 0], [0, 1], [1, 1]]),
        "outputs": torch.tensor([[0.5, 0], [0, 0.5], [-0.5, 0]]),
    }
    return (
        Case("a context of two", {**small, "context": torch.tensor([0, 1]), "middle": 2}),
        case("four words around a fifth", 6, 3, [5, 0, 1, 4], 2),
        case("a word that occurs twice in the context", 5, 4, [3, 1, 3], 0),
        case("the middle word occurs in its own context", 4, 3, [2, 0], 2),
        case("one word of context, at the end of a sentence", 4, 2, [1], 3),
        case("width 1", 3, 1, [2, 0, 2, 2], 1),
        case("a vocabulary of one word", 1, 3, [0, 0], 0),
    )


def _full(inputs: Tensor, outputs: Tensor, context: Tensor, middle: int) -> Tensor:
    return _spread(inputs, context, _slope(outputs, inputs[context].mean(dim=0), middle))


def _of_the_sum(inputs: Tensor, outputs: Tensor, context: Tensor, middle: int) -> Tensor:
    return _spread(inputs, context, _slope(outputs, inputs[context].sum(dim=0), middle))


def _once(inputs: Tensor, outputs: Tensor, context: Tensor, middle: int) -> Tensor:
    gradient = torch.zeros_like(inputs)
    gradient[context] = _slope(outputs, inputs[context].mean(dim=0), middle) / len(context)
    return gradient


def _like_skip_gram(inputs: Tensor, outputs: Tensor, context: Tensor, middle: int) -> Tensor:
    pieces = torch.stack([_slope(outputs, inputs[word], middle) for word in context])
    return torch.zeros_like(inputs).index_add_(0, context, pieces) / len(context)


def _at_the_middle(inputs: Tensor, outputs: Tensor, context: Tensor, middle: int) -> Tensor:
    gradient = torch.zeros_like(inputs)
    gradient[middle] = _slope(outputs, inputs[context].mean(dim=0), middle)
    return gradient


def _without_target(inputs: Tensor, outputs: Tensor, context: Tensor, middle: int) -> Tensor:
    p = (outputs @ inputs[context].mean(dim=0)).softmax(dim=0)
    return _spread(inputs, context, p @ outputs / len(context))


_MISTAKES = mistakes(
    _full,
    "Each word of the context gets the whole gradient of the mean. A mean of C vectors passes "
    "1/C of its gradient to each: nudge one entry and see.",
    _of_the_sum,
    "This is the gradient for the sum of the context's vectors. Here x is their mean.",
    _once,
    "A word that occurs twice in the context gets its part twice. An assignment to "
    "gradient[context] writes it once; index_add_ adds.",
    _like_skip_gram,
    "Each word of the context guesses by itself, as in skip-gram. Here there is one guess, "
    "from the mean of all of them.",
    _at_the_middle,
    "The gradient is in the row of the middle word. The input vectors that were read are "
    "those of the context: the gradient belongs in their rows.",
    _without_target,
    "The target is missing: subtract 1 at the middle word.",
)


def _by_autograd(inputs: Tensor, outputs: Tensor, context: Tensor, middle: int) -> Tensor:
    table = inputs.clone().requires_grad_()
    loss = -(outputs @ table[context].mean(dim=0)).log_softmax(dim=0)[middle]
    return torch.autograd.grad(loss, table)[0]


def _by_counts(inputs: Tensor, outputs: Tensor, context: Tensor, middle: int) -> Tensor:
    shares = torch.bincount(context, minlength=len(inputs)).to(inputs) / len(context)
    return torch.outer(shares, _slope(outputs, shares @ inputs, middle))


def _draw(draw: Draw) -> Inputs:
    words, width = draw.size(2), draw.size()
    inputs, outputs = draw.normal(words, width, size=draw.scale()), draw.normal(words, width)
    context = torch.tensor([draw.size(0, words - 1) for _ in range(draw.size(1, 4))])
    return inputs, outputs, context, draw.size(0, words - 1)


bag_gradient = Exercise(
    name="words_as_vectors.bag_gradient",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_autograd, _by_counts),
    draw=_draw,
    hint_texts=(
        "Move the input vector of one context word by a little. By how much does x move?",
        "x is a mean of C vectors. The chain rule puts a factor into each of their gradients.",
        "Divide p @ outputs by len(context) before you copy it to the rows.",
    ),
    starter='''\
def bag_gradient(inputs, outputs, context, middle):
    """Gradient of -ln p(middle | context) for inputs (V, D); context (C,)."""
    x = inputs[context].mean(dim=0)
    p = (outputs @ x).softmax(dim=0)
    p[middle] -= 1
    rows = (p @ outputs).expand(len(context), -1)
    return torch.zeros_like(inputs).index_add_(0, context, rows)
''',
)
