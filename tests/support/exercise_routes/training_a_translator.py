"""Right answers to the exercises of training a translator by several routes."""

import math
from collections import Counter

import torch


def clipped_gradients_by_one_long_vector(gradients, max_norm):
    length = gradients.reshape(-1).norm().item()
    return gradients * (max_norm / length if length > max_norm else 1.0)


def clipped_gradients_by_lengths_of_rows(gradients, max_norm):
    length = torch.linalg.vector_norm(gradients.norm(dim=1))
    return gradients / torch.clamp(length / max_norm, min=1)


def clipped_gradients_by_hypot(gradients, max_norm):
    length = math.hypot(*gradients.flatten().tolist())
    return gradients * min(1.0, max_norm / max(length, 1e-30))


def ngram_counts_by_counters(translation, reference, n):
    def counted(ids):
        words = ids.tolist()
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))

    ours, true = counted(translation), counted(reference)
    return (ours & true).total(), ours.total()


def ngram_counts_by_minima(translation, reference, n):
    ours, true = translation.tolist(), reference.tolist()
    grams = [tuple(ours[i : i + n]) for i in range(len(ours) - n + 1)]
    known = [tuple(true[i : i + n]) for i in range(len(true) - n + 1)]
    return sum(min(grams.count(gram), known.count(gram)) for gram in set(grams)), len(grams)


def ngram_counts_crossing_out(translation, reference, n):
    ours, true = translation.tolist(), reference.tolist()
    left = [true[i : i + n] for i in range(len(true) - n + 1)]
    right = 0
    grams = [ours[i : i + n] for i in range(len(ours) - n + 1)]
    for gram in grams:
        if gram in left:
            left.remove(gram)
            right += 1
    return right, len(grams)


def rates_of_run_repaired(epochs, batches, peak, warm_up):
    rates = torch.zeros(epochs, batches, dtype=torch.float64)
    for epoch in range(epochs):
        for batch in range(batches):
            step = epoch * batches + batch + 1
            rates[epoch, batch] = peak * min(step / warm_up, (warm_up / step) ** 0.5)
    return rates


def rates_of_run_as_the_paper_writes_it(epochs, batches, peak, warm_up):
    steps = 1 + torch.arange(epochs * batches, dtype=torch.float64).view(epochs, batches)
    return peak * warm_up**0.5 * torch.minimum(steps**-0.5, steps * warm_up**-1.5)


def rates_of_run_by_cases(epochs, batches, peak, warm_up):
    flat = [
        peak * step / warm_up if step <= warm_up else peak * (warm_up / step) ** 0.5
        for step in range(1, epochs * batches + 1)
    ]
    return torch.tensor(flat, dtype=torch.float64).view(epochs, batches)
