"""Word2vec: two vectors for each word, learned from the words near it.

Reference: Mikolov, Chen, Corrado and Dean 2013, section 3; Mikolov, Sutskever et al. 2013.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Integer
from torch import Tensor, nn

from transformer_lite.checks import (
    check_boolean,
    check_ids_in_range,
    check_number,
    check_shape,
    check_size,
    check_tensor,
)

Word = TypeVar("Word")


def context_windows(words: Sequence[Word], size: int = 5) -> list[tuple[Word, list[Word]]]:
    """Return each word of a sentence with the words around it.

    The window is shorter at both ends. A sentence of one word has none.

    Args:
        words: the words of one sentence, or their ids.
        size: the number of words in a whole window, including the middle one; odd, at least 3.

    Returns:
        One pair for each word, in order: the word in the middle, and its context.

    Raises:
        TypeError: `words` is a string, or `size` is not an int.
        ValueError: `size` is even, or smaller than 3.

    Reference: Mikolov, Chen, Corrado and Dean 2013, section 3.

    >>> context_windows(["the", "cat", "sat", "down"], size=3)[:2]
    [('the', ['cat']), ('cat', ['the', 'sat'])]
    """
    if isinstance(words, str):
        raise TypeError(f"words must be a list of words, got str: {words!r:.60}")
    check_size("size", size, minimum=3)
    if size % 2 == 0:
        raise ValueError(f"size must be odd, with one word in the middle, got {size}")
    side, words = size // 2, list(words)
    windows = (
        (word, words[max(0, i - side) : i] + words[i + 1 : i + 1 + side])
        for i, word in enumerate(words)
    )
    return [window for window in windows if window[1]]


def skip_gram_pairs(
    sentences: Iterable[Sequence[int]], size: int = 5
) -> tuple[Integer[Tensor, "N"], Integer[Tensor, "N"]]:
    """Return every middle word with every word of its context: the examples of skip-gram.

    Args:
        sentences: lists of ids.
        size: as in :func:`context_windows`. No window crosses the end of a sentence.

    Returns:
        The middle words and the context words, both of shape (N,).

    >>> [ids.tolist() for ids in skip_gram_pairs([[7, 8, 9]], size=3)]
    [[7, 8, 8, 9], [8, 7, 9, 8]]
    """
    pairs = [
        (middle, near)
        for sentence in sentences
        for middle, context in context_windows(sentence, size)
        for near in context
    ]
    middles, contexts = torch.tensor(pairs, dtype=torch.long).reshape(-1, 2).unbind(dim=1)
    return middles, contexts


def bag_examples(
    sentences: Iterable[Sequence[int]], size: int = 5
) -> tuple[Integer[Tensor, "N C"], Bool[Tensor, "N C"], Integer[Tensor, "N"]]:
    """Return every context with its middle word: the examples of the continuous bag of words.

    Args:
        sentences: lists of ids.
        size: as in :func:`context_windows`; C is size − 1.

    Returns:
        The contexts, padded with 0; a mask of the positions that hold a word; the middle words.

    >>> contexts, real, middles = bag_examples([[7, 8, 9]], size=3)
    >>> contexts.tolist(), real.tolist()[0], middles.tolist()
    ([[8, 0], [7, 9], [8, 0]], [True, False], [7, 8, 9])
    """
    windows = [window for sentence in sentences for window in context_windows(sentence, size)]
    contexts = torch.zeros(len(windows), size - 1, dtype=torch.long)
    real = torch.zeros(len(windows), size - 1, dtype=torch.bool)
    for row, (_, context) in enumerate(windows):
        contexts[row, : len(context)] = torch.tensor(context)
        real[row, : len(context)] = True
    return contexts, real, torch.tensor([middle for middle, _ in windows], dtype=torch.long)


class TwoTables(nn.Module):
    """The base of both models: a table of input vectors and a table of output vectors.

    Args:
        vocab_size: the number of words V.
        d_model: the width D of a vector.

    Attributes:
        inputs: the input vector of each word, shape (V, D). These are the result of training.
        outputs: the output vector of each word, shape (V, D).

    Raises:
        TypeError, ValueError: a size is not an int, or smaller than 1.
    """

    def __init__(self, vocab_size: int, d_model: int) -> None:
        super().__init__()
        check_size("vocab_size", vocab_size)
        check_size("d_model", d_model)
        self.vocab_size, self.d_model = vocab_size, d_model
        # As in the authors' code: the first table is almost 0, the second is 0.
        self.inputs = nn.Parameter((torch.rand(vocab_size, d_model) - 0.5) / d_model)
        self.outputs = nn.Parameter(torch.zeros(vocab_size, d_model))

    def logits(self, x: Float[Tensor, "B D"]) -> Float[Tensor, "B V"]:
        """Return the dot product of x with the output vector of every word."""
        check_shape("x", x, "B", self.d_model)
        return x @ self.outputs.T

    def scores(
        self, x: Float[Tensor, "B D"], words: Integer[Tensor, "B *N"]
    ) -> Float[Tensor, "B *N"]:
        """Return the dot product of x with the output vectors of some words alone.

        Args:
            x: the vectors of the words read, shape (B, D).
            words: the words to score, shape (B,) or (B, N).

        Raises:
            TypeError, ValueError: as in :meth:`logits`, and an id is out of range.
        """
        check_shape("x", x, "B", self.d_model)
        check_ids_in_range("words", words, self.vocab_size)
        return torch.einsum("bd,b...d->b...", x, self.outputs[words])


class SkipGram(TwoTables):
    """Predict each word of a context from the middle word.

        p(context n | middle m) = softmax over all words of  x_m · w_n

    x is a row of `inputs`, w one of `outputs`.

    Args, Raises: as in ``TwoTables``.

    Reference: Mikolov, Chen, Corrado and Dean 2013, section 3.2.

    >>> SkipGram(vocab_size=7, d_model=3)(torch.tensor([4, 0])).shape
    torch.Size([2, 7])
    """

    def read(self, middles: Integer[Tensor, "B"]) -> Float[Tensor, "B D"]:
        """Return the input vectors of the middle words, shape (B, D)."""
        check_ids_in_range("middles", middles, self.vocab_size)
        return self.inputs[middles]

    def forward(self, middles: Integer[Tensor, "B"]) -> Float[Tensor, "B V"]:
        """Return a logit for every word that may be near the middle words.

        Raises:
            TypeError, ValueError: `middles` does not hold integers, or one that is not an id.
        """
        return self.logits(self.read(middles))


class ContinuousBagOfWords(TwoTables):
    """Predict the middle word from the mean of the context's vectors.

    Args, Raises: as in ``TwoTables``.

    Reference: Mikolov, Chen, Corrado and Dean 2013, section 3.1, which takes the mean; a sum trains
    as well. The resulting vectors are those of `inputs`, as in the authors' code; Bishop and
    Bishop 2024, section 12.2.1, use those of `outputs`.

    >>> model, real = ContinuousBagOfWords(vocab_size=7, d_model=3), torch.tensor([[True, False]])
    >>> model(torch.tensor([[4, 0]]), real).shape
    torch.Size([1, 7])
    """

    def read(
        self, contexts: Integer[Tensor, "B C"], mask: Bool[Tensor, "B C"]
    ) -> Float[Tensor, "B D"]:
        """Return the mean of the context's input vectors; 0 if there is no context."""
        check_ids_in_range("contexts", contexts, self.vocab_size)
        check_boolean("mask", mask)
        if mask.shape != contexts.shape:
            raise ValueError(
                "mask must have the shape of contexts, "
                f"{tuple(contexts.shape)}, got {tuple(mask.shape)}"
            )
        total = (self.inputs[contexts] * mask[..., None]).sum(dim=1)
        return total / mask.sum(dim=1, keepdim=True).clamp(min=1)

    def forward(
        self, contexts: Integer[Tensor, "B C"], mask: Bool[Tensor, "B C"]
    ) -> Float[Tensor, "B V"]:
        """Return a logit for every possible middle word.

        Args:
            contexts: ids, shape (B, C).
            mask: which positions hold a word, shape (B, C); the others do not count.

        Raises:
            TypeError, ValueError: an argument is of the wrong kind or shape, or an id unknown.
        """
        return self.logits(self.read(contexts, mask))


