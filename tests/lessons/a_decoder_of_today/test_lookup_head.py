"""The head that looks things up: its task by hand, its masks and its sink."""

import pytest
import torch

from lessons.a_decoder_of_today.lookup_head import LETTERS, LookupHead, draw_texts, wanted
from transformer_lite.layers import look_ahead_mask


def test_the_task_by_hand():
    texts = torch.tensor([[0, 3, 5, 3, 7, 3, 0]])
    want, found = wanted(texts)
    assert found[0].tolist() == [False, False, False, True, False, True, True]
    assert want[0, 3].nonzero().flatten().tolist() == [5 - 1]
    assert want[0, 5, [5 - 1, 7 - 1]].tolist() == [0.5, 0.5]
    assert not want[0, ~found[0]].any()


def test_texts_begin_with_the_start_token_only_if_asked():
    generator = torch.Generator().manual_seed(1)
    assert not draw_texts(5, generator)[:, 0].any()
    plain = draw_texts(50, generator, start=False)
    assert plain.min() == 1 and plain.max() == LETTERS
    with pytest.raises(ValueError, match="count must be at least 1, got 0"):
        draw_texts(0, generator)


def test_weights_sum_to_one_and_to_less_with_a_sink():
    texts = draw_texts(3, torch.Generator().manual_seed(2))
    mask = look_ahead_mask(texts.shape[1])
    torch.testing.assert_close(LookupHead().weights(texts, mask).sum(-1), torch.ones(3, 20))
    head = LookupHead(sink=True)
    head.sink.data.fill_(-1e9)
    torch.testing.assert_close(head.weights(texts, mask).sum(-1), torch.ones(3, 20))
    head.sink.data.fill_(3.0)
    assert (head.weights(texts, mask).sum(-1) < 0.9).all()


def test_the_future_is_hidden():
    head, texts = LookupHead(), draw_texts(2, torch.Generator().manual_seed(3))
    changed = texts.clone()
    changed[:, 12:] = 1 + changed[:, 12:] % LETTERS
    torch.testing.assert_close(head(texts)[:, :12], head(changed)[:, :12])
