"""Every number of one sentence on its way through the trained translator, by its part's name."""

import functools
import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from lessons.kit.figures import shared
from lessons.kit.machine import machine
from transformer_lite.decoding import greedy
from transformer_lite.layers.embedding import TokenEmbedding
from transformer_lite.layers.feed_forward import FeedForward
from transformer_lite.layers.multi_head import MultiHeadAttention
from transformer_lite.layers.positions import sinusoidal_positions
from transformer_lite.models.inspection import hooked
from transformer_lite.models.transformer import Transformer
from transformer_lite.text import Tokenizer

SHARED = shared("walk")
BOS, EOS, PAD, UNK = Tokenizer.bos_id, Tokenizer.eos_id, Tokenizer.pad_id, Tokenizer.unk_id


class Passing(NamedTuple):
    """A sentence that has passed through the machine.

    Attributes:
        source: its words as typed, with the end.
        source_ids: their numbers.
        unknown: those of them that the model does not know.
        is_cut: whether more words were typed than it reads.
        ids: the target with its begin, always the likeliest token.
        seen: what each module put out, (S, …) or (T, …), and of each attention the masked scores
            and the weights, (H, T, S).
    """

    source: list[str]
    source_ids: list[int]
    unknown: list[str]
    is_cut: bool
    ids: list[int]
    seen: dict[str, Tensor]


@functools.lru_cache(maxsize=64)
def passing(text: str) -> Passing:
    """Read a sentence and translate it, always with the likeliest token."""
    model, tokenizer = machine()
    typed, known = tokenizer.pieces(text), tokenizer.encode(text)[: SHARED["words"]]
    pieces = typed[: SHARED["words"]]
    source = torch.tensor([[*known, EOS]])
    target = greedy(model, source, eos_id=EOS, bos_id=BOS, max_len=SHARED["most"])
    return Passing(
        [*pieces, tokenizer.tokens[EOS]],
        [*known, EOS],
        [piece for piece, i in zip(pieces, known, strict=True) if i == UNK],
        len(typed) > SHARED["words"],
        target[0].tolist(),
        listened(model, source, target[:, :-1]),
    )


@torch.no_grad()
def listened(model: Transformer, source: Tensor, target: Tensor) -> dict[str, Tensor]:
    """Run the model once and keep what each of its modules puts out, by the module's name.

    Args:
        model: in evaluation mode.
        source, target: ids of shape (1, S) and (1, T).

    Returns:
        Tensors without the batch. Besides the modules there are, for each attention, `masked`,
        `weights` and `heads`, the heads side by side; for each feed-forward layer `hidden`; for
        each embedding `scaled` and `positions`.
    """
    seen: dict[str, Tensor] = {}

    def keep(name: str) -> Callable[..., None]:
        def hook(module: nn.Module, inputs: Any, named: dict[str, Any], output: Any) -> None:
            if isinstance(output, Tensor):
                seen[name] = output[0]
            seen.update(
                {f"{name}.{key}": x for key, x in _inside(module, inputs, named, seen, name)}
            )

        return hook

    with hooked(
        functools.partial(module.register_forward_hook, keep(name), with_kwargs=True)
        for name, module in model.named_modules()
        if name
    ):
        model(source, target)
    return seen


def _inside(
    module: nn.Module, inputs: Any, named: dict[str, Any], seen: dict[str, Tensor], name: str
) -> Iterable[tuple[str, Tensor]]:
    """Return the intermediate results of a module, if the walk shows them."""
    if isinstance(module, MultiHeadAttention):
        steps = module.steps(*inputs[:3], **{k: x for k, x in named.items() if k != "cache"})
        yield "masked", steps.masked[0]
        yield "weights", steps.weights[0]
        yield "heads", steps.output[0].transpose(0, 1).flatten(1)
    if isinstance(module, FeedForward):
        yield "hidden", seen[f"{name}.up"].relu()
    if isinstance(module, TokenEmbedding):
        row = seen[f"{name}.table"]
        yield "scaled", row * math.sqrt(module.d_model)
        yield "positions", sinusoidal_positions(len(row), module.d_model).to(row)
