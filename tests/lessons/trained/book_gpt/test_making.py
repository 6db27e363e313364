"""The command that makes the GPT of the book: a few steps of it, and the files that it writes."""

import json
from pathlib import Path

import pytest
import torch

from lessons.trained.book_gpt import RECORD, load_book_gpt, make
from lessons.trained.book_gpt.make import Recipe

ROOT = Path(__file__).parents[4]
FILES = {"model.safetensors", "config.json", "vocabulary.json", RECORD}
NAMES = [f"{a}{b}{c}" for a in "abcdefgh" for b in "abcdefghij" for c in "abcdefgh"]


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Provide the folder of a book of 640 short sentences."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "book").mkdir()
    prose = "\n\n".join(f"The cat {name} sat on the mat." for name in NAMES)
    (folder / "book" / "page.md").write_text(prose, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def made(book, tmp_path_factory):
    """Provide a folder with the result of a few steps, and the output."""
    folder = tmp_path_factory.mktemp("made")
    said = []
    recipe = Recipe(steps=6, width=16, layers=1, length=16)
    gpt, record = make.make(recipe, book, said.append)
    size = make.write(gpt, record, folder, folder / "page.bin")
    assert size == (folder / "page.bin").stat().st_size
    return folder, said


def test_the_command_writes_files_that_load(made):
    folder, said = made
    assert {path.name for path in folder.iterdir()} == FILES | {"page.bin"}
    gpt = load_book_gpt(folder)
    assert not gpt.model.training and gpt.model.config.d_model == 16
    assert gpt.write("the cat", seed=1).startswith("the cat")
    assert len(gpt.next_words("the", count=3)) == 3
    assert any(line.startswith("step     6 of 6: loss") for line in said)


def test_the_record_contains_the_recipe_the_text_sizes_and_the_losses(made):
    record = json.loads((made[0] / RECORD).read_text("utf-8"))
    assert record["recipe"]["steps"] == 6
    assert record["words"]["train"] > 10 * record["words"]["held_out"] > 0
    assert record["known_words"] == len(load_book_gpt(made[0]).tokenizer) - 4
    assert set(record["loss"]) == {"train", "held_out", "held_out_by_frequencies"}


def test_training_lowers_the_loss_and_is_reproducible(book):
    recipe = Recipe(width=16, layers=1, length=8, steps=40, peak=2e-2, min_count=2)
    state = torch.get_rng_state()
    (first, record), (second, _) = (make.make(recipe, book, list) for _ in range(2))
    assert torch.equal(torch.get_rng_state(), state)
    weights = zip(first.model.parameters(), second.model.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in weights)
    assert record["loss"]["held_out"] < record["loss"]["held_out_by_frequencies"] - 0.5
    assert first.write("The cat", temperature=0.1).startswith("the cat")


def test_command_writes_to_the_given_path(tmp_path, capsys, monkeypatch):
    small = make.Recipe(width=16, layers=1, length=8, steps=2)
    monkeypatch.setattr(make, "Recipe", lambda **_: small)
    for name in ("steps", "width", "layers"):
        monkeypatch.setattr(make.Recipe, name, 1, raising=False)
    assert make.main(["--book", str(ROOT)], tmp_path, tmp_path / "page.bin") == 0
    told = capsys.readouterr().out
    assert "step     2 of 2" in told and "page.bin: " in told and "attention is" in told
    assert {path.name for path in tmp_path.iterdir()} == FILES | {"page.bin"}
