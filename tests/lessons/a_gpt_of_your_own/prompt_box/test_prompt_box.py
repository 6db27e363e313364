"""The prompt box: what is drawn, what the picture says, and what is unknown."""

import pytest
import torch

from lessons.a_gpt_of_your_own.prompt_box.drawing import Setting, next_probabilities
from lessons.trained.book_gpt import load_book_gpt, precise_book_gpt
from tests.lessons.a_gpt_of_your_own.prompt_box.spec import PROMPTS
from tests.lessons.a_gpt_of_your_own.prompt_box.spec import make as figure_of


@pytest.mark.parametrize("text", PROMPTS[:6])
@pytest.mark.parametrize("top_k", [0, 1, 5])
def test_probabilities_sum_to_one_and_top_k_keeps_the_likeliest(text, top_k):
    ids = [1, *precise_book_gpt().tokenizer.encode(text)]
    plain, drawn = next_probabilities(ids, Setting(text, 0.7, top_k)).unbind(dim=-1)
    assert plain[:4].sum() == drawn[:4].sum() == 0
    torch.testing.assert_close(plain.sum(), torch.tensor(1.0, dtype=torch.double))
    torch.testing.assert_close(drawn.sum(), torch.tensor(1.0, dtype=torch.double))
    if top_k:
        assert set(drawn.nonzero().flatten().tolist()) == set(plain.topk(top_k).indices.tolist())


def test_the_likeliest_next_words_equal_the_packages():
    words = load_book_gpt().next_words("attention is")
    drawn = figure_of(written=0).drawn()
    assert drawn.best == [*words]
    numbers = torch.tensor([*words.values()], dtype=torch.double)
    torch.testing.assert_close(drawn.next[:, 0], numbers, atol=1e-5, rtol=1e-5)
