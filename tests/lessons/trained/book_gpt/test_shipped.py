"""The GPT that ships: its files hold the same weights, they are small, and its record fits them.

The book has changed since it was trained, so nothing here compares it with the text of today.
"""

import json

import pytest
import torch

from lessons.trained.book_gpt import FOLDER, RECORD, load_book_gpt
from lessons.trained.book_gpt.page import PAGE, write_page
from lessons.trained.book_gpt.reading import ENDS

GPT = load_book_gpt()


def test_the_file_of_the_page_equals_one_written_from_the_package(tmp_path):
    write_page(GPT, tmp_path / "page.bin")
    assert (tmp_path / "page.bin").read_bytes() == PAGE.read_bytes()


def test_the_files_are_small():
    assert (FOLDER / "model.safetensors").stat().st_size <= 2_000_000
    assert PAGE.stat().st_size <= 400_000


def test_the_record_is_of_these_weights():
    record = json.loads((FOLDER / RECORD).read_text("utf-8"))
    assert record["weights"] == sum(weight.numel() for weight in GPT.model.parameters())
    assert record["known_words"] == len(GPT.tokenizer) - 4
    assert GPT.model.config.d_model == record["recipe"]["width"]
    assert GPT.longest == record["recipe"]["length"] + 1
    assert record["loss"]["held_out"] < record["loss"]["held_out_by_frequencies"] - 0.7


@pytest.mark.parametrize("seed", range(5))
def test_it_writes_a_sentence_to_its_end(seed):
    text = GPT.write("attention is", temperature=0.7, top_k=20, seed=seed)
    assert text.startswith("attention is ")
    assert text[-1] in ENDS or len(GPT.tokenizer.encode(text)) == GPT.longest - 1
    assert text == GPT.write("attention is", temperature=0.7, top_k=20, seed=seed)


@pytest.mark.parametrize("text", ["", "🙂", "<b>the</b>", "<pad> <eos>", "zebra" * 30])
def test_any_text_has_next_words_and_all_are_words(text):
    words = GPT.next_words(text, count=50)
    assert all(word in GPT.tokenizer.tokens[4:] for word in words)
    assert sum(words.values()) < 1 and [*words.values()] == sorted(words.values(), reverse=True)


def test_the_future_does_not_change_the_past():
    ids = torch.tensor([[1, *GPT.tokenizer.encode("the mask hides what comes later .")]])
    changed = ids.clone()
    changed[0, -1] = 9
    with torch.no_grad():
        torch.testing.assert_close(GPT.model(ids)[0, :-1], GPT.model(changed)[0, :-1])
