"""Merge steps: counting again before every merge gives the tokenizer's merges."""

import random

import pytest

from lessons.tokens.merge_steps.steps import training_steps
from tests.lessons.tokens.merge_steps.spec import TEXTS
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
def test_merges_equal_those_that_the_package_learns(text):
    assert learned(text) == list(BytePairEncoding.train([text], vocab_size=10**4).merges)


@pytest.mark.parametrize("text", TEXTS)
def test_the_words_of_every_step_are_split_as_by_the_tokenizer(text):
    merges = learned(text)
    for done, step in enumerate(training_steps(text)):
        tokenizer = BytePairEncoding(merges[:done])
        assert {word: tokenizer.pieces(word) for word in step.words} == step.words
        assert step.vocabulary == len(tokenizer) - 4