def negative_sampling_loss(
    positive: Float[Tensor, "B"],
    negative: Float[Tensor, "B N"],
    keep: Bool[Tensor, "B N"] | None = None,
) -> Float[Tensor, ""]:
    """Return −log σ(s⁺) − Σ log σ(−s⁻): one real word against N drawn ones, the mean over pairs.

    σ is the sigmoid, s⁺ the score of the real word and s⁻ those of the drawn ones.

    Args:
        positive: the scores of the real words, shape (B,).
        negative: the scores of the drawn words, shape (B, N).
        keep: which of the drawn words count, shape (B, N). The real word may be drawn as well; the
            authors' code leaves out such a draw. None counts all.

    Raises:
        TypeError: an argument is of the wrong kind.
        ValueError: the shapes do not fit.

    Reference: Mikolov, Sutskever et al. 2013, equation 4, with the sign of a loss.

    >>> negative_sampling_loss(torch.zeros(3), torch.zeros(3, 4))  # 5 ln 2
    tensor(3.4657)
    """
    check_shape("positive", positive, "B")
    check_shape("negative", negative, len(positive), "N")
    terms = F.softplus(negative)  # −log sigmoid(−s), which never overflows
    if keep is not None:
        check_boolean("keep", keep)
        if keep.shape != negative.shape:
            raise ValueError(
                "keep must have the shape of negative, "
                f"{tuple(negative.shape)}, got {tuple(keep.shape)}"
            )
        terms = terms * keep
    return (F.softplus(-positive) + terms.sum(dim=1)).mean()


