"""Compute every step of the trained translator on one sentence."""

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import torch
from torch import Tensor, nn

from lessons.kit.figures import shared
from lessons.kit.machine import machine
from transformer_lite.decoding import greedy
from transformer_lite.models.inspection import record_attention
from transformer_lite.models.transformer import Transformer
from transformer_lite.text import Tokenizer

SHARED = shared("machine_steps")
BOS, EOS, UNK = Tokenizer.bos_id, Tokenizer.eos_id, Tokenizer.unk_id


class Place(NamedTuple):
    """The position of a step; layer and token count from 0."""

    part: str
    kind: str
    layer: int
    token: int


class Trace(NamedTuple):
    """A sentence on its way through the machine.

    Attributes:
        source: its words as typed, with the end.
        unknown: those of them that the model does not know.
        is_cut: whether more words were typed than it reads.
        ids: the target with its begin, always the likeliest token.
        sentence: the target as text.
        places: every step, in order.
        reading, writing: the vectors after each step of a pass, (S, D) and (T, D).
        words: the target's words before their positions are added, (T, D).
        weights: of each attention by its name, (H, T, S).
        log_probs: of what may come next, (T, V).
    """

    source: list[str]
    unknown: list[str]
    is_cut: bool
    ids: list[int]
    sentence: str
    places: list[Place]
    reading: list[Tensor]
    writing: list[Tensor]
    words: Tensor
    weights: dict[str, Tensor]
    log_probs: Tensor


@functools.lru_cache(maxsize=32)
@torch.no_grad()
def trace(text: str) -> Trace:
    """Read a sentence and translate it, always with the likeliest word.

    Where it has too many words, the first ones are read.
    """
    model, tokenizer = machine()
    most = SHARED["words"]
    typed, known = tokenizer.pieces(text), tokenizer.encode(text)[:most]
    pieces = typed[:most]
    source = torch.tensor([[*known, EOS]])
    target = greedy(model, source, eos_id=EOS, bos_id=BOS, max_len=SHARED["most"])
    with _streams(model.encoder) as reading, _streams(model.decoder) as writing:
        record = record_attention(model, source, target[:, :-1])
    words = model.tgt_embedding.table(target[0, :-1])  # type: ignore[operator]
    logits = record.output[0].clone()  # type: ignore[index]
    logits[:, Tokenizer.pad_id] = -torch.inf
    return Trace(
        [*pieces, tokenizer.tokens[EOS]],
        [piece for piece, i in zip(pieces, known, strict=True) if i == UNK],
        len(typed) > most,
        target[0].tolist(),
        tokenizer.decode(target[0].tolist()),
        _places(model, target.shape[1] - 1),
        reading,
        writing,
        words * words.shape[-1] ** 0.5,
        {name: weights[0] for name, weights in record.weights.items()},
        logits.log_softmax(dim=-1),
    )


@contextmanager
def _streams(stack: nn.Module) -> Iterator[list[Tensor]]:
    """Collect what goes into a stack, and what comes out of each residual sum and the last norm."""
    found: list[Tensor] = []
    parts = [module for name, module in stack.named_modules() if name.endswith("_residual")]
    handles = [
        part.register_forward_hook(lambda _, __, output: found.append(output[0]))
        for part in (*parts, stack.norm)
    ]
    before = stack.register_forward_pre_hook(lambda _, inputs: found.append(inputs[0][0]))
    try:
        yield found
    finally:
        for handle in (*handles, before):
            handle.remove()


def _places(model: Transformer, tokens: int) -> list[Place]:
    """Every step: once through the encoder, and through the decoder for each token."""
    reading = _pass("encoder", len(model.encoder.layers), ("attention", "feed_forward"), "norm", 0)  # type: ignore[arg-type]
    kinds = "self", "cross", "feed_forward"
    return reading + [
        place
        for token in range(tokens)
        for place in _pass("decoder", len(model.decoder.layers), kinds, "output", token)  # type: ignore[arg-type]
    ]


def _pass(part: str, layers: int, kinds: tuple[str, ...], last: str, token: int) -> list[Place]:
    inner = [Place(part, kind, layer, token) for layer in range(layers) for kind in kinds]
    return [Place(part, "embed", 0, token), *inner, Place(part, last, 0, token)]
