"""The races in a notebook; engine.test.mjs compares them with the page's engine."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lessons.kit import race
from lessons.kit.races import TASKS, Machine, Options, RandomNumbers, batch_of, train, write
from transformer_lite import TransformerConfig
from transformer_lite.models import build_decoder_only


@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 9))
def test_the_generator_is_mulberry32(seed, count):
    state, expected = seed, []
    for _ in range(count):
        state = (state + 0x6D2B79F5) % 2**32
        z = (state ^ state >> 15) * (state | 1) % 2**32
        z ^= (z + (z ^ z >> 7) * (z | 61)) % 2**32
        expected.append((z ^ z >> 14) / 2**32)
    assert RandomNumbers(seed).several(count).tolist() == expected
    one_by_one = RandomNumbers(seed)
    assert [one_by_one() for _ in range(count)] == expected


@pytest.mark.parametrize("name", TASKS)
def test_examples_fit_their_task(name):
    task = TASKS[name]
    ids, targets, counted = batch_of(task, RandomNumbers(5), 60, held_out=False)
    assert ids.shape == targets.shape == counted.shape == (60, task.length)
    assert ids.min() >= 0 and targets.max() < task.vocabulary
    assert torch.equal(ids[:, 1:], targets[:, :-1])
    assert counted.any(dim=1).all()


def test_the_whole_machine_equals_a_decoder_of_the_package():
    options, task = Options(), TASKS["reverse"]
    ours = Machine(task, options)
    ours.initialize()
    config = TransformerConfig(
        task.vocabulary, task.vocabulary, d_model=32, num_heads=4, d_ff=128, num_decoder_layers=2,
        residual="pre", positions="learned", max_len=task.length, dropout=0.0,
    )  # fmt: skip
    theirs = build_decoder_only(config)
    theirs.pad_id = None  # here 0 is a letter
    theirs.load_state_dict(dict(ours.named_weights()))
    assert list(theirs.state_dict()) == [name for name, _ in ours.named_weights()]
    ids = batch_of(task, RandomNumbers(2), 3, held_out=True)[0]
    torch.testing.assert_close(ours(ids), theirs(ids))


def test_without_a_mask_the_loss_is_low_and_the_answers_are_wrong():
    machine, record = train("sort", Options(causal=False), 100)
    assert record.held_out[-1] < 0.1 and record.accuracy[-1] < 0.1
    batch = batch_of(TASKS["sort"], RandomNumbers(1), 8, held_out=True)
    counted = batch[2]
    answers = write(machine, *batch)
    assert torch.equal(answers[~counted], batch[1][~counted])
    with torch.no_grad():
        peeked = machine(batch[0]).argmax(-1)
    assert (peeked == batch[1])[counted].float().mean() > 0.9


@pytest.mark.parametrize(
    ("task", "changes", "words"),
    [("juggle", {}, "task must be one of copy, reverse"), ("copy", {"mask": 1}, "got 'mask'")],
)
def test_wrong_settings_of_a_race_are_refused_with_a_reason(task, changes, words):
    with pytest.raises(ValueError, match=words):
        race(task, **changes)
