"""The three translators of one size: their record is whole, and the command makes it."""

import json

import pytest

from transformer_lite.text import Pair, grammar_corpus
from transformer_lite.training import by_length
from transformer_lite.training.by_length import record

PAIRS = [Pair("a b", "x y"), Pair("c", "z"), Pair("d d d", "w")]
SMALL = record.SETTINGS | {
    "texts": 60, "tests of each length": 3, "steps": 2, "tokens a batch": 256,
    "sentences of a test": [1, 2], "seeds": [0],
}  # fmt: skip


def test_the_record_is_that_of_the_settings_and_whole():
    found = by_length.measured()
    assert found["settings"] == record.SETTINGS
    lengths = len(record.SETTINGS["sentences of a test"])
    assert len(found["words"]) == lengths and found["words"] == sorted(found["words"])
    made = [(run["seed"], run["model"]) for run in found["runs"]]
    assert made == [(seed, name) for seed in record.SETTINGS["seeds"] for name in record.MAKERS]
    for run in found["runs"]:
        assert len(run["bleu"]) == len(run["exact"]) == lengths
        assert all(0 <= share <= 1 for share in run["exact"])
        assert all(0 <= score <= 100 for score in run["bleu"])


def test_the_models_are_of_one_size_and_the_record_says_so():
    tokenizer, _, _ = record.data(record.SETTINGS)
    sizes = {
        name: sum(p.numel() for p in make(len(tokenizer)).parameters())
        for name, make in record.MAKERS.items()
    }
    assert max(sizes.values()) < 1.02 * min(sizes.values())
    told = {run["model"]: run["parameters"] for run in by_length.measured()["runs"]}
    assert told == sizes


def test_texts_are_sentences_joined_on_both_sides():
    for text in record.texts(PAIRS, 20, [2, 3], seed=1):
        sides = [side.split(". ") for side in text[:2]]
        assert len(sides[0]) == len(sides[1]) in (2, 3)
        assert all(Pair(s, t) in PAIRS for s, t in zip(*sides, strict=True))
    assert record.texts(PAIRS, 9, [1, 2], 0) == record.texts(PAIRS, 9, [1, 2], 0)
    assert record.texts(PAIRS, 9, [1, 2], 0) != record.texts(PAIRS, 9, [1, 2], 1)


@pytest.fixture
def small(monkeypatch, tmp_path):
    """The command with settings that take a moment, writing to a file of its own."""
    monkeypatch.setattr(record, "SETTINGS", SMALL)
    monkeypatch.setattr(record, "FILE", tmp_path / "record.json")
    corpus = grammar_corpus(size=300, held_out=60)
    monkeypatch.setattr(record, "grammar_corpus", lambda size: corpus)
    return tmp_path / "record.json"


def test_the_command_writes_every_run_and_repeats_none(small, capsys, monkeypatch):
    record.main()
    first = small.read_bytes()
    found = json.loads(first)
    assert [run["model"] for run in found["runs"]] == list(record.MAKERS)
    monkeypatch.setattr(record, "run", lambda *_: pytest.fail("this run stands there already"))
    record.main()
    assert small.read_bytes() == first


def test_other_settings_begin_anew(small, capsys, monkeypatch):
    small.write_text(json.dumps({"settings": {}, "words": [], "runs": [{"model": "x", "seed": 0}]}))
    monkeypatch.setattr(record, "run", lambda name, seed, _: {"model": name, "seed": seed})
    record.main()
    runs = json.loads(small.read_text())["runs"]
    assert [run["model"] for run in runs] == list(record.MAKERS)
