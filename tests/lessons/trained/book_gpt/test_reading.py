"""What the GPT of the book reads: plain sentences, held out in blocks, as rows of ids."""

import pytest
import torch

from lessons.trained.book_gpt import Text, read_text, rows_of, words_of
from lessons.trained.book_gpt.reading import is_plain
from transformer_lite.text import WordTokenizer


def page(folder, sentences):
    (folder / "book").mkdir()
    (folder / "book" / "page.md").write_text("\n\n".join(sentences), encoding="utf-8")
    return folder


def test_every_twentieth_block_of_twenty_is_held_out(tmp_path):
    names = [f"{a}{b}{c}" for a in "abcdefgh" for b in "abcdefghij" for c in "abcdefgh"]
    text = read_text(page(tmp_path, [f"Here is {name} again." for name in names]))
    assert len(text.train) + len(text.held_out) == len(names) == 640
    assert text.held_out == [["here", "is", name, "again", "."] for name in names[380:400]]
    assert not {*map(tuple, text.train)} & {*map(tuple, text.held_out)}


def test_a_sentence_with_odd_signs_is_left_out(tmp_path):
    kept = ["It sleeps all day.", "Does it sleep at night?", "These are its days:"]
    odd = ["It has (many) days here.", "It is 1.5 days old.", "See [page] so and so."]
    text = read_text(page(tmp_path, [*kept, *odd]))
    assert [" ".join(words) for words in text.train] == [
        "it sleeps all day .",
        "does it sleep at night ?",
        "these are its days :",
    ]
    assert not is_plain(["it", "is", "bare"])


def test_folder_without_prose_is_reported(tmp_path):
    with pytest.raises(ValueError, match="folder must hold prose"):
        read_text(tmp_path)


def test_rows_begin_where_sentences_do_and_go_on_into_the_next():
    sentences = [["a", "b", "."], ["c", "."], ["a", "c", "b", "."]]
    tokenizer = words_of(Text(sentences, []), min_count=2)
    assert tokenizer.tokens[4:] == (".", "a", "b", "c")
    rows = rows_of(sentences, tokenizer, length=5)
    dot, a, b, c = (tokenizer.encode(word)[0] for word in (".", "a", "b", "c"))
    assert rows.tolist() == [[1, a, b, dot, c, dot], [1, c, dot, a, c, b]]
    whole = rows_of(sentences, tokenizer, length=9)
    assert whole.shape == (1, 10)
    with pytest.raises(ValueError, match="sentences must have 10 words together, got 9"):
        rows_of(sentences, tokenizer, length=10)


def test_rare_words_are_unknown():
    tokenizer = words_of(Text([["a", "a", "b", "."], ["a", "."]], []), min_count=2)
    assert isinstance(tokenizer, WordTokenizer) and tokenizer.encode("b a") == [3, 4]
    rows = rows_of([["b", "a"]], tokenizer, 2)
    assert torch.equal(rows, torch.tensor([[1, 3, 4]]))
