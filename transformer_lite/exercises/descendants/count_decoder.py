"""Count the weights of a decoder such as GPT-2, to the unit."""

from collections.abc import Callable

import torch

from transformer_lite.exercises._kit import Case, Exercise, Mistake

Counts = dict[str, int]


def _case(
    name: str, vocab_size: int, max_len: int, num_layers: int, d_model: int, d_ff: int
) -> Case:
    sizes = {"vocab_size": vocab_size, "max_len": max_len, "num_layers": num_layers}
    return Case(name, sizes | {"d_model": d_model, "d_ff": d_ff})


_CASES = (
    _case("the smallest GPT-2", 50257, 1024, 12, 768, 3072),
    _case("one layer, by hand", 3, 5, 1, 2, 4),
    _case("a character model: 5 layers of width 6", 65, 32, 5, 6, 24),
    _case("an inner width that is not 4·D", 11, 7, 3, 8, 5),
    _case("more positions than words", 2, 40, 2, 3, 12),
    _case("width 1", 9, 4, 2, 1, 6),
)


def _with(
    attention: Callable[[int], int] = lambda d: 4 * (d * d + d),
    feed_forward: Callable[[int, int], int] = lambda d, m: 2 * d * m + m + d,
    norms: Callable[[int], int] = lambda d: 4 * d,
    more: Callable[[int, int, int, int], int] = lambda v, length, n, d: 2 * d,
) -> Callable[[int, int, int, int, int], Counts]:
    """Return a count in which some of the formulas are others; `more` is what stands alone."""

    def count(vocab_size: int, max_len: int, num_layers: int, d_model: int, d_ff: int) -> Counts:
        layer = attention(d_model) + feed_forward(d_model, d_ff) + norms(d_model)
        tables = {"tokens": vocab_size * d_model, "positions": max_len * d_model}
        alone = more(vocab_size, max_len, num_layers, d_model)
        total = sum(tables.values()) + num_layers * layer + alone
        return tables | {"layer": layer, "total": total}

    return count


_MISTAKES = (
    Mistake(
        _with(more=lambda v, length, n, d: 2 * d + v * d),
        "The output is counted as a table of its own. It is tied: its V·D weights are those of the "
        "token table, and count once.",
    ),
    Mistake(
        _with(more=lambda v, length, n, d: 2 * d + v),
        "The output has no bias here. It is the token table, read the other way round.",
    ),
    Mistake(
        _with(more=lambda v, length, n, d: 0),
        "The norm behind the last layer is missing: 2·D numbers, once.",
    ),
    Mistake(
        _with(more=lambda v, length, n, d: 2 * d + n * length * length),
        "The masks are counted. Some files of GPT-2 hold a table of L × L for each layer, but "
        "nothing in it is trained: it only says who may look at whom.",
    ),
    Mistake(
        _with(attention=lambda d: 4 * d * d, feed_forward=lambda d, m: 2 * d * m),
        "The biases are missing. Each of GPT-2's linear layers adds one number for each of its "
        "outputs.",
    ),
    Mistake(
        _with(attention=lambda d: 8 * (d * d + d)),
        "There is one attention in a layer. The second one, which asks an encoder, is gone with "
        "the encoder.",
    ),
    Mistake(
        _with(feed_forward=lambda d, m: 8 * d * d + 5 * d),
        "The hidden layer is taken to be 4·D wide. Which width it has is for the caller to say: "
        "use d_ff.",
    ),
    Mistake(
        _with(norms=lambda d: 2 * d),
        "A layer has two norms, and each has a gain and a shift: 2·D numbers in each.",
    ),
)


def _from_tensors(
    vocab_size: int, max_len: int, num_layers: int, d_model: int, d_ff: int
) -> Counts:
    def size(*shapes: tuple[int, ...]) -> int:
        return sum(torch.empty(shape).numel() for shape in shapes)

    wide, hidden = (d_model,), (d_ff,)
    attention = size((d_model, 3 * d_model), (3 * d_model,), (d_model, d_model), wide)
    feed_forward = size((d_model, d_ff), hidden, (d_ff, d_model), wide)
    layer = attention + feed_forward + size(wide, wide, wide, wide)
    tokens, positions = size((vocab_size, d_model)), size((max_len, d_model))
    total = tokens + positions + num_layers * layer + size(wide, wide)
    return {"tokens": tokens, "positions": positions, "layer": layer, "total": total}


count_decoder = Exercise(
    name="descendants.count_decoder",
    reference=_with(),
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_with(), _from_tensors),
    hint_texts=(
        "Which parts of the model hold weights before the first layer, in each layer, and behind "
        "the last one? And which part has none of its own?",
        "A linear layer from a to b features has a·b weights and b biases, a norm has a gain and a "
        "shift for each feature. Add up one layer; then both tables, all layers and the last norm.",
        "layer = 4 * (d_model**2 + d_model) + 2 * d_model * d_ff + d_ff + d_model + 4 * d_model. "
        "The total is (vocab_size + max_len) * d_model + num_layers * layer + 2 * d_model.",
    ),
    starter='''\
def count_decoder(vocab_size, max_len, num_layers, d_model, d_ff):
    """Count weights: a dict with tokens, positions (the two tables),
    layer (one of them) and total (the whole model)."""
    raise NotImplementedError
''',
)
