"""n-gram writer: its chances are the model's, and what it calls copied stands in the text."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
import torch

from lessons.language_models.ngram_writer import collect
from lessons.language_models.ngram_writer.ngram_writer import LENGTHS, SHARED
from lessons.language_models.ngram_writer.writing import (
    TEXTS,
    drawn,
    longest_run,
    sentences_of,
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
def test_the_chances_are_those_of_the_model_and_of_plain_counts(text, length):
    model, counts = NGramModel.count(TEXTS[text], order=length + 1), plain_counts(text, length)
    before: list[str] = []
    for choice in write(text, length, seed=3, choices=40):
        assert choice.counts == counts[choice.context]
        assert [*choice.counts.values()] == sorted(choice.counts.values(), reverse=True)
        shares = {w: n / sum(choice.counts.values()) for w, n in choice.counts.items()}
        seen = {w: p for w, p in model.distribution(before).items() if p}
        assert shares == pytest.approx(seen, rel=1e-12)
        before = [] if choice.word == END else [*before, choice.word]


def test_chance_draws_each_word_as_often_as_it_was_counted():
    counts = {"cat": 3, "dog": 4, "⟨end⟩": 1}
    hits = Counter(drawn(counts, i / 800) for i in range(800))
    assert hits == {"cat": 300, "dog": 400, "⟨end⟩": 100}
    assert drawn(counts, 1 - 2**-32) == "⟨end⟩"


@every_model
def test_the_same_seed_writes_the_same_and_a_longer_text_goes_on(text, length):
    long, short = (write(text, length, 5, n) for n in (60, 17))
    assert long[:17] == short == write(text, length, 5, 17)
    assert long != write(text, length, 6, 60)


@every_model
def test_the_longest_run_stands_in_the_text_and_none_is_longer(text, length):
    written = sentences_of(write(text, length, 8, 60))
    run = longest_run(text, written)
    spans = {s[i : i + n] for s in TEXTS[text] for n in range(1, len(s) + 1) for i in range(len(s))}
    found = tuple(written[run.sentence][run.start : run.start + run.length])
    assert found in spans and len(found) == run.length
    assert run.length >= length or not any(len(words) > length for words in written)
    runs = [tuple(words[i : i + run.length + 1]) for words in written for i in range(len(words))]
    assert not [x for x in runs if len(x) > run.length and x in spans]


def test_a_run_ends_with_its_sentence_and_is_of_whole_words():
    first, second = TEXTS["grammar"][:2]
    assert longest_run("grammar", [[*first, *second]]).length in (len(first), len(second))
    assert longest_run("grammar", [["xyz"], []]).length == 0
    assert longest_run("grammar", [[]]) == (0, 0, 0)
    start = first[0][:-1] + "#"
    assert longest_run("grammar", [[start]]).length == 0


@pytest.mark.parametrize("text", TEXTS)
def test_the_further_it_looks_back_the_more_it_copies(text):
    """Over 20 seeds: from L = 0 to 5 the choices without a choice never become fewer."""
    forced = [
        sum(
            figure_of(text=text, length=length, seed=seed, choices=60).results()["measures"][0, 0]
            for seed in range(20)
        )
        for length in LENGTHS
    ]
    assert forced == sorted(forced) and forced[0] == 0 and forced[3] > 20 * 30


@pytest.mark.parametrize("text", TEXTS)
def test_contexts_are_counted_and_most_long_ones_have_one_next_word(text):
    contexts = figure_of(text=text).results()["contexts"]
    for length in LENGTHS:
        rows = plain_counts(text, length).values()
        assert contexts[length].tolist() == [len(rows), sum(len(row) == 1 for row in rows)]
    seen, sure = contexts.T
    assert (seen.diff() > 0).all() and sure[3] > 0.8 * seen[3] and sure[1] < 0.7 * seen[1]


def test_the_drawn_word_is_shown_even_where_it_is_rare():
    rare = [figure_of(length=0, seed=seed, choices=1) for seed in range(30)]
    assert all(figure.written()[-1].word in figure.shown() for figure in rare)
    assert any(figure.written()[-1].word == figure.shown()[-1] for figure in rare)
    for figure in rare:
        results = figure.results()
        assert len(figure.shown()) == SHARED["rows"] == len({*figure.shown()})
        counts = figure.written()[-1].counts
        assert results["times"][:, 0].tolist() == [counts[word] for word in figure.shown()]
        total = torch.tensor(sum(counts.values()))
        torch.testing.assert_close(results["shares"] * total, results["times"])


def test_the_picture_holds_the_text_with_one_mark():
    figure = figure_of(text="grammar", length=3, choices=60)
    picture = figure.picture()
    dotted = '<span class="ng-forced">'
    forced = sum(len(choice.counts) == 1 for choice in figure.written())
    assert picture.count("ng-forced") == forced > picture.count(dotted) > 0
    picture = re.sub(f"{dotted}(.*?)</span>", r"\1", picture)
    written = sentences_of(figure.written())
    run = longest_run("grammar", written)
    words = written[run.sentence][run.start : run.start + run.length]
    assert picture.count("<mark>") == 1 and f"<mark>{' '.join(words)}</mark>" in picture
    assert picture.count(f">{END}</span>") == len(written) - 1


@pytest.mark.nightly
def test_the_stored_texts_are_sentences_and_those_by_grammar_are_drawn_anew():
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


def test_only_plain_statements_are_collected_each_once():
    found = [["a", "cat", "sat", "."], ["a", "cat", "sat"], ["why", "?"], ["12", "cats", "."]]
    found += [["head'", "s", "."], ["self-attention", ",", "then", "."], ["a", "."]]
    assert collect.plain(found, range(2, 9)) == ["a cat sat", "self-attention , then"]
