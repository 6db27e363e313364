"""The bigram table: what it counts, its file, and how often the GPT accepts its drafts."""

import json

import pytest
import torch

from lessons.trained.book_gpt import bigrams, load_book_gpt
from lessons.trained.book_gpt.bigrams import BIGRAMS, count_bigrams, load_bigrams, save_bigrams
from lessons.trained.book_gpt.drafts import (
    DRAFTS,
    draft_cost,
    draft_logits,
    first_layer,
    own_text,
    rates,
)
from transformer_lite.text import WordTokenizer

SENTENCES = [["a", "b", "a", "."], ["a", "b", "."], ["b", "a", "."]]


@pytest.fixture
def tokenizer():
    """Provide a vocabulary of three words."""
    return WordTokenizer.train([" ".join(words) for words in SENTENCES])


def test_probabilities_are_smoothed_counts(tokenizer):
    table = count_bigrams(SENTENCES, tokenizer)
    a, b, dot = (tokenizer.encode(word)[0] for word in ("a", "b", "."))
    assert table.frequencies()[[a, b, dot]].tolist() == [0.4, 0.3, 0.3]
    # "a b" occurs twice, "a ." twice; what occurs once is left out.
    assert table.follows[a] == {b: 2, dot: 2}
    assert table.follows[tokenizer.bos_id] == {a: 2}
    expected = [(0 + 4 * 0.4) / 8, (2 + 4 * 0.3) / 8, (2 + 4 * 0.3) / 8]
    found = table.probabilities(a)[[a, b, dot]]
    torch.testing.assert_close(found, torch.tensor(expected, dtype=torch.double))
    for last in range(len(tokenizer)):
        assert float(table.probabilities(last).sum()) == pytest.approx(1)
    with pytest.raises(ValueError, match=r"last must be an id from 0 to \d+, got -1"):
        table.probabilities(-1)


def test_a_saved_table_is_read_back(tokenizer, tmp_path):
    table = count_bigrams(SENTENCES, tokenizer)
    path = tmp_path / "bigrams.json"
    assert save_bigrams(table, path) == path.stat().st_size
    again = load_bigrams(path)
    assert again.follows == table.follows and torch.equal(again.words, table.words)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "must contain prior, words and follows"),
        ({"prior": 4, "words": [1], "follows": []}, "must have one entry a token, got 1 and 0"),
    ],
)
def test_a_damaged_file_is_refused(data, message, tmp_path):
    path = tmp_path / "bigrams.json"
    path.write_text(json.dumps(data), encoding="ascii")
    with pytest.raises(ValueError, match=message):
        load_bigrams(path)


def test_sentences_without_known_words_are_refused(tokenizer):
    with pytest.raises(ValueError, match="sentences must have words of the vocabulary, got none"):
        count_bigrams([["zebra", "yak"]], tokenizer)


def test_the_table_of_the_page_belongs_to_the_gpt_and_is_small():
    table, gpt = load_bigrams(), load_book_gpt()
    assert len(table.words) == len(table.follows) == len(gpt.tokenizer)
    assert BIGRAMS.stat().st_size < 60_000
    record = json.loads(BIGRAMS.with_name("drafts.json").read_text("ascii"))
    assert record["bigrams"] == sum(map(len, table.follows))


def test_the_recorded_rates_on_the_gpts_own_text_are_measured_again():
    """Only a part of the texts: the mean over eight of them differs a little."""
    record = json.loads(BIGRAMS.with_name("drafts.json").read_text("ascii"))["acceptance"]
    found = rates(load_bigrams(), own_text(load_book_gpt(), texts=8))
    assert record["own_text"] == pytest.approx(found, abs=0.06)
    assert 0.2 < found["frequencies"] < found["bigrams"] < found["layer"] < found["gpt"] == 1


def test_the_first_layer_shares_the_weights_of_the_gpt():
    gpt = load_book_gpt()
    shallow = first_layer(gpt)
    assert shallow.model.output.weight is gpt.model.output.weight
    assert len(shallow.model.decoder.layers) == 1 < len(gpt.model.decoder.layers)


def test_costs_grow_from_a_table_to_the_gpt_itself():
    costs = [draft_cost(draft) for draft in DRAFTS]
    assert costs[:2] == [0, 0] and 0.7 < costs[2] < 0.8 and costs[3] == 1
    for call in (draft_cost, lambda draft: draft_logits(draft, (1,))):
        with pytest.raises(ValueError, match=r"draft must be one of frequencies, .*, got 'big'"):
            call("big")


def test_the_command_writes_table_and_rates(tmp_path, capsys, monkeypatch):
    folder = tmp_path / "small"
    (folder / "book").mkdir(parents=True)
    names = [f"{a}{b}{c}" for a in "abcdefgh" for b in "abcdefghij" for c in "abcdefgh"]
    prose = "\n\n".join(f"The model {name} learns the words of the sentence." for name in names)
    (folder / "book" / "page.md").write_text(prose, encoding="utf-8")
    assert bigrams.main(["--book", str(folder)], tmp_path / "bigrams.json") == 0
    assert "bigrams.json: " in capsys.readouterr().out
    record = json.loads((tmp_path / "drafts.json").read_text("ascii"))
    assert record["acceptance"]["held_out"]["gpt"] == 1
