"""The logits of the next token, which every way of decoding asks for again and again.

The plain form has one line: ``model(source, tokens)[:, -1]``. :class:`NextToken` does the same with
a KV cache, for prompts of different lengths, and with a faster step where the model has one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor, nn

from transformer_lite.checks import check_batch_of_ids, check_rows, check_size
from transformer_lite.fast.exact import PreparedStep
from transformer_lite.layers.embedding import vocab_size_of
from transformer_lite.models.transformer import DecoderOnlyTransformer, Transformer


class NextToken:
    """Return the logits of the next token, one call per token.

    With a cache, every call computes only the tokens that are new since the last one.

    Args:
        model: in evaluation mode; its weights must not change between the calls. If a part is
            replaced, gets hooks or goes into training mode, that counts from the next call on.
        ids: the source or the prompts, shape (B, S).
        bos_id: the first token of every target; None for a decoder-only model. T5's targets
            begin with its padding id.
        use_cache: whether to keep keys and values from call to call.

    Attributes:
        prompt: the tokens that the targets begin with, shape (B, P).
        shortest, longest: the number of tokens in the shortest and the longest prompt.

    Raises:
        TypeError: `model` is of neither kind that can decode, `ids` does not hold integers, or
            `bos_id` is not an int.
        ValueError: the model is in training mode; the ids are not of shape (B, S) with S at least
            1, or not in the vocabulary; `bos_id` is missing, superfluous, out of range or an id
            that the decoder takes for padding; or a prompt has padding before a token.
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
        self.pad_id = model.target_pad_id
        self.sources: list[Tensor] = []  # the memory, and its mask if there is padding
        self._forward: Callable[..., Tensor]
        if isinstance(model, Transformer):
            self._embedding, self._forward = model.tgt_embedding, model.decode
            self._check_id("bos_id", bos_id, self.pad_id)
            self._encode(model, ids)
            self.prompt = torch.full_like(ids[:, :1], bos_id)  # type: ignore[arg-type] # no None
        else:
            if bos_id is not None:
                raise ValueError(f"bos_id must be None: a prompt has its own start, got {bos_id}")
            self._embedding, self._forward = model.embedding, model
            check_batch_of_ids("ids", ids, vocab_size_of(model.embedding))
            self.prompt = ids
        self._check_prompt()
        self.cache = model.new_cache() if use_cache else None
        self._fast = PreparedStep(model, _modules_of_a_step)

    def __call__(self, tokens: Integer[Tensor, "B T"]) -> Float[Tensor, "B V"]:
        """Return the logits of the token after `tokens`; a padding id that is hidden gets −∞."""
        new = tokens if self.cache is None else self._new(tokens, self.cache.length)
        step = self._fast_step() if new.shape[1] == 1 else None
        if step is None:
            logits = self._forward(new, *self.sources, cache=self.cache)[:, -1]
        else:
            logits = step(new)
        if self.pad_id is not None:
            logits[:, self.pad_id] = -torch.inf
        return logits

    def is_token(self, ids: Integer[Tensor, "*B"]) -> Bool[Tensor, "*B"]:
        """Return which ids are not padding."""
        if self.pad_id is None:
            return torch.ones_like(ids, dtype=torch.bool)
        return ids != self.pad_id

    def fill_id(self, eos_id: int) -> int:
        """Return the id after the end of a row: the padding id, or `eos_id` if there is none."""
        return eos_id if self.model.pad_id is None else self.model.pad_id

    def prompt_ids(self, position: int) -> Integer[Tensor, " B"] | None:
        """Return the ids of the prompts at `position`, or None if all prompts are shorter."""
        return self.prompt[:, position] if position < self.prompt.shape[1] else None

    def keep_prompt(
        self, ids: Integer[Tensor, " B"], position: int
    ) -> tuple[Integer[Tensor, " B"], Bool[Tensor, " B"]]:
        """Replace chosen ids by those of prompts that have a token at `position`.

        Returns:
            The ids, and which of them come from a prompt.
        """
        prompt = self.prompt_ids(position)
        if prompt is None:
            return ids, torch.zeros_like(ids, dtype=torch.bool)
        from_prompt = self.is_token(prompt)
        return torch.where(from_prompt, prompt, ids), from_prompt

    def reorder(self, rows: Integer[Tensor, " N"]) -> None:
        """Let row i continue row `rows[i]`, with its source and its prompt.

        Args:
            rows: the rows to continue, shape (N,); N may differ from the number of rows before.

        Raises:
            TypeError: `rows` does not hold integers.
            ValueError: a row does not exist.
        """
        check_rows(rows, len(self.prompt))
        moved = [source[rows] for source in self.sources], self.prompt[rows]
        if self.cache is not None:
            self.cache.reorder(rows)
        self.sources, self.prompt = moved
        self._fast.reset()  # it was prepared for the old rows

    def reorder_targets(self, rows: Integer[Tensor, " N"]) -> None:
        """Reorder as many rows as before, each by one with the same source and prompt.

        The beams of one text change places among themselves, so their sources stay where they are.
        """
        if self.cache is not None:
            self.cache.reorder_targets(rows)

    # You can skip the rest at first: the source, the faster step, and checks.

    def _encode(self, model: Transformer, ids: Tensor) -> None:
        self.sources.append(model.encode(ids))
        mask = model.padding_mask(ids)
        if not bool(mask.all()):
            self.sources.append(mask)

    def _fast_step(self) -> Callable[[Tensor], Tensor] | None:
        """Return the model's fast step, or None if the cache is missing or empty."""
        if self.cache is None or self.cache.length == 0:
            return None
        return self._fast(self.cache, *self.sources)

    def _new(self, tokens: Tensor, length: int) -> Tensor:
        """Return the tokens that are not in the cache yet."""
        if tokens.ndim == 2 and tokens.shape[1] <= length:
            raise ValueError(
                f"tokens must be more than the {length} in the cache, got {tokens.shape[1]}"
            )
        return tokens[:, length:]

    def check_end(self, eos_id: int, max_len: int) -> None:
        """Require an end token of the vocabulary and room for every prompt."""
        self._check_id("eos_id", eos_id, self.model.pad_id)
        check_size("max_len", max_len)
        if max_len < self.longest:
            raise ValueError(
                f"max_len must have room for the longest prompt, {self.longest} tokens, "
                f"got {max_len}; raise max_len or shorten the prompt"
            )

    def _check_id(self, name: str, value: Any, pad_id: int | None) -> None:
        check_size(name, value, minimum=0)
        size = vocab_size_of(self._embedding)
        if value >= size:
            raise ValueError(f"{name} must be below the vocabulary size {size}, got {value}")
        if value == pad_id:
            raise ValueError(f"{name} must not be the padding id, got {value}")

    def _check_prompt(self) -> None:
        is_token = self.is_token(self.prompt)
        lengths = is_token.sum(dim=1).tolist() or [1]
        self.shortest, self.longest = min(lengths), max(lengths)
        if self.shortest == 0 or (is_token[:, 1:] & ~is_token[:, :-1]).any():
            raise ValueError(
                "ids must hold prompts of at least one token with padding only at their end, "
                f"got padding among {self.prompt.tolist()!s:.60}"
            )


def _check_model(model: object) -> None:
    if not isinstance(model, Transformer | DecoderOnlyTransformer):
        raise TypeError(
            f"model must be a Transformer or a DecoderOnlyTransformer, got {type(model).__name__}"
        )
    if model.training:
        raise ValueError("model must be in evaluation mode, got training; call model.eval()")


def _modules_of_a_step(model: nn.Module) -> list[nn.Module]:
    """Return the modules that a step may run: all except those of the encoder."""
    children = [child for name, child in model.named_children() if name != "encoder"]
    return [model, *(part for child in children for part in child.modules())]
