"""The entries that need a few PyTorch operations and no part of a Transformer."""

import torch
import torch.nn.functional as F

from transformer_lite.worked_examples.registry import computes


@computes("salary-plus-bonus-squared")
def squared_sum(salary, bonus):
    total = (salary + bonus).square()
    return {
        "(a + b)²": total,
        "a²": salary.square(),
        "2ab": 2 * salary * bonus,
        "b²": bonus.square(),
        "share of the total that involves b": (total - salary.square()) / total,
    }


@computes("bonus-range-text-versus-table")
def ranges(salary, bonus):
    return {
        "smallest and largest bonus": torch.aminmax(bonus),
        "smallest and largest salary": torch.aminmax(salary),
    }


@computes("dimension-3-vs-12-variance")
def variance_of_scores(widths):
    return {
        "variance of a score": widths,
        "standard deviation": widths.sqrt(),
        "variance / √d_k": widths / widths.sqrt(),
        "variance / d_k": widths / widths,
    }


@computes("pe-sum-cat-internal")
def embedding_plus_printed_encoding(embedding, printed_pe):
    return embedding + printed_pe


@computes("house-z1-weights")
def neuron(x, x_printed, weight, bias):
    return {
        "with 0.60 and w = (1, 1), b = 0": torch.sigmoid(weight @ x + bias),
        "with 0.55": torch.sigmoid(weight @ x_printed + bias),
    }


@computes("tanh-sigmoid-saturation")
def slopes(x):
    return {
        "slope of tanh": 1 - torch.tanh(x).square(),
        "slope of the sigmoid": torch.sigmoid(x) * torch.sigmoid(-x),
    }


@computes("one-hot-am")
def one_hot(index, vocab_size):
    return F.one_hot(torch.tensor(index), vocab_size).double()


@computes("one-hot-embedding-product")
def one_hot_product(embeddings, index):
    product = embeddings @ one_hot(index, embeddings.shape[1])
    looked_up = F.embedding(torch.tensor(index), embeddings.mT)
    return {
        "E times the one-hot vector": product,
        "largest difference to a look-up": (product - looked_up).abs().max(),
    }


@computes("cross-entropy-six-words")
def cross_entropy(vocab_size, target, logit):
    scores = torch.zeros(vocab_size, dtype=torch.float64)
    raised = scores.index_fill(0, torch.tensor(target), logit)
    return {
        "equal scores": F.cross_entropy(scores, torch.tensor(target)),
        "score 2 for the target, 0 for the rest": F.cross_entropy(raised, torch.tensor(target)),
    }
