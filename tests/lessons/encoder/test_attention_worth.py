"""The encoders that are compared, which tokens affect which, and the forms of sentences."""

import re
from collections import Counter

import pytest
import torch

from lessons.encoder.experiments.attention_worth import (
    CHANGES,
    FORMS,
    contexts,
    form,
    make,
    without_attention,
)

IDS = torch.tensor([[5, 6, 7, 8, 2]])
OTHER = torch.tensor([[5, 6, 7, 9, 2]])


@pytest.fixture(params=CHANGES)
def encoder(request):
    return request.param


def translator(encoder):
    torch.manual_seed(0)
    return make(encoder, decoder_layers=1, vocab_size=12).eval()


def memory(model, ids):
    with torch.no_grad():
        return model.encode(ids)[0]


def test_tokens_affect_each_other_only_with_attention_or_recurrence(encoder):
    model = translator(encoder)
    same = torch.isclose(memory(model, IDS), memory(model, OTHER)).all(dim=-1)
    alone = encoder in ("without attention", "bag of words")
    assert same.tolist() == ([True, True, True, False, True] if alone else [False] * 5)


def test_only_the_bag_of_words_ignores_positions(encoder):
    model = translator(encoder)
    forwards, backwards = memory(model, IDS), memory(model, IDS.flip(1)).flip(0)
    assert torch.allclose(forwards, backwards, atol=1e-6) is (encoder == "bag of words")


def test_padding_does_not_change_the_memory(encoder):
    model = translator(encoder)
    padded = memory(model, torch.tensor([[5, 6, 7, 8, 2, 0, 0]]))[:5]
    torch.testing.assert_close(padded, memory(model, IDS), rtol=1e-4, atol=1e-5)


def test_switching_attention_off_equals_a_model_without_attention():
    model, without = translator("whole"), translator("without attention")
    without_attention(model)
    torch.testing.assert_close(memory(model, IDS), memory(without, IDS))


@pytest.mark.nightly
def test_each_form_has_over_100_sentences_that_match_its_pattern():
    found = Counter(map(form, contexts()))
    assert found.keys() == set(FORMS) and min(found.values()) > 100
    for pair in contexts():
        stops, link = ". " in pair.source, re.search(r"\b(qui|que|qu'|dont|où)\b", pair.source)
        assert stops == (form(pair) == "two sentences"), pair.source
        assert link or form(pair) != "relative clause", pair.source
