"""Words, their ids and pads, by :mod:`transformer_lite.text`."""

from torch import Tensor

from lessons.worked_examples.registry import computes
from transformer_lite.text.batches import make_batch, pad_rows
from transformer_lite.text.tokenizer import SPECIAL_TOKENS
from transformer_lite.text.words import WordTokenizer, split_words

# The notes' vocabulary, whose last place is the end of a sentence; ours has it at the front.
WORDS = ("a", "am", "i", "thanks", "student")


@computes("cat-mat-word-count")
def words_of_a_sentence(text: str) -> int:
    """Count the words of a text, without its marks."""
    return sum(word.isalpha() for word in split_words(text))


@computes("vocabulary-indices")
def places_in_the_vocabulary(x: list[str]) -> list[int]:
    """Return the place of each token of the notes' vocabulary."""
    return [place for token in x for place in _places(token)]


@computes("merci-thanks-index")
def place_of_a_word(word: str) -> int:
    """Return the place of one word in the notes' vocabulary."""
    (place,) = _places(word)
    return place


@computes("target-sentence-indices")
def places_of_a_sentence(text: str) -> list[int]:
    """Return the places of all words of a sentence, its end among them."""
    return [place for word in text.split() for place in _places(word)]


def _places(text: str) -> list[int]:
    if text == "<eos>":
        return [len(WORDS)]
    return [i - len(SPECIAL_TOKENS) for i in WordTokenizer(WORDS).encode(text)]


@computes("cat-sentence-lengths")
def words_of_two_sentences(source: str, target: str) -> dict[str, int]:
    """Count the words of a sentence and of its translation, as spaces part them."""
    return {"words of the source": len(source.split()), "words of the target": len(target.split())}


@computes("max-sequence-length-and-pads")
def longest_and_pads(sentences: list[str]) -> dict[str, int | Tensor]:
    """Put sentences into one batch: how long the longest is, and how many pads the others get."""
    tokenizer = WordTokenizer.train(sentences)
    ids = make_batch([(text, text) for text in sentences], tokenizer).src
    pads = (ids == tokenizer.pad_id).sum()
    return {"longest sentence": ids.shape[1] - 1, "pads": pads}  # each ends in one more token


@computes("mask-sequence-lengths")
def padded_sequence(sequences: list[list[int]]) -> Tensor:
    """Make sequences equally long and return the last."""
    return pad_rows(sequences)[-1]
