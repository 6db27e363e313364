"""Searches written from their definitions: one row at a time, no batch, cache or padding.

And a model that is small enough to know by heart.
"""

import itertools

import pytest
import torch
from sampling import each_value
from tiny_models import SRC, TGT

from transformer_lite import TokenEmbedding, Transformer, beam_search, greedy
from transformer_lite.decoding import NextToken
from transformer_lite.models import Decoder, DecoderOnlyTransformer
from transformer_lite.models.variants import POSITIONS

PAD, BOS, EOS, MAX_LEN = 0, 1, 2, 9
PROMPTS = torch.tensor([[3, 4, 5, 6], [7, 0, 0, 0], [8, 2, 9, 0], [5, 5, 0, 0]])
# What each kind of model reads, and how its targets start.
DECODERS = {Transformer: (SRC, BOS), DecoderOnlyTransformer: (PROMPTS, None)}
each_decoder = pytest.mark.parametrize("kind", DECODERS)
# Of the pairs of a decoder and its positions, `make test` runs one half with greedy search and the
# other half with beam search.
NAMES = ("kind", "positions")
pairs_of_greedy = pytest.mark.parametrize(NAMES, each_value(DECODERS, POSITIONS))
pairs_of_beams = pytest.mark.parametrize(NAMES, each_value(reversed([*DECODERS]), POSITIONS))


class Chain(DecoderOnlyTransformer):
    """A model whose next token depends on the last one alone: row i of a table, after token i."""

    def __init__(self, table: torch.Tensor):
        super().__init__(TokenEmbedding(len(table), 2), Decoder([]), torch.nn.Identity())
        self.table = table
        self.eval()

    def forward(self, ids, cache=None):
        if cache is not None:
            with cache.extend(self.padding_mask(ids)):
                return self.table[ids]
        return self.table[ids]


def chain(after: dict[int, int], size: int = 8) -> Chain:
    """A chain in which token `t` is followed, almost surely, by token `after[t]`."""
    table = torch.randn(size, size, dtype=torch.float64)
    for token, follower in after.items():
        table[token, follower] = 50.0
    return Chain(table)


def decoding_of_targets(model, use_cache: bool = True) -> NextToken:
    """A decoding that can continue prefixes of TGT; SRC is the source, if there is one."""
    ids, bos_id = (SRC, BOS) if isinstance(model, Transformer) else (TGT[:, :1], None)
    return NextToken(model, ids, bos_id, use_cache)


def alone(model, ids: torch.Tensor) -> list[tuple[torch.Tensor | None, list[int]]]:
    """Every row of `ids` by itself, without padding: its source and the prefix of its target."""
    rows = [row[row != model.pad_id] for row in ids]
    if isinstance(model, DecoderOnlyTransformer):
        return [(None, row.tolist()) for row in rows]
    return [(row[None], [BOS]) for row in rows]


@torch.no_grad()
def next_log_probs(model, source, tokens: list[int]) -> torch.Tensor:
    """The log-probability of every next token; the pad is none."""
    target = torch.tensor([tokens])
    logits = (model(target) if source is None else model(source, target))[0, -1].clone()
    logits[model.pad_id] = -torch.inf
    return logits.log_softmax(dim=-1)


def plain_greedy(model, source, tokens: list[int], eos_id: int, max_len: int) -> list[int]:
    """Append the most probable token until it is `eos_id` or there are `max_len`."""
    begun = len(tokens)
    while len(tokens) < max_len and eos_id not in tokens[begun:]:
        tokens = [*tokens, int(next_log_probs(model, source, tokens).argmax())]
    return tokens


def score(log_prob: float, length: int, alpha: float) -> float:
    """A log-probability over the length penalty of the paper."""
    return log_prob / ((5 + length) / 6) ** alpha


def plain_beam(model, source, begin: list[int], eos_id: int, max_len: int, num_beams, alpha):
    """Grow all beams by all tokens and keep the best, up to the end: (score, log_prob, tokens)."""
    beams = [(0.0, 0.0, begin)]
    for _ in range(max_len - len(begin)):
        grown = []
        for beam in beams:
            _, log_prob, tokens = beam
            if eos_id in tokens[len(begin) :]:
                grown.append(beam)
                continue
            for token, cost in enumerate(next_log_probs(model, source, tokens).tolist()):
                total, length = log_prob + cost, len(tokens) + 1 - len(begin)
                grown.append((score(total, length, alpha), total, [*tokens, token]))
        beams = sorted(grown, reverse=True)[:num_beams]
    return beams


def every_target(model, source, begin: list[int], eos_id: int, max_len: int, alpha):
    """All targets that end with `eos_id` or are `max_len` long, best first, as in a beam search."""
    size = len(next_log_probs(model, source, begin))
    words = [t for t in range(size) if t not in (eos_id, PAD)]
    found, room = [], max_len - len(begin)
    for length in range(room + 1):
        for body in itertools.product(words, repeat=length):
            target = [*begin, *body, eos_id] if length < room else [*begin, *body]
            log_prob = sum(
                next_log_probs(model, source, target[:n])[target[n]].item()
                for n in range(len(begin), len(target))
            )
            found.append((score(log_prob, len(target) - len(begin), alpha), log_prob, target))
    return sorted(found, reverse=True)


def padded(tokens: list[int], length: int, pad_id: int = PAD) -> list[int]:
    return tokens + [pad_id] * (length - len(tokens))


def search(model, ids=None, **options):
    """A beam search of the package, with the inputs of `DECODERS` where none are given."""
    own_ids, bos_id = DECODERS.get(type(model), (None, None))
    options = {"eos_id": EOS, "bos_id": bos_id, "max_len": MAX_LEN} | options
    return beam_search(model, own_ids if ids is None else ids, **options)


def common_token(model) -> int:
    """A token that ends some rows early, some late: one that a greedy search chooses often."""
    ids, bos_id = DECODERS[type(model)]
    found = greedy(model, ids, eos_id=EOS, bos_id=bos_id, max_len=MAX_LEN)
    words = found[:, 4:]
    return int(words[words != PAD].mode().values)
