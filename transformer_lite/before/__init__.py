"""Before the Transformer: n-gram counts and word vectors."""

from transformer_lite.before.counts import BEGIN, END, NGramCounts
from transformer_lite.before.neighbors import Neighbors, analogy, nearest
from transformer_lite.before.ngrams import NGramModel
from transformer_lite.before.smoothing import (
    AddK,
    Interpolation,
    KneserNey,
    MaximumLikelihood,
    Smoothing,
)
from transformer_lite.before.word2vec import (
    ContinuousBagOfWords,
    NegativeSampler,
    SkipGram,
    bag_examples,
    context_windows,
    negative_sampling_loss,
    skip_gram_pairs,
)

__all__ = [
    "BEGIN",
    "END",
    "AddK",
    "ContinuousBagOfWords",
    "Interpolation",
    "KneserNey",
    "MaximumLikelihood",
    "NGramCounts",
    "NGramModel",
    "NegativeSampler",
    "Neighbors",
    "SkipGram",
    "Smoothing",
    "analogy",
    "bag_examples",
    "context_windows",
    "nearest",
    "negative_sampling_loss",
    "skip_gram_pairs",
]
