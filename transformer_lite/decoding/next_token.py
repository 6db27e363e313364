"""The logits of the next token, asked for again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor, nn

from transformer_lite.checks import check_batch_of_ids, check_rows, check_size
from transformer_lite.fast.exact import conditions, fast_step
from transformer_lite.layers.embedding import vocab_size_of
from transformer_lite.models.transformer import DecoderOnlyTransformer, Transformer


class NextToken:
    """Ask a model for the logits of the next token, again and again.

    With a cache, every call computes only the tokens that are new since the last one. One new
    token a row is what a model's fast step is for, where it offers one; the result is the same.

    Args:
        model: in evaluation mode; its weights must not change between the calls. A part that is
            swapped, watched or trained from then on counts from the next call on.
        ids: the source or the prompts, shape (B, S).
        bos_id: the first token of every target; None for a decoder-only model.
        use_cache: whether to remember keys and values from call to call.

    Attributes:
        prompt: what the targets begin with, shape (B, P).

    Raises:
        TypeError: `model` is of neither kind that can decode, `ids` does not hold integers, or
            `bos_id` is not an int.
        ValueError: the model is in training mode, the ids are not of shape (B, S) with S at least
            1 or not in the vocabulary, `bos_id` is missing, superfluous, out of range or the pad,
            or a pad stands before a token of a prompt.
    """

    def __init__(
        self,
        model: Transformer | DecoderOnlyTransformer,
        ids: Integer[Tensor, "B S"],
        bos_id: int | None,
        use_cache: bool = True,
    ) -> None:
        _check_model(model)
        self.model = model
        self.pad_id = model.pad_id
        self.sources: list[Tensor] = []
        self._parts = _parts_of_a_step(model)
        self._prepared_under: list[object] = []
        self._step: Callable[[Tensor], Tensor] | None = None
        self._forward: Callable[..., Tensor]
        if isinstance(model, Transformer):
            self._embedding, self._forward = model.tgt_embedding, model.decode
            self._check_word("bos_id", bos_id)
            self._read_source(model, ids)
            self.prompt = torch.full_like(ids[:, :1], bos_id)  # type: ignore[arg-type] # no None
        else:
            if bos_id is not None:
                raise ValueError(f"bos_id must be None: a prompt has its own start, got {bos_id}")
            self._embedding, self._forward = model.embedding, model
            check_batch_of_ids("ids", ids, vocab_size_of(model.embedding))
            self.prompt = ids
        self._check_prompt()
        self.cache = model.new_cache() if use_cache else None

    def __call__(self, tokens: Integer[Tensor, "B T"]) -> Float[Tensor, "B V"]:
        """Return the logits of the token after `tokens`; the pad is not a word and gets −∞."""
        new = tokens if self.cache is None else self._new(tokens, self.cache.length)
        step = self._fast_step() if new.shape[1] == 1 else None
        if step is None:
            logits = self._forward(new, *self.sources, cache=self.cache)[:, -1]
        else:
            logits = step(new)
        if self.pad_id is not None:
            logits[:, self.pad_id] = -torch.inf
        return logits

    def given(self, position: int) -> Integer[Tensor, " B"] | None:
        """Return the token that each prompt has at `position`, or None where all have ended."""
        return self.prompt[:, position] if position < self.prompt.shape[1] else None

    def real(self, tokens: Integer[Tensor, "*B"]) -> Bool[Tensor, "*B"]:
        """Say which tokens are not padding."""
        if self.pad_id is None:
            return torch.ones_like(tokens, dtype=torch.bool)
        return tokens != self.pad_id

    def filler(self, eos_id: int) -> int:
        """Return what fills up the rows that end early: the pad, or the end where there is none."""
        return eos_id if self.pad_id is None else self.pad_id

    def reorder(self, rows: Integer[Tensor, " N"]) -> None:
        """Let row i continue what row `rows[i]` began, its source and its prompt too.

        Args:
            rows: the rows to continue, shape (N,); there may be more or fewer than before.

        Raises:
            TypeError: `rows` does not hold integers.
            ValueError: a row is not there.
        """
        check_rows(rows, len(self.prompt))
        moved = [source[rows] for source in self.sources], self.prompt[rows]
        if self.cache is not None:
            self.cache.reorder(rows)
        self.sources, self.prompt = moved
        self._step = None  # prepared anew, for the new rows

    def reorder_targets(self, rows: Integer[Tensor, " N"]) -> None:
        """The same for as many rows as before, each with the source and prompt of row `rows[i]`.

        Beams of one text change places among themselves: what they read stays where it is.
        """
        if self.cache is not None:
            self.cache.reorder_targets(rows)

    def check_end(self, eos_id: int, max_len: int) -> None:
        """Require an end token of the vocabulary and room for the shortest prompt."""
        self._check_word("eos_id", eos_id)
        check_size("max_len", max_len, minimum=self.shortest)

    def _read_source(self, model: Transformer, ids: Tensor) -> None:
        self.sources.append(model.encode(ids))
        real = model.real_tokens(ids)
        if not bool(real.all()):
            self.sources.append(real)

    def _fast_step(self) -> Callable[[Tensor], Tensor] | None:
        """Return the model's fast step; None without a cache that has something in it."""
        if self.cache is None or self.cache.length == 0:
            return None
        now = conditions(self._parts)
        if self._prepared_under != now:  # a part may be another one
            self._step, self._parts = None, _parts_of_a_step(self.model)
            self._prepared_under = conditions(self._parts)
        if self._step is None:
            self._step = fast_step(self.model, self.cache, *self.sources)
        return self._step

    def _new(self, tokens: Tensor, length: int) -> Tensor:
        """Return the tokens that the cache does not hold yet."""
        if tokens.ndim == 2 and tokens.shape[1] <= length:
            raise ValueError(
                f"tokens must go on behind the {length} that the cache holds, got {tokens.shape[1]}"
            )
        return tokens[:, length:]

    def _check_word(self, name: str, value: Any) -> None:
        check_size(name, value, minimum=0)
        size = vocab_size_of(self._embedding)
        if value >= size:
            raise ValueError(f"{name} must be below the vocabulary size {size}, got {value}")
        if value == self.pad_id:
            raise ValueError(f"{name} must not be the pad, got {value}")

    def _check_prompt(self) -> None:
        real = self.real(self.prompt)
        self.shortest = int(real.sum(dim=1).min()) if len(real) else 1
        if self.shortest == 0 or (real[:, 1:] & ~real[:, :-1]).any():
            raise ValueError(
                "ids must hold prompts of at least one token with pads only at their end, "
                f"got pads among {self.prompt.tolist()!s:.60}"
            )


def _check_model(model: object) -> None:
    if not isinstance(model, Transformer | DecoderOnlyTransformer):
        raise TypeError(
            f"model must be a Transformer or a DecoderOnlyTransformer, got {type(model).__name__}"
        )
    if model.training:
        raise ValueError("model must be in evaluation mode, got training; call model.eval()")


def _parts_of_a_step(model: nn.Module) -> list[nn.Module]:
    """Return the modules that a step may run, or whose hooks it may call; not the encoder's."""
    children = [child for name, child in model.named_children() if name != "encoder"]
    return [model, *(part for child in children for part in child.modules())]
