"""n-gram writer: its probabilities are the model's, and its counts are right."""

import json
from collections import Counter
from pathlib import Path

import pytest

from lessons.language_models.ngram_writer import collect
from lessons.language_models.ngram_writer.ngram_writer import LENGTHS, SHARED
from lessons.language_models.ngram_writer.writing import (
    TEXTS,
    write,
)
from tests.lessons.language_models.ngram_writer.spec import make as figure_of
from transformer_lite.before.counts import BEGIN, END
from transformer_lite.before.ngrams import NGramModel

every_model = pytest.mark.parametrize(
    ("text", "length"), [(text, length) for text in TEXTS for length in LENGTHS]
)


def plain_counts(text: str, length: int) -> dict[tuple[str, ...], Counter[str]]:
    """Count what follows each context, without the package."""
    found: dict[tuple[str, ...], Counter[str]] = {}
    for sentence in TEXTS[text]:
        words = [BEGIN, *sentence, END]
        for place in range(1, len(words)):
            context = tuple(words[max(0, place - length) : place])
            found.setdefault(context, Counter())[words[place]] += 1
    return found


@every_model
def test_probabilities_equal_those_of_the_model_and_of_plain_counts(text, length):
    model, counts = NGramModel.count(TEXTS[text], order=length + 1), plain_counts(text, length)
    before: list[str] = []
    for choice in write(text, length, seed=3, choices=40):
        assert choice.counts == counts[choice.context]
        assert [*choice.counts.values()] == sorted(choice.counts.values(), reverse=True)
        shares = {w: n / sum(choice.counts.values()) for w, n in choice.counts.items()}
        seen = {w: p for w, p in model.distribution(before).items() if p}
        assert shares == pytest.approx(seen, rel=1e-12)
        before = [] if choice.word == END else [*before, choice.word]


@pytest.mark.parametrize("text", TEXTS)
def test_longer_contexts_lead_to_more_forced_choices(text):
    """Over 20 seeds, the number of forced choices never falls from L = 0 to 5."""
    forced = [
        sum(
            figure_of(text=text, length=length, seed=seed, choices=60).results()["measures"][0, 0]
            for seed in range(20)
        )
        for length in LENGTHS
    ]
    assert forced == sorted(forced) and forced[0] == 0 and forced[3] > 20 * 30


@pytest.mark.parametrize("text", TEXTS)
def test_contexts_are_counted_and_most_long_contexts_have_one_next_word(text):
    contexts = figure_of(text=text).results()["contexts"]
    for length in LENGTHS:
        rows = plain_counts(text, length).values()
        assert contexts[length].tolist() == [len(rows), sum(len(row) == 1 for row in rows)]
    seen, sure = contexts.T
    assert (seen.diff() > 0).all() and sure[3] > 0.8 * seen[3] and sure[1] < 0.7 * seen[1]


@pytest.mark.nightly
def test_stored_texts_are_plain_sentences_and_can_be_collected_again():
    stored = collect.FILE.read_text(encoding="utf-8")
    assert len(stored) < 30_000 and [*json.loads(stored)] == SHARED["texts"]
    for text, lengths in (("prose", collect.PROSE), ("grammar", collect.GRAMMAR)):
        assert len({*TEXTS[text]}) == len(TEXTS[text]) == collect.SENTENCES
        assert all(len(sentence) in lengths for sentence in TEXTS[text])
        assert all(word.islower() or word == "," for s in TEXTS[text] for word in s)
    root = Path(__file__).parents[4]
    again = collect.collect(root)
    assert again["grammar"] == json.loads(stored)["grammar"]
    assert len(again["prose"]) == collect.SENTENCES
    assert collect.collect(root) == again != collect.collect(root, seed=1)
