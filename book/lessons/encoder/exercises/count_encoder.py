"""Count the weights of an encoder, part by part."""

import math
from collections.abc import Callable

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes

Counts = dict[str, int]
Sizes = Callable[[int, int], int]


def _case(name: str, num_layers: int, d_model: int, d_ff: int) -> Case:
    return Case(name, {"num_layers": num_layers, "d_model": d_model, "d_ff": d_ff})


_CASES = (
    _case("the base model", 6, 512, 2048),
    _case("one layer, by hand", 1, 2, 4),
    _case("3 layers of width 6", 3, 6, 10),
    _case("narrower inside than outside", 2, 8, 3),
    _case("12 layers of width 768", 12, 768, 3072),
    _case("5 layers of width 1", 5, 1, 7),
)


def _with(
    attention: Sizes = lambda d, m: 4 * (d * d + d),
    feed_forward: Sizes = lambda d, m: 2 * d * m + m + d,
    norms: Sizes = lambda d, m: 4 * d,
    total: Callable[[int, Counts], int] = lambda n, one: n * sum(one.values()),
) -> Callable[[int, int, int], Counts]:
    """Return a count in which some of the formulas are others."""
    formulas = {"attention": attention, "feed_forward": feed_forward, "norms": norms}

    def count(num_layers: int, d_model: int, d_ff: int) -> Counts:
        one = {name: formula(d_model, d_ff) for name, formula in formulas.items()}
        return one | {"encoder": total(num_layers, one)}

    return count


_MISTAKES = mistakes(
    _with(attention=lambda d, m: 4 * d * d, feed_forward=lambda d, m: 2 * d * m),
    "The biases are missing. Each linear layer adds one number for each of its outputs.",
    _with(attention=lambda d, m: 3 * (d * d + d)),
    "Attention has four linear layers: query, key, value, and the one after the heads.",
    _with(feed_forward=lambda d, m: d * m + m),
    "This is one linear layer. The feed-forward layer has two, up and down.",
    _with(norms=lambda d, m: 2 * d),
    "A layer has two norms, and each has a gain and a shift: 2 · d_model numbers in each.",
    _with(norms=lambda d, m: 0, total=lambda n, one: n * sum(one.values())),
    "The gains and shifts of the norms are trained as well. They count.",
    _with(total=lambda n, one: sum(one.values())),
    "This is one layer. Each layer of the encoder has its own weights.",
    _with(total=lambda n, one: n * (sum(one.values()) + one["attention"])),
    "An encoder layer has one attention. The second one belongs to the decoder.",
)


def _from_shapes(num_layers: int, d_model: int, d_ff: int) -> Counts:
    """Write down the shape of each weight, and multiply."""

    def linear(inputs: int, outputs: int) -> list[tuple[int, ...]]:
        return [(outputs, inputs), (outputs,)]

    shapes: dict[str, list[tuple[int, ...]]] = {
        "attention": 4 * linear(d_model, d_model),
        "feed_forward": linear(d_model, d_ff) + linear(d_ff, d_model),
        "norms": 2 * linear(1, d_model)[1:] * 2,
    }
    one = {name: sum(math.prod(shape) for shape in group) for name, group in shapes.items()}
    return one | {"encoder": num_layers * sum(one.values())}


def _in_one_formula(num_layers: int, d_model: int, d_ff: int) -> Counts:
    attention, norms = (2 * d_model + 1) ** 2 - 1, d_model << 2
    feed_forward = (2 * d_model + 1) * d_ff + d_model
    total = (attention + feed_forward + norms) * num_layers
    return {
        "attention": attention,
        "feed_forward": feed_forward,
        "norms": norms,
        "encoder": total,
    }


def _draw(draw: Draw) -> Inputs:
    return draw.size(1, 8), draw.size(1, 40), draw.size(1, 40)


count_encoder = Exercise(
    name="encoder.count_encoder",
    reference=_with(),
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_from_shapes, _in_one_formula),
    draw=_draw,
    hint_texts=(
        "How many linear layers does attention have, how many does the feed-forward layer have, "
        "and how long is the bias of each?",
        "A linear layer from a to b features has a · b weights and b biases. A norm has a gain "
        "and a shift for each feature. Add up one layer, then multiply.",
        "attention = 4 * (d_model**2 + d_model), feed_forward = 2 * d_model * d_ff + d_ff + "
        "d_model, norms = 4 * d_model. The encoder is num_layers times their sum.",
    ),
    starter='''\
def count_encoder(num_layers, d_model, d_ff):
    """Count weights: a dict with attention, feed_forward, norms (of one
    layer, biases included) and encoder (all its layers)."""
    raise NotImplementedError
''',
)
