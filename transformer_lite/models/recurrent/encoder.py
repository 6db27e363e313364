"""The recurrent encoder: one annotation for each source word, and one vector z* for all of them."""

from __future__ import annotations

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from transformer_lite.checks import check_shape, check_size
from transformer_lite.models.recurrent.layer import RecurrentLayer, check_token_mask


class RecurrentEncoder(nn.Module):
    """Read the source forwards and, if there is a layer for it, backwards.

    The annotation of a word is its forward state, which depends on all words before it, and its
    backward state, which depends on all words after it, side by side.

    Args:
        forwards: the layer that reads from the first word to the last.
        backwards: the layer that reads from the last word to the first; None leaves it out.

    Raises:
        ValueError: `forwards` reads backwards, or `backwards` forwards.

    Reference: Bahdanau et al. 2014, section 3.2; Schuster and Paliwal 1997.
    """

    def __init__(self, forwards: RecurrentLayer, backwards: RecurrentLayer | None = None) -> None:
        super().__init__()
        for name, layer, way in (("forwards", forwards, False), ("backwards", backwards, True)):
            if layer is not None and layer.backwards is not way:
                raise ValueError(f"{name} must have backwards={way}, got {layer.backwards}")
        self.forwards, self.backwards = forwards, backwards

    def forward(
        self, x: Float[Tensor, "B S D"], mask: Bool[Tensor, "B 1 1 S"] | None = None
    ) -> Float[Tensor, "B S M"]:
        """Return the annotations, shape (B, S, M), 0 at padding.

        Args:
            x: the source words, shape (B, S, D).
            mask: which of them are not padding, shape (B, 1, 1, S), as for :class:`Encoder`.

        Raises:
            TypeError, ValueError: as in :class:`RecurrentLayer`.
        """
        mask = None if mask is None else mask[:, 0, 0]
        annotations = [self.forwards(x, mask).outputs]
        if self.backwards is not None:
            annotations.append(self.backwards(x, mask).outputs)
        return torch.cat(annotations, dim=-1)


class FixedContext(nn.Module):
    """The bottleneck: every target word gets the same vector z*, whatever its state.

    z* holds the last states of both directions: the forward state of the last word and the backward
        state of the first word.

    Args:
        forward_size: how many numbers of an annotation come from the forward direction.

    Raises:
        TypeError: `forward_size` is not an int.
        ValueError: `forward_size` is smaller than 1.

    Reference: Cho et al. 2014, where the vector is called c.

    >>> FixedContext(2)(torch.zeros(1, 5), torch.tensor([[[1., 2., 3.], [4., 5., 6.]]]))
    tensor([[4., 5., 3.]])
    """

    def __init__(self, forward_size: int) -> None:
        super().__init__()
        check_size("forward_size", forward_size)
        self.forward_size = forward_size

    def forward(
        self,
        query: Float[Tensor, "B Q"],
        memory: Float[Tensor, "B S M"],
        mask: Bool[Tensor, "B S"] | None = None,
    ) -> Float[Tensor, "B M"]:
        """Return z* of each source, shape (B, M); `query` is ignored.

        Args:
            query: the state of the decoder, shape (B, Q).
            memory: the annotations, shape (B, S, M), with S at least 1.
            mask: which source words are not padding, shape (B, S); None means all.

        Raises:
            TypeError, ValueError: an argument has another type or shape.
        """
        return self.summary(memory, mask)

    def summary(
        self, memory: Float[Tensor, "B S M"], mask: Bool[Tensor, "B S"] | None = None
    ) -> Float[Tensor, "B M"]:
        """Return z* of each source, shape (B, M); arguments as in :meth:`forward`."""
        check_shape("memory", memory, "B", "S", "M")
        check_token_mask(mask, memory)
        if memory.shape[1] == 0:
            raise ValueError(f"memory must hold a word, got shape {tuple(memory.shape)}")
        if mask is None:
            last = memory[:, -1]
        else:
            places = torch.arange(memory.shape[1], device=memory.device)
            rows = torch.arange(len(memory), device=memory.device)
            last = memory[rows, (places * mask).argmax(dim=1)]
        return torch.cat([last[:, : self.forward_size], memory[:, 0, self.forward_size :]], dim=1)

    def reading(
        self, memory: Float[Tensor, "B S M"], mask: Bool[Tensor, "B S"] | None = None
    ) -> Callable[[Tensor], Tensor]:
        """Return a function from a state to its context, which is always z*."""
        summary = self.summary(memory, mask)
        return lambda query: summary
