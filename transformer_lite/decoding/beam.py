"""Beam search: continue the best few prefixes instead of only the best one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Integer, Real
from torch import Tensor

from transformer_lite.checks import check_number, check_size
from transformer_lite.decoding.next_token import NextToken
from transformer_lite.fast.top import topk
from transformer_lite.models.transformer import DecoderOnlyTransformer, Transformer


class BeamStep(NamedTuple):
    """One level of the tree: the continuations that were scored, and those that were kept.

    Axis 1 is the beam that is continued, axis 2 its best continuations (M beams, M of each).
    A beam that has ended continues with a fill token of probability 1. An entry that is not a
    continuation has a log-probability of −∞.
    """

    tokens: Integer[Tensor, "B M M"]
    log_probs: Float[Tensor, "B M M"]
    scores: Float[Tensor, "B M M"]
    kept: Integer[Tensor, "B M"]

    @property
    def parents(self) -> Integer[Tensor, "B M"]:
        """The beam that each kept continuation continues."""
        return self.kept // self.tokens.shape[2]

    def pick(self, candidates: Tensor) -> Tensor:
        """Return the entries of the kept continuations, shape (B, M)."""
        return candidates.flatten(start_dim=1).gather(1, self.kept)


@dataclass(frozen=True)
class BeamSearch:
    """The targets that a beam search has found, best first, and its search tree.

    Attributes:
        tokens: the targets with their start or prompt, shape (B, M, T), padded after their end.
        log_probs: the log-probability of each, without its start or prompt, shape (B, M).
        scores: the same divided by the length penalty, shape (B, M).
        tree: one :class:`BeamStep` for each position after the start.
    """

    tokens: Integer[Tensor, "B M T"]
    log_probs: Float[Tensor, "B M"]
    scores: Float[Tensor, "B M"]
    tree: list[BeamStep]

    @property
    def best(self) -> Integer[Tensor, "B T"]:
        """The best target of each row, shape (B, T)."""
        return self.tokens[:, 0]


def length_penalty(length: Real[Tensor, "*B"], alpha: float) -> Float[Tensor, "*B"]:
    """Return the divisor of a log-probability: ((5 + length) / 6)^α.

    Every token makes a text less probable, so without a penalty short texts would win.

    Args:
        length: the number of tokens, including the end token.
        alpha: α; 0 compares log-probabilities as they are.

    Returns:
        Tensor of the shape of `length`.

    Reference: Wu et al. 2016, equation 14; Vaswani et al. 2017, section 6.1, with α = 0.6.

    >>> length_penalty(torch.tensor([1, 7]), alpha=1.0)
    tensor([1., 2.])
    """
    return ((5.0 + length) / 6.0) ** alpha


def beam_search(
    model: Transformer | DecoderOnlyTransformer,
    ids: Integer[Tensor, "B S"],
    *,
    eos_id: int,
    bos_id: int | None = None,
    max_len: int = 64,
    num_beams: int = 4,
    alpha: float = 0.6,
    use_cache: bool = True,
) -> BeamSearch:
    """Continue the M best prefixes of every row and keep the M best of all continuations.

    A beam that has ended keeps its score and stays until M beams are better. The search of a row
    is over when no unfinished beam can still overtake the best one.

    Args:
        model, ids, eos_id, bos_id, max_len, use_cache: as in :func:`greedy`.
        num_beams: M, at least 1; with 1 this is :func:`greedy`.
        alpha: α of :func:`length_penalty`, at least 0.

    Returns:
        :class:`BeamSearch`.

    Raises:
        TypeError, ValueError: as in :func:`greedy`, and if `num_beams` or `alpha` is out of range.

    Reference: Sutskever, Vinyals and Le 2014, section 3.2; Wu et al. 2016 for the score.
    """
    check_size("num_beams", num_beams)
    check_number("alpha", alpha)
    with torch.inference_mode():
        next_token = NextToken(model, ids, bos_id, use_cache)
        next_token.check_end(eos_id, max_len)
        search = _Search(next_token, eos_id, num_beams, alpha, max_len)
        while search.tokens.shape[2] < max_len and not search.is_over():
            search.step()
    # Copies made outside inference mode are ordinary tensors, which gradients may use.
    tree = [BeamStep(*(numbers.clone() for numbers in step)) for step in search.tree]
    tokens, log_probs, scores = search.tokens, search.log_probs, search.scores()
    return BeamSearch(tokens.clone(), log_probs.clone(), scores.clone(), tree)


class _Search:
    """The M beams of every row, from one step to the next."""

    def __init__(
        self, next_token: NextToken, eos_id: int, num_beams: int, alpha: float, max_len: int
    ) -> None:
        self.next_token, self.eos_id, self.alpha = next_token, eos_id, alpha
        self.num_beams = num_beams
        self.prompt = prompt = next_token.prompt
        self.tokens = prompt[:, None, : next_token.shortest]
        self.log_probs = torch.zeros(len(prompt), 1, device=prompt.device)
        self.lengths = torch.zeros(len(prompt), 1, dtype=torch.long, device=prompt.device)
        self.ended = torch.zeros(len(prompt), 1, dtype=torch.bool, device=prompt.device)
        self.longest = max_len - next_token.is_token(prompt).sum(dim=1, keepdim=True)
        self.tree: list[BeamStep] = []

    def scores(self) -> Tensor:
        return self.log_probs / length_penalty(self.lengths, self.alpha)

    def is_over(self) -> bool:
        """Return whether in every row the best beam has ended and no other can overtake it."""
        # A log-probability never rises. At best it stays and is divided by the largest penalty.
        bound = self.log_probs / length_penalty(self.longest, self.alpha)
        best_open = bound.masked_fill(self.ended, -torch.inf).amax(dim=1)
        best_end = self.scores().masked_fill(~self.ended, -torch.inf).amax(dim=1)
        return bool((self.ended.any(dim=1) & (best_end >= best_open)).all())

    def step(self) -> None:
        """Grow all beams by one token and keep the best M."""
        step, forced = self._score_continuations()
        batch, beams = self.log_probs.shape
        first_row = torch.arange(0, batch * beams, beams, device=forced.device)[:, None]
        rows = (first_row + step.parents).flatten()
        # If the number of beams stays the same, they only change places within their own text.
        same_number = len(rows) == batch * beams
        (self.next_token.reorder_targets if same_number else self.next_token.reorder)(rows)
        token, was_forced = step.pick(step.tokens), forced.gather(1, step.parents)
        prefixes = self.tokens.gather(
            1, step.parents[..., None].expand(-1, -1, self.tokens.shape[2])
        )
        self.tokens = torch.cat([prefixes, token[..., None]], dim=2)
        self.log_probs = step.pick(step.log_probs)
        self.lengths = self.lengths.gather(1, step.parents) + ~was_forced
        self.ended = self.ended.gather(1, step.parents) | (token == self.eos_id) & ~was_forced
        self.tree.append(step)

    def _score_continuations(self) -> tuple[BeamStep, Bool[Tensor, "B M"]]:
        """Return the continuations of all beams, and which beams have only one."""
        logits = self.next_token(self.tokens.flatten(end_dim=1)).unflatten(0, self.ended.shape)
        most = min(self.num_beams, logits.shape[-1])
        precise = torch.promote_types(logits.dtype, torch.float32)  # a sum of many terms
        log_p, tokens = topk(logits.log_softmax(dim=-1, dtype=precise), most)
        forced, forced_id = self._forced_tokens()
        tokens[..., 0] = torch.where(forced, forced_id, tokens[..., 0])
        log_p = log_p.masked_fill(forced[..., None], -torch.inf)
        log_p[..., 0] = log_p[..., 0].masked_fill(forced, 0.0)
        log_probs = self.log_probs[..., None] + log_p
        scores = log_probs / length_penalty(self.lengths + ~forced, self.alpha)[..., None]
        kept = scores.flatten(start_dim=1).topk(min(self.num_beams, scores[0].numel())).indices
        return BeamStep(tokens, log_probs, scores, kept), forced

    def _forced_tokens(self) -> tuple[Tensor, Tensor]:
        """Return which beams have only one continuation, of probability 1, and its token.

        After its end a beam continues with the fill token, and before the end of its prompt with
        the token of the prompt.
        """
        fill = torch.full_like(self.lengths, self.next_token.fill_id(self.eos_id))
        position = self.tokens.shape[2]
        if position >= self.prompt.shape[1]:
            return self.ended, fill
        prompt = self.prompt[:, position, None].expand_as(self.ended)
        forced = self.ended | self.next_token.is_token(prompt)
        return forced, torch.where(self.ended, fill, prompt)
