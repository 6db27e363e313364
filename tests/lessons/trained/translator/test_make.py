"""The command that makes the translator: it trains, goes on, rounds, writes and measures."""

from functools import partial

import pytest
from tiny_training import tiny_model

from lessons.trained import train
from lessons.trained.data import Data
from lessons.trained.options import Options
from lessons.trained.translator import load_translator, make
from lessons.trained.translator.doubt import RULE
from lessons.trained.translator.french_words import write_french_words
from transformer_lite import save
from transformer_lite.text import Pair, WordTokenizer

PAIRS = [Pair("a b", "c", frozenset({"short"})), Pair("c", "d", frozenset())]


@pytest.fixture
def work(tmp_path, monkeypatch):
    """Provide a folder with a trained model, and a command that writes to another place."""
    tokenizer = WordTokenizer([*"abcdefg"])
    save(tiny_model().eval(), tmp_path)
    tokenizer.save(tmp_path / "vocabulary.json")
    Options(pairs=300).save(tmp_path)
    monkeypatch.setattr(make, "SHORT_STEPS", 15)
    data = Data(PAIRS, PAIRS, {"held-out sentences": PAIRS}, tokenizer)
    monkeypatch.setattr(make, "read_data", lambda options: data)
    write, made = make.write, tmp_path / "made"
    monkeypatch.setattr(make, "write", lambda t: write(t, made, made / "translator.bin"))
    monkeypatch.setattr(make, "measure_doubt", lambda: print("doubt is measured"))
    words = made / "words.json"
    monkeypatch.setattr(make, "write_french_words", partial(write_french_words, path=words))
    monkeypatch.setattr(make, "load_translator", lambda folder=made: load_translator(folder))
    return tmp_path


def test_a_trained_model_is_rounded_written_and_measured(work, capsys):
    assert make.main(["--work", str(work), "--as-it-is"]) == 0
    told = capsys.readouterr().out
    names = {path.name for path in (work / "made").iterdir()}
    files = {"model.safetensors", "config.json", "vocabulary.json", "translator.bin", "words.json"}
    assert names == files
    size = (work / "made" / "translator.bin").stat().st_size
    assert f"translator.bin: {size:,} bytes" in told
    assert told.index("doubt is measured") > told.index("translator.bin")
    assert "held-out sentences\nall " in told and "\nshort " in told


@pytest.mark.nightly
@pytest.mark.parametrize("begun", [False, True])
def test_make_runs_the_training_command_and_resumes_from_a_checkpoint(work, monkeypatch, begun):
    seen = []
    monkeypatch.setattr(train, "main", lambda arguments: seen.append(arguments) or 0)
    if begun:
        (work / "checkpoint.safetensors").write_text("begun")
    assert make.main(["--work", str(work)]) == 0
    assert seen == [["--out", str(work), *(["--resume"] if begun else [])]]


def test_a_training_that_fails_writes_nothing(work, monkeypatch):
    monkeypatch.setattr(train, "main", lambda arguments: 130)
    assert make.main(["--work", str(work)]) == 130
    assert not (work / "made").exists()


def test_a_rule_of_another_model_does_not_stay(work):
    (work / "made").mkdir()
    (work / "made" / RULE).write_text("old")
    make.write(load_translator(work))
    assert not (work / "made" / RULE).exists()
