"""Wrong input for models of counts, their smoothing and the book's prose."""
# ruff: noqa: E501 -- one case a line, call and message, reads as a table.

import tempfile
from typing import Any

from torch import Generator

from lessons.kit.prose import book_prose
from transformer_lite import before

bf: Any = before

TEXT = [["a", "dog"], ["a", "man"]]
MODEL = bf.NGramModel.count(TEXT, 2)


def without_prose():
    with tempfile.TemporaryDirectory() as folder:
        return book_prose(folder)


# fmt: off
WRONG_TYPE = [
    (lambda: bf.NGramModel.count("a dog", 2), "sentences must be lists of words, got a str: 'a dog'; cut it with split_words"),
    (lambda: bf.NGramModel.count(["a dog"], 2), "sentences[0] must be a list, got str: 'a dog'"),
    (lambda: bf.NGramModel.count([["a"], ["a", 3]], 2), "sentences[1][1] must be a str, got int: 3"),
    (lambda: MODEL.probability(7, ["a"]), "word must be a str, got int: 7"),
    (lambda: MODEL.probability("dog", "a"), "context must be a list, got str: 'a'"),
    (lambda: MODEL.distribution([None]), "context[0] must be a str, got NoneType: None"),
    (lambda: MODEL.log_probability("a dog"), "sentence must be a list, got str: 'a dog'"),
    (lambda: MODEL.perplexity("a dog"), "sentences must be lists of words, got a str: 'a dog'"),
    (lambda: MODEL.perplexity(["a dog"]), "sentences[0] must be a list, got str: 'a dog'"),
    (lambda: bf.Interpolation(0.5), "weights must be a list, got float: 0.5"),
]

WRONG_VALUE = [
    (lambda: bf.NGramModel.count([], 2), "sentences must hold at least one sentence, got none"),
    (lambda: bf.NGramModel.count(iter(()), 1), "sentences must hold at least one sentence, got none"),
    (lambda: bf.NGramModel.count(TEXT, 0), "order must be at least 1, got 0"),
    (lambda: bf.NGramModel.count([["a"], ["a", "⟨end⟩"]], 2), "sentences[1] must leave ⟨begin⟩ and ⟨end⟩ to the model, got ⟨end⟩ at place 1"),
    (lambda: MODEL.log_probability(["⟨begin⟩", "a"]), "sentence must leave ⟨begin⟩ and ⟨end⟩ to the model, got ⟨begin⟩ at place 0"),
    (lambda: MODEL.distribution(["zebra"]), "context must have been seen, or the counts be smoothed, got ['zebra']"),
    (lambda: MODEL.perplexity([]), "sentences must hold at least one sentence, got none"),
    (lambda: MODEL.sample(Generator(), longest=0), "longest must be at least 1, got 0"),
    (lambda: MODEL.counts.seen(3), "order must be at most 2, what was counted, got 3"),
    (lambda: MODEL.counts.seen(0), "order must be at least 1, got 0"),
    (lambda: bf.NGramModel.count(TEXT, 3, bf.Interpolation([0.5, 0.5])), "smoothing must be made for order 3, got Interpolation(weights=(0.5, 0.5))"),
    (lambda: bf.AddK(0), "k must be greater than 0, got 0; without smoothing give None"),
    (lambda: bf.AddK(-1.0), "k must satisfy 0 <= k < inf, got -1.0"),
    (lambda: bf.Interpolation([0.5, 0.4]), "weights must sum to 1, got [0.5, 0.4]"),
    (lambda: bf.Interpolation([]), "weights must sum to 1, got []"),
    (lambda: bf.Interpolation([1.5, -0.5]), "weights[1] must satisfy 0 <= weights[1] < inf, got -0.5"),
    (lambda: bf.Interpolation([0, 1]), "weights[0] must be greater than 0, for unseen contexts, got [0, 1]"),
    (lambda: bf.KneserNey(0), "discount must be greater than 0, got 0"),
    (lambda: bf.KneserNey(1), "discount must satisfy 0 <= discount < 1, got 1"),
    (without_prose, "folder must hold prose in book/*.md or notebooks/*.ipynb, got"),
]
# fmt: on
