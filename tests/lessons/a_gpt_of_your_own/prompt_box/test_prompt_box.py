"""The prompt box: what is drawn, what the picture says, and what is unknown."""

import pytest
import torch

from lessons.a_gpt_of_your_own.prompt_box.drawing import SHARED, Setting, chances, draw, gpt
from lessons.trained.book_gpt import load_book_gpt
from lessons.trained.book_gpt.reading import ENDS
from tests.lessons.a_gpt_of_your_own.prompt_box.spec import PROMPTS
from tests.lessons.a_gpt_of_your_own.prompt_box.spec import make as figure_of


@pytest.mark.parametrize("text", PROMPTS[:6])
@pytest.mark.parametrize("top_k", [0, 1, 5])
def test_probabilities_sum_to_one_and_top_k_keeps_the_likeliest(text, top_k):
    ids = [1, *gpt().tokenizer.encode(text)]
    plain, drawn = chances(ids, Setting(text, 0.7, top_k)).unbind(dim=-1)
    assert plain[:4].sum() == drawn[:4].sum() == 0
    torch.testing.assert_close(plain.sum(), torch.tensor(1.0, dtype=torch.double))
    torch.testing.assert_close(drawn.sum(), torch.tensor(1.0, dtype=torch.double))
    if top_k:
        assert set(drawn.nonzero().flatten().tolist()) == set(plain.topk(top_k).indices.tolist())


def test_a_low_temperature_sharpens_and_a_high_one_flattens():
    best = [figure_of(temperature=t, written=0).results()["next"][0] for t in (0.5, 1.0, 2.0)]
    plain = best[1][0]
    assert best[0][1] > best[1][1] > best[2][1]
    assert all(column[0] == plain for column in best)
    torch.testing.assert_close(best[1][1], plain)


def test_words_are_drawn_as_often_as_their_probability_says():
    first = [draw(Setting("attention is", 1.0, 2, seed, 1)).words[0] for seed in range(300)]
    best = figure_of(top_k=2, written=0).drawn()
    share = first.count(best.best[0]) / 300
    assert set(first) == set(best.best[:2])
    assert abs(share - float(best.next[0, 1])) < 0.1


def test_the_likeliest_next_words_are_those_of_the_package():
    words = load_book_gpt().next_words("attention is")
    drawn = figure_of(written=0).drawn()
    assert drawn.best == [*words]
    numbers = torch.tensor([*words.values()], dtype=torch.double)
    torch.testing.assert_close(drawn.next[:, 0], numbers, atol=1e-5, rtol=1e-5)


def test_unknown_words_are_reported_and_long_prompts_truncated():
    drawn = figure_of(text="a zebra", written=0).drawn()
    assert (drawn.pieces, drawn.unknown) == (["a", "zebra"], [False, True])
    assert "does not know “zebra” and reads ⟨unknown⟩" in figure_of(text="a zebra").picture()
    assert "“q1”, “q2”, “q3”, and 2 more," in figure_of(text="q1 q2 q2 q3 q4 q5").picture()
    long = figure_of(text="why " + "the model " * 18, written=0).drawn()
    assert len(long.pieces) == SHARED["words"] and "why" not in long.pieces


def test_the_longest_text_is_as_long_as_the_model_has_ever_seen():
    config = load_book_gpt().model.config
    assert 1 + SHARED["words"] + SHARED["written"]["max"] <= config.max_len
    assert SHARED["ends"] == list(ENDS)


def test_the_picture_holds_the_text_and_escapes_what_was_typed():
    picture = figure_of(text="<b>the", temperature=0.5, top_k=10, written=3).picture()
    assert "&lt;b&gt;the" in picture and "<b>" not in picture
    assert "Drawn at temperature 0.5 from the 10 likeliest words." in picture
    assert picture.count("<table") == 2
    assert figure_of(written=0).picture().count("<table") == 1
