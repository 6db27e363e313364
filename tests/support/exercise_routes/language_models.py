"""Right answers to the exercises of language models by several routes."""

import math
from itertools import pairwise

import torch


def add_k_table_by_slices(counts, k):
    table = torch.zeros_like(counts)
    more = counts[:-1, 1:] + k
    table[:-1, 1:] = more / more.sum(dim=1, keepdim=True)
    return table


def add_k_table_in_loops(counts, k):
    size = len(counts)
    table = torch.zeros_like(counts)
    for i in range(size - 1):
        total = counts[i].sum() + k * (size - 1)
        for j in range(1, size):
            table[i, j] = (counts[i, j] + k) / total
    return table


def add_k_table_by_softmax(counts, k):
    logits = (counts + k).log()
    logits[:, 0] = -torch.inf
    table = logits.softmax(dim=1)
    table[-1] = 0
    return table


def kneser_ney_by_its_formula(counts, discount):
    total = counts.sum(dim=1, keepdim=True)
    seen = (counts > 0).to(counts.dtype)
    lower = seen.sum(dim=0) / seen.sum()
    left = (counts - discount).clamp(min=0) / total
    return left + discount * seen.sum(dim=1, keepdim=True) / total * lower


def kneser_ney_by_what_is_missing(counts, discount):
    left = torch.relu(counts - discount) / counts.sum(dim=1, keepdim=True)
    contexts = counts.bool().sum(dim=0)
    return left + (1 - left.sum(dim=1, keepdim=True)) * contexts / contexts.sum()


def kneser_ney_by_minima(counts, discount):
    taken = counts.clamp(max=discount)
    kinds = counts.sign().sum(dim=0)
    handed_out = taken.sum(dim=1, keepdim=True) * kinds / kinds.sum()
    return (counts - taken + handed_out) / counts.sum(dim=1, keepdim=True)


def log_probability_repaired(table, sentence):
    total, before = torch.zeros((), dtype=table.dtype), 0
    for word in [*sentence.tolist(), len(table) - 1]:
        total = total + table[before, word].log()
        before = word
    return total


def log_probability_by_math(table, sentence):
    tokens = [0, *sentence.tolist(), len(table) - 1]
    rows = table.tolist()
    chances = [rows[a][b] for a, b in pairwise(tokens)]
    total = -math.inf if 0 in chances else math.fsum(map(math.log, chances))
    return torch.tensor(total, dtype=table.dtype)


def log_probability_by_counting_pairs(table, sentence):
    tokens = [0, *sentence.tolist(), len(table) - 1]
    counts = torch.zeros_like(table)
    for a, b in pairwise(tokens):
        counts[a, b] += 1
    return torch.xlogy(counts, table).sum()


def perplexity_repaired(log_probs, lengths):
    words = lengths + 1
    return (-log_probs.sum() / words.sum()).exp()


def perplexity_weighting_the_means(log_probs, lengths):
    words = (lengths + 1).to(log_probs.dtype)
    means = -log_probs / words
    return (means * (words / words.sum())).sum().exp()


def perplexity_as_a_root(log_probs, lengths):
    words = lengths.sum() + lengths.numel()
    return 1 / (log_probs.sum() / words).exp()
