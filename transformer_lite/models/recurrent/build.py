"""Build a recurrent translator from its sizes."""

from __future__ import annotations

from collections.abc import Callable

from torch import nn

from transformer_lite.checks import check_size
from transformer_lite.layers.embedding import TokenEmbedding
from transformer_lite.layers.linear import Linear
from transformer_lite.models.recurrent.cells import Cell, GatedRecurrentCell
from transformer_lite.models.recurrent.decoder import RecurrentDecoder
from transformer_lite.models.recurrent.encoder import RecurrentEncoder
from transformer_lite.models.recurrent.layer import RecurrentLayer
from transformer_lite.models.recurrent.translator import RecurrentTranslator


def build_recurrent(
    vocab_size: int,
    d_model: int,
    hidden_size: int,
    make_look: Callable[[int, int], nn.Module],
    make_cell: Callable[[int, int], Cell] = GatedRecurrentCell,
    pad_id: int = 0,
) -> RecurrentTranslator:
    """Build a recurrent translator: both languages and the output share one table of words.

    The encoder is bidirectional, so an annotation is twice as wide as a hidden state.

    Args:
        vocab_size: the number of tokens V of both languages together.
        d_model: the width D of a word.
        hidden_size: the width H of every hidden state.
        make_look: makes the module that reads the source, from H and the annotations' width 2 H:
            ``lambda h, m: AdditiveAttention(h, m, h)`` is a translator with attention,
            ``lambda h, m: FixedContext(h)`` one without.
        make_cell: makes a new cell, from the widths of its input and of its hidden state.
        pad_id: the id of the padding token.

    Returns:
        A new model in training mode.

    Raises:
        TypeError: a size is not an int.
        ValueError: a size is too small.

    Reference: Bahdanau et al. 2014. Differs from the paper: the tables are shared.

    >>> import torch
    >>> from transformer_lite.models.recurrent.additive_attention import AdditiveAttention
    >>> model = build_recurrent(9, 4, 6, lambda h, m: AdditiveAttention(h, m, 5))
    >>> model(torch.tensor([[4, 5, 2]]), torch.tensor([[1, 6]])).shape
    torch.Size([1, 2, 9])
    """
    check_size("d_model", d_model)
    check_size("hidden_size", hidden_size)
    embedding = TokenEmbedding(vocab_size, d_model)
    forwards = RecurrentLayer(make_cell(d_model, hidden_size))
    backwards = RecurrentLayer(make_cell(d_model, hidden_size), backwards=True)
    look = make_look(hidden_size, 2 * hidden_size)
    cell = make_cell(d_model + 2 * hidden_size, hidden_size)
    decoder = RecurrentDecoder(cell, look, d_model, forward_size=hidden_size)
    output = Linear(d_model, vocab_size, bias=False)
    output.weight = embedding.table.weight
    encoder = RecurrentEncoder(forwards, backwards)
    return RecurrentTranslator(embedding, embedding, encoder, decoder, output, pad_id)
