"""Windows and tables of word2vec, by :mod:`transformer_lite.before`."""

from lessons.worked_examples.registry import computes
from transformer_lite.before.word2vec import ContinuousBagOfWords, context_windows


# The letters are the document's, whose names the entries keep.
@computes("word2vec-window-m5")
def window_of_five(M: int) -> dict[str, int]:  # noqa: N803
    """Slide a window of M words over a long sentence, and count around the word in its middle."""
    words = list(range(3 * M))
    place = len(words) // 2
    middle, context = context_windows(words, size=M)[place]
    return {
        "window": len({middle, *context}),
        "context words": len(context),
        "words on each side": sum(word < middle for word in context),
    }


@computes("word2vec-e-from-which-layer")
def shape_of_the_kept_table(D: int, K: int) -> dict[str, tuple[int, ...]]:  # noqa: N803
    """Shape the document's E, which it takes from one layer of either model."""
    kept = ContinuousBagOfWords(K, D).outputs.T  # of skip-gram, inputs.T, of the same shape
    return {"shape of E": tuple(kept.shape), "shape of one column": tuple(kept[:, 0].shape)}