class NegativeSampler:
    """Draw words by their frequency, but rare ones a little more often.

        q(n) = count(n)^power / Σ count^power

    Args:
        counts: how often each word occurs, shape (V,).
        power: 3/4 in the paper; 1 draws by frequency, 0 draws all words with equal probability.

    Attributes:
        probabilities: q, shape (V,).

    Raises:
        TypeError: `counts` is not a float tensor, or `power` is not a number.
        ValueError: `counts` is not of shape (V,), has a negative entry or sums to 0.

    Reference: Mikolov, Sutskever et al. 2013, section 2.2.

    >>> NegativeSampler(torch.tensor([16.0, 1.0, 0.0])).probabilities
    tensor([0.8889, 0.1111, 0.0000])
    """

    def __init__(self, counts: Float[Tensor, "V"], power: float = 0.75) -> None:
        check_tensor("counts", counts)
        check_shape("counts", counts, "V")
        check_number("power", power)
        if not (counts >= 0).all() or not 0 < counts.sum() < float("inf"):
            raise ValueError(
                f"counts must be at least 0 and not all 0, got {counts.tolist()!r:.60}"
            )
        weights = torch.where(counts > 0, counts**power, 0)  # 0⁰ is 1
        self.probabilities = weights / weights.sum()

    def sample(self, *shape: int, generator: torch.Generator | None = None) -> Tensor:
        """Return words drawn independently, a tensor of ids of this shape.

        Raises:
            TypeError, ValueError: a size is not an int, or smaller than 1.
        """
        for size in shape:
            check_size("shape", size)
        total = torch.Size(shape).numel()
        drawn = torch.multinomial(self.probabilities, total, replacement=True, generator=generator)
        return drawn.view(shape)
