"""Wrong input for recurrent cells, layers, attention and translators, and what the error says."""
# ruff: noqa: E501 -- one case a line, call and message, reads as a table.

import torch
from torch import nn

from transformer_lite.models.recurrent import (
    AdditiveAttention,
    Cell,
    FixedContext,
    GatedRecurrentCell,
    LongShortTermCell,
    RecurrentCell,
    RecurrentDecoder,
    RecurrentEncoder,
    RecurrentLayer,
    build_recurrent,
)

D, H = 4, 3
WORD, WORDS, STATE = torch.ones(2, D), torch.ones(2, 5, D), torch.ones(2, H)
QUERY, MEMORY, REAL = torch.ones(2, H), torch.ones(2, 5, 6), torch.ones(2, 5, dtype=torch.bool)
SRC, TGT = torch.tensor([[4, 5, 2]]), torch.tensor([[1, 6]])


def cell():
    return RecurrentCell(D, H)


def layer(x=WORDS, real=None, state=None):
    return RecurrentLayer(cell())(x, real, state)


def additive(query=QUERY, memory=MEMORY, real=None):
    return AdditiveAttention(H, 6, 5).steps(query, memory, real)


def decoder(d_model=D, input_size=D + 6):
    return RecurrentDecoder(RecurrentCell(input_size, H), FixedContext(H), d_model, H)


def translator(vocab_size=9, d_model=D, hidden_size=H):
    return build_recurrent(vocab_size, d_model, hidden_size, lambda h, m: FixedContext(h))


# fmt: off
WRONG_TYPE = [
    (lambda: cell()(WORD.double()), "x and weights must share one dtype, got x torch.float64, weights torch.float32"),
    (lambda: cell()(WORD, STATE.double()), "state and weights must share one dtype, got state torch.float64, weights torch.float32"),
    (lambda: RecurrentLayer(nn.RNNCell(D, H)), "cell must be a Cell, got RNNCell"),
    (lambda: layer(WORDS.to("meta")), "x and weights must share one device, got x meta, weights cpu"),
    (lambda: layer(real=REAL.long()), "mask must be boolean (True = may attend), got dtype torch.int64"),
    (lambda: AdditiveAttention(H, 6, None), "attention_size must be an int, got NoneType: None"),
    (lambda: additive(QUERY.double()), "query, memory and weights must share one dtype, got query torch.float64, memory torch.float32"),
    (lambda: decoder(d_model="4"), "d_model must be an int, got str: '4'"),
    (lambda: translator(hidden_size=True), "hidden_size must be an int, got bool: True"),
]

WRONG_VALUE = [
    (lambda: RecurrentCell(0, H), "input_size must be at least 1, got 0"),
    (lambda: LongShortTermCell(D, -1), "hidden_size must be at least 1, got -1"),
    (lambda: GatedRecurrentCell(D, H, "between"), "reset must be one of after, before, got 'between'"),
    (lambda: cell()(WORD[0]), "x must have shape (B, 4), got (4,)"),
    (lambda: cell()(WORD, STATE[:1]), "state must have shape (2, 3), got (1, 3)"),
    (lambda: layer(WORD), "x must have shape (B, T, 4), got (2, 4)"),
    (lambda: layer(real=REAL[:, :4]), "mask must have shape (B, T), (2, 5), got (2, 4)"),
    (lambda: AdditiveAttention(0, 6, 5), "query_size must be at least 1, got 0"),
    (lambda: AdditiveAttention(H, 0, 5), "memory_size must be at least 1, got 0"),
    (lambda: additive(memory=MEMORY[..., :5]), "memory must have shape (B, S, 6), got (2, 5, 5)"),
    (lambda: additive(QUERY[:1]), "query must have shape (2, 3), got (1, 3)"),
    (lambda: additive(real=REAL[:1]), "mask must have shape (B, T), (2, 5), got (1, 5)"),
    (lambda: RecurrentEncoder(RecurrentLayer(cell(), backwards=True)), "forwards must have backwards=False, got True"),
    (lambda: RecurrentEncoder(RecurrentLayer(cell()), RecurrentLayer(cell())), "backwards must have backwards=True, got False"),
    (lambda: FixedContext(0), "forward_size must be at least 1, got 0"),
    (lambda: FixedContext(H)(QUERY, MEMORY[:, :0]), "memory must hold a word, got shape (2, 0, 6)"),
    (lambda: FixedContext(H)(QUERY, MEMORY[0]), "memory must have shape (B, S, M), got (5, 6)"),
    (lambda: decoder(input_size=D), "cell must read a word and a context, more than d_model=4 numbers, got input_size=4"),
    (lambda: decoder()(WORDS, MEMORY[..., :5]), "memory must have shape (B, S, 6), got (2, 5, 5)"),
    (lambda: translator(d_model=-4), "d_model must be at least 1, got -4"),
    (lambda: translator().alignment(SRC, TGT), "decoder must look by AdditiveAttention, got FixedContext"),
]

WRONG_CALLS = [
    (lambda: Cell(D, H)(WORD), "Cell must say what one step does", NotImplementedError),
]
# fmt: on
