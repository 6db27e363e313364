"""The machine step by step: its steps equal one pass of the model."""

import pytest
import torch

from lessons.decoder.machine_steps.trace import trace
from lessons.kit.machine import machine
from tests.lessons.decoder.machine_steps.spec import EXAMPLES

MODEL, WORDS = machine()


@pytest.mark.parametrize("text", EXAMPLES)
def test_decoding_step_by_step_equals_one_pass_of_the_model(text):
    """The recorded pass is the model's own, and each prefix gives the same probabilities."""
    found = trace(text)
    source = torch.tensor([[*WORDS.encode(text), WORDS.eos_id]])
    with torch.no_grad():
        memory = MODEL.encode(source)
        for length in range(1, len(found.ids)):
            logits = MODEL.decode(torch.tensor([found.ids[:length]]), memory)[0, -1]
            logits[WORDS.pad_id] = -torch.inf
            shares = logits.log_softmax(dim=-1)
            torch.testing.assert_close(found.log_probs[length - 1], shares, rtol=1e-6, atol=1e-6)
            assert shares.argmax() == found.ids[length]
    torch.testing.assert_close(found.reading[-1], memory[0])


def test_every_box_is_passed_once_and_the_decoder_for_each_token():
    found = trace(EXAMPLES[0])
    layers = len(MODEL.encoder.layers), len(MODEL.decoder.layers)
    passes = len(found.ids) - 1
    assert len(found.reading) == 2 + 2 * layers[0]
    assert len(found.writing) == 2 + 3 * layers[1]
    assert len(found.places) == len(found.reading) + passes * len(found.writing)
    assert len(set(found.places)) == len(found.places)
