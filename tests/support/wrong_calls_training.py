"""Wrong calls of what trains and measures, each with the message that it gets."""
# ruff: noqa: E501 -- one case a line, call and message, reads as a table.

import torch
from tiny_training import tiny_model, tiny_trainer

from transformer_lite.text import WordTokenizer
from transformer_lite.training import (
    Plan,
    Trainer,
    corpus_bleu,
    exact_match,
    held_out_loss,
    translate,
)
from transformer_lite.training.schedule import cosine, inverse_root, paper_peak

WORDS, OTHER_PADS = WordTokenizer([*"abc"]), WordTokenizer([*"abc"])
OTHER_PADS.pad_id = 3

# fmt: off
WRONG_CALLS = [
    (lambda: inverse_root(0, 1.0, 4), "step must be at least 1, got 0", ValueError),
    (lambda: inverse_root(1, -1.0, 4), "peak must satisfy 0 <= peak < inf", ValueError),
    (lambda: inverse_root(1, 1.0, 0), "warm_up must be at least 1, got 0", ValueError),
    (lambda: cosine(1, 1.0, 4, 4), "steps must be at least 5, got 4", ValueError),
    (lambda: paper_peak(0, 4), "d_model must be at least 1, got 0", ValueError),
    (lambda: exact_match([], []), "got 0 translations and 0 references", ValueError),
    (lambda: corpus_bleu(["a"], ["a", "b"]), "got 1 translations and 2 references", ValueError),
    (lambda: exact_match("a", "a"), "translations must be a list, got str: 'a'", TypeError),
    (lambda: corpus_bleu("x", "x"), "translations must be a list, got str: 'x'", TypeError),
    (lambda: corpus_bleu(["x"], "x"), "references must be a list, got str: 'x'", TypeError),
    (lambda: corpus_bleu(["x"], [["x"]]), "references[0] must be a str, got list: ['x']", TypeError),  # type: ignore[list-item]
    (lambda: translate(tiny_model(), WORDS, "a b"), "texts must be a list, got str: 'a b'", TypeError),
    (lambda: held_out_loss(tiny_model(), WORDS, []), "pairs must hold at least", ValueError),
    (lambda: translate(tiny_model(), WORDS, ["a"], 0), "beam_width must be at l", ValueError),
    (lambda: translate(tiny_model(), WORDS, ["a"], batch_size=0.5), "batch_size must be an int, got float: 0.5", TypeError),
    (lambda: translate(tiny_model(), OTHER_PADS, ["a"]), "pad_id of model must be that of its batches, 3, got 0", ValueError),
    (lambda: Plan(0), "steps must be at least 1, got 0", ValueError),
    (lambda: Plan(5, every=0), "every must be at least 1, got 0", ValueError),
    (lambda: Plan(5, patience=0), "patience must be at least 1, got 0", ValueError),
    (lambda: Plan(5, minutes=-1), "minutes must satisfy 0 <= minutes", ValueError),
    (lambda: Trainer(torch.nn.Linear(2, 2), []), "model must be a Transformer, got", TypeError),
    (lambda: tiny_trainer(label_smoothing=1.0), "label_smoothing must satisfy", ValueError),
    (
        lambda: tiny_trainer(weight_decay=-0.1),
        "weight_decay must satisfy 0 <= weight_decay < inf, got -0.1", ValueError,
    ),
    (lambda: tiny_trainer(max_norm=-1), "max_norm must satisfy 0 <= max_norm", ValueError),
    (lambda: tiny_trainer(accumulate=0), "accumulate must be at least 1, got 0", ValueError),
    (lambda: tiny_trainer().run(-1), "steps must be at least 0, got -1", ValueError),
]
# fmt: on
