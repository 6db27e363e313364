"""The recurrent translator: an encoder–decoder whose parts go from word to word."""

from __future__ import annotations

import torch
from jaxtyping import Float, Integer
from torch import Tensor

from transformer_lite.models.recurrent.additive_attention import AdditiveAttention
from transformer_lite.models.recurrent.decoder import RecurrentDecoder
from transformer_lite.models.transformer import Transformer


class RecurrentTranslator(Transformer):
    """An encoder–decoder of recurrent parts: it trains and translates as the Transformer does.

    How encoder, decoder, embeddings and output are put together is the same; only what stands
    inside the encoder and the decoder differs. So this class takes the assembly over as it is, and
    whatever works with a :class:`Transformer` works here: the trainer, greedy and beam search.

    Args:
        src_embedding, tgt_embedding, output, pad_id: as in :class:`Transformer`.
        encoder: such as :class:`RecurrentEncoder`.
        decoder: such as :class:`RecurrentDecoder`. Its part `look` makes it a translator with
            attention or without.

    Raises:
        TypeError, ValueError: `pad_id` is not an id.

    Reference: Sutskever et al. 2014; Cho et al. 2014; Bahdanau et al. 2014.
    :func:`build_recurrent` makes the parts.
    """

    def alignment(
        self, src_ids: Integer[Tensor, "B S"], tgt_ids: Integer[Tensor, "B T"]
    ) -> Float[Tensor, "B T S"]:
        """Return where the decoder looks for the word behind each token of `tgt_ids`.

        Row t belongs to the word that is *said* at step t, which is token t + 1 of the target: its
        last token has no row of its own, and its first one, the begin, is never said.

        Args:
            src_ids, tgt_ids: as in :meth:`Transformer.forward`.

        Returns:
            The weights α, shape (B, T, S); 0 at the pads of the source.

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
