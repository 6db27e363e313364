"""The right answers of the chapter's drills, computed by the package."""

import torch
from torch import Tensor

from lessons.kit.drills.answers import Problem, doubles
from transformer_lite.before.counts import END
from transformer_lite.before.ngrams import NGramModel
from transformer_lite.before.smoothing import AddK
from transformer_lite.layers import cross_entropy


def bigram_probability(p: Problem) -> Tensor:
    """Count the bigrams of the sentences, with the same ⟨end⟩ as in the text of the drill."""
    sentences, (before, word) = [text.split() for text in p["sentences"]], p["pair"]
    assert word in (END, "sleeps", "runs", "sees", "follows")
    plain, smooth = (NGramModel.count(sentences, 2, how) for how in (None, AddK(1)))
    found = [model.probability(word, [before]) for model in (plain, smooth)]
    return doubles([plain.counts.totals[before,], *found])


def perplexity_of_sentence(p: Problem) -> Tensor:
    """Compute the mean of −ln p as a cross-entropy of two classes at each step."""
    probability = doubles(p["times"]) / doubles(p["of"])
    logits = torch.stack([probability.log(), (1 - probability).log()], dim=-1)
    mean = cross_entropy(logits, torch.zeros(len(probability), dtype=torch.long))
    return torch.stack([-mean * len(probability), mean.exp()])
