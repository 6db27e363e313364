"""Merge steps: counted again before every merge, it learns what the tokenizer learns."""

import random

import pytest

from lessons.tokens.merge_steps.steps import training_steps
from tests.lessons.tokens.merge_steps.spec import TEXTS
from tests.lessons.tokens.merge_steps.spec import make as figure_of
from transformer_lite.text.bpe import BytePairEncoding


def learned(text: str) -> list[tuple[str, str]]:
    """Return the merges of the steps."""
    return [step.candidates[0].pair for step in training_steps(text) if step.candidates]


def random_text(seed: int) -> str:
    """Return a text over few letters, in which ties and overlaps are common."""
    dice = random.Random(seed)
    letters = dice.choice(["ab", "abc", "abcd ", "aab  é", "xyz, "])
    return "".join(dice.choices(letters, k=dice.randint(0, 120)))


@pytest.mark.parametrize("text", [*TEXTS, "", " ", *map(random_text, range(60))])
def test_the_merges_are_those_that_the_package_learns(text):
    assert learned(text) == list(BytePairEncoding.train([text], vocab_size=10**4).merges)


@pytest.mark.parametrize("text", TEXTS)
def test_at_every_step_the_words_are_what_the_tokenizer_cuts(text):
    merges = learned(text)
    for done, step in enumerate(training_steps(text)):
        tokenizer = BytePairEncoding(merges[:done])
        assert {word: tokenizer.pieces(word) for word in step.words} == step.words
        assert step.vocabulary == len(tokenizer) - 4


def test_overlapping_pairs_are_counted():
    first = next(training_steps("aaaaa"))
    assert first.candidates[0].times == 4  # of which two can be joined


def test_more_merges_than_there_are_is_all_of_them():
    whole, more = figure_of(step=600), figure_of(step=601)
    assert whole.picture() == more.picture()
    assert whole.seen()[0].candidates == []
    assert all(len(tokens) == 1 for tokens in whole.seen()[0].words.values())


def test_sizes_count_bytes_tokens_and_the_vocabulary():
    sizes = figure_of(text="é é", other="éa", step=1).results()["sizes"][:, 0].tolist()
    assert sizes == [5, 3, 2, 257]  # Ã©, Ġ, Ã© and Ã©, a


def test_the_picture_shows_the_tokens_and_escapes_what_was_typed():
    picture = figure_of(text="<b>a<b>", other="<i>", step=0).picture()
    assert "<b>" not in picture and "<i>" not in picture
    assert "after 0 merges: &lt; · b · &gt; · a · &lt; · b · &gt;" in picture
    assert "“&lt;i&gt;” is cut into: &lt; · i · &gt;" in picture
    done = figure_of(step=2).picture()
    assert "after 2 merges" in done and '<th scope="row">1: ' in done
