"""The entries that need a few PyTorch operations and no part of a Transformer."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lessons.worked_examples.registry import computes


@computes("salary-plus-bonus-squared")
def squared_sum(salary: Tensor, bonus: Tensor) -> dict[str, Tensor]:
    """Expand (salary + bonus)², and find how much of it involves the bonus."""
    total = (salary + bonus).square()
    return {
        "(a + b)²": total,
        "a²": salary.square(),
        "2ab": 2 * salary * bonus,
        "b²": bonus.square(),
        "share of the total that involves b": (total - salary.square()) / total,
    }


@computes("bonus-range-text-versus-table")
def ranges(salary: Tensor, bonus: Tensor) -> dict[str, object]:
    """Return the smallest and the largest of two columns."""
    return {
        "smallest and largest bonus": torch.aminmax(bonus),
        "smallest and largest salary": torch.aminmax(salary),
    }


@computes("dimension-3-vs-12-variance")
def variance_of_scores(widths: Tensor) -> dict[str, Tensor]:
    """Scale the variance of a dot product of keys of these widths, by √K and by K."""
    return {
        "variance of a score": widths,
        "standard deviation": widths.sqrt(),
        "variance / √d_k": widths / widths.sqrt(),
        "variance / d_k": widths / widths,
    }


@computes("pe-sum-cat-internal")
def embedding_plus_printed_encoding(embedding: Tensor, printed_pe: Tensor) -> Tensor:
    """Add the printed encoding to an embedding."""
    return embedding + printed_pe


@computes("house-z1-weights")
def neuron(x: Tensor, x_printed: Tensor, weight: Tensor, bias: float) -> dict[str, Tensor]:
    """Compute a sigmoid neuron for the right input and for the printed one."""
    return {
        "with 0.60 and w = (1, 1), b = 0": torch.sigmoid(weight @ x + bias),
        "with 0.55": torch.sigmoid(weight @ x_printed + bias),
    }


@computes("tanh-sigmoid-saturation")
def slopes(x: Tensor) -> dict[str, Tensor]:
    """Return the slopes of tanh and of the sigmoid at x."""
    return {
        "slope of tanh": 1 - torch.tanh(x).square(),
        "slope of the sigmoid": torch.sigmoid(x) * torch.sigmoid(-x),
    }


@computes("one-hot-am")
def one_hot(index: int, vocab_size: int) -> Tensor:
    """Return the one-hot vector of a word."""
    return F.one_hot(torch.tensor(index), vocab_size).double()


@computes("one-hot-embedding-product")
def one_hot_product(embeddings: Tensor, index: int) -> dict[str, Tensor]:
    """Multiply a table of embeddings by a one-hot vector, and look the same column up."""
    product = embeddings @ one_hot(index, embeddings.shape[1])
    looked_up = F.embedding(torch.tensor(index), embeddings.mT)
    return {
        "E times the one-hot vector": product,
        "largest difference to a look-up": (product - looked_up).abs().max(),
    }


@computes("cross-entropy-six-words")
def cross_entropy(vocab_size: int, target: int, logit: float) -> dict[str, Tensor]:
    """Return the loss of a target word with equal scores, and with one raised score."""
    scores = torch.zeros(vocab_size, dtype=torch.float64)
    raised = scores.index_fill(0, torch.tensor(target), logit)
    return {
        "equal scores": F.cross_entropy(scores, torch.tensor(target)),
        "score 2 for the target, 0 for the rest": F.cross_entropy(raised, torch.tensor(target)),
    }
