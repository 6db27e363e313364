"""The recurrent decoder: one state and one context for each target word."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from transformer_lite.checks import check_shape, check_size
from transformer_lite.layers.cache import DecoderCache, KVCache
from transformer_lite.models.recurrent.cells import Cell
from transformer_lite.models.recurrent.encoder import FixedContext


class Unrolled(NamedTuple):
    """The states and contexts of all steps of a decoder.

    Attributes:
        states: s₀ to s_T, shape (B, T+1, C): one more than there are words.
        contexts: c₁ to c_T, one for each target word, shape (B, T, M).
    """

    states: Float[Tensor, "B U C"]
    contexts: Float[Tensor, "B T M"]


class RecurrentDecoder(nn.Module):
    r"""Write the target word by word, with a context for each.

    .. math:: s_i = f(s_{i-1}, [y_{i-1}; c_i]), \qquad o_i = \tanh(W [s_i; c_i; y_{i-1}])

    f is the cell. The output layer after the decoder turns o into logits; together they are the
    function g of equation 4. s₀ = tanh(W' z*) starts from the last states of the encoder.

    Args:
        cell: f; it reads a word of width D and a context of width M.
        look: from a state to a context of width M: :class:`FixedContext` returns z* at every step,
            :class:`AdditiveAttention` attends to all annotations again.
        d_model: the width D of a word, and of o.
        forward_size: how many numbers of an annotation come from the forward direction.

    Raises:
        TypeError: a size is not an int.
        ValueError: a size is smaller than 1, or the cell has no room for a context.

    Reference: Bahdanau et al. 2014, equations 4 and 5 and appendix A. Differs from the paper: o is
    a tanh instead of a maxout, and s₀ sees both ends of the source.
    """

    def __init__(self, cell: Cell, look: nn.Module, d_model: int, forward_size: int) -> None:
        super().__init__()
        check_size("d_model", d_model)
        memory_size = cell.input_size - d_model
        if memory_size < 1:
            raise ValueError(
                "cell must read a word and a context, more than "
                f"d_model={d_model} numbers, got input_size={cell.input_size}"
            )
        self.cell, self.look, self.memory_size = cell, look, memory_size
        self.end = FixedContext(forward_size)
        self.start = nn.Linear(memory_size, cell.state_size)
        self.readout = nn.Linear(cell.hidden_size + memory_size + d_model, d_model)

    def forward(
        self,
        x: Float[Tensor, "B T D"],
        memory: Float[Tensor, "B S M"],
        mask: Bool[Tensor, "..."] | None = None,
        memory_mask: Bool[Tensor, "B 1 1 S"] | None = None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "B T D"]:
        """Return o for each target word, shape (B, T, D).

        Args:
            x: the target words, shape (B, T, D); with a cache, only those that are new.
            memory: the annotations of the source, shape (B, S, M).
            mask: not needed, because a step cannot see later words.
            memory_mask: which source words are not padding, shape (B, 1, 1, S); None means all.
            cache: from :meth:`new_cache`: the state after the words before.

        Raises:
            TypeError, ValueError: an argument has another type or shape.
        """
        source_mask = None if memory_mask is None else memory_mask[:, 0, 0]
        state = cache.state if isinstance(cache, RecurrentCache) else None
        unrolled = self.unroll(x, memory, source_mask, state)
        if isinstance(cache, RecurrentCache):
            cache.state = unrolled.states[:, -1]
        hidden = self.cell.hidden(unrolled.states[:, 1:])
        return self.readout(torch.cat([hidden, unrolled.contexts, x], dim=-1)).tanh()

    def unroll(
        self,
        x: Float[Tensor, "B T D"],
        memory: Float[Tensor, "B S M"],
        mask: Bool[Tensor, "B S"] | None = None,
        state: Float[Tensor, "B C"] | None = None,
    ) -> Unrolled:
        """Return all states and contexts.

        Args:
            x, memory: as in :meth:`forward`.
            mask: which source words are not padding, shape (B, S); None means all.
            state: the state to continue from, shape (B, C); None starts from s₀.

        Raises:
            TypeError, ValueError: an argument has another type or shape.
        """
        check_shape("memory", memory, "B", "S", self.memory_size)
        if state is None:
            state = self.start(self.end.summary(memory, mask)).tanh()
        read = self.look.reading(memory, mask)  # type: ignore[operator] # a method, not a Tensor
        states, contexts = [state], []
        for word in x.unbind(dim=1):
            contexts.append(read(self.cell.hidden(states[-1])))
            states.append(self.cell(torch.cat([word, contexts[-1]], dim=-1), states[-1]))
        return Unrolled(torch.stack(states, dim=1), torch.stack(contexts, dim=1))

    def new_cache(self) -> RecurrentCache:
        """Return an empty cache for decoding one batch."""
        return RecurrentCache()


class RecurrentCache(DecoderCache):
    """The cache of a recurrent decoder: one state per row, however long the row is."""

    def __init__(self) -> None:
        super().__init__(num_layers=0)
        self.state: Tensor | None = None

    @contextmanager
    def extend(self, mask: Bool[Tensor, "B 1 1 T"]) -> Iterator[tuple[int, Tensor | None]]:
        """Add T tokens while a decoder runs. If it fails, restore the cache."""
        before = self.state
        with super().extend(mask) as start_and_mask:
            try:
                yield start_and_mask
            except BaseException:
                self.state = before
                raise

    def _reorder(self, caches: list[KVCache], rows: Tensor) -> None:
        state = None if self.state is None else self.state[rows]
        super()._reorder(caches, rows)
        self.state = state
