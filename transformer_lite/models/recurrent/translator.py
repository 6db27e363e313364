"""The recurrent translator: an encoder–decoder with recurrent parts."""

from __future__ import annotations

import torch
from jaxtyping import Float, Integer
from torch import Tensor

from transformer_lite.models.recurrent.additive_attention import AdditiveAttention
from transformer_lite.models.recurrent.decoder import RecurrentDecoder
from transformer_lite.models.transformer import Transformer


class RecurrentTranslator(Transformer):
    """An encoder–decoder with recurrent parts, which trains and translates like a Transformer.

    Embeddings, encoder, decoder and output are connected as in a :class:`Transformer`. So this
    class inherits from it, and whatever works with a Transformer works here: the trainer, greedy
    and beam search.

    Args:
        src_embedding, tgt_embedding, output, pad_id: as in :class:`Transformer`.
        encoder: such as :class:`RecurrentEncoder`.
        decoder: such as :class:`RecurrentDecoder`. Its part `look` decides whether it has
            attention.

    Raises:
        TypeError, ValueError: `pad_id` is not an id.

    Reference: Sutskever et al. 2014; Cho et al. 2014; Bahdanau et al. 2014.
    :func:`build_recurrent` makes the parts.
    """

    def alignment(
        self, src_ids: Integer[Tensor, "B S"], tgt_ids: Integer[Tensor, "B T"]
    ) -> Float[Tensor, "B T S"]:
        """Return the attention weights for the word after each token of `tgt_ids`.

        Row t belongs to the word that is *said* at step t, which is token t + 1 of the target: the
        last token has no row of its own, and the first one, the start token, is never said.

        Args:
            src_ids, tgt_ids: as in :meth:`Transformer.forward`.

        Returns:
            The weights α, shape (B, T, S); 0 at padding of the source.

        Raises:
            TypeError, ValueError: as in :meth:`Transformer.forward`; the decoder has no attention.
        """
        decoder = self.decoder
        if not isinstance(decoder, RecurrentDecoder) or not isinstance(
            decoder.look, AdditiveAttention
        ):
            look = getattr(decoder, "look", decoder)
            raise ValueError(f"decoder must look by AdditiveAttention, got {type(look).__name__}")
        memory, mask = self.encode(src_ids), self.padding_mask(src_ids)[:, 0, 0]
        states = decoder.unroll(self.tgt_embedding(tgt_ids), memory, mask).states[:, :-1]
        queries = decoder.cell.hidden(states).unbind(dim=1)
        return torch.stack([decoder.look.steps(q, memory, mask).weights for q in queries], dim=1)
