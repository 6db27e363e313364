"""The training loop: what it learns, what a step is, and where it stops."""

import math

import pytest
import torch
from tiny_training import TinyBatches, real_trainer, same, tiny_model, tiny_trainer
from torch.testing import assert_close

from transformer_lite import LayerNorm, cross_entropy
from transformer_lite.text import Batch
from transformer_lite.training import LossNotFiniteError, Trainer


class Given:
    """These batches, again and again."""

    def __init__(self, *batches):
        self.batches, self.drawn = batches, 0

    def __iter__(self):
        return self

    def __next__(self):
        self.drawn += 1
        return self.batches[(self.drawn - 1) % len(self.batches)]

    def state_dict(self):
        return {"drawn": self.drawn}

    def load_state_dict(self, state):
        self.drawn = state["drawn"]


def joined(*batches):
    """One large batch of several, padded to the longest."""
    longest = [max(batch[side].shape[1] for batch in batches) for side in (0, 1)]
    return Batch(*(
        torch.cat([
            torch.nn.functional.pad(batch[side], (0, longest[side] - batch[side].shape[1]))
            for batch in batches
        ])
        for side in (0, 1)
    ))  # fmt: skip


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_one_batch_overfits(seed):
    batch = next(TinyBatches(seed=seed))
    model = tiny_model(seed, dropout=0.0)
    trainer = Trainer(model, Given(batch), lambda step: 1e-2, label_smoothing=0.0)
    records = trainer.run(100)
    assert records[0].loss > 1.5
    assert records[-1].loss < 0.1
    logits = model.eval()(batch.src, batch.inputs)
    real = batch.labels != 0
    assert (logits.argmax(dim=-1) == batch.labels)[real].all()


def test_the_loss_of_a_step_equals_the_cross_entropy_of_the_package():
    batch = next(TinyBatches())
    model = tiny_model(dropout=0.0)
    expected = cross_entropy(model(batch.src, batch.inputs), batch.labels, 0.1, pad_id=0)
    record = Trainer(model, Given(batch)).train_step()
    assert record.loss == pytest.approx(expected.item())
    assert record.step == 1 and record.tokens == int((batch.labels != 0).sum())


@pytest.mark.parametrize("decay", [0.1, 0.5])
def test_weight_decay_shrinks_each_weight(decay):
    """As Loshchilov and Hutter decouple it: the share knows nothing of the gradient."""
    batch = next(TinyBatches())
    models = [tiny_model(dtype=torch.float64, dropout=0.0) for _ in range(2)]
    before = [weights.detach().clone() for weights in models[0].parameters()]
    for model, by in zip(models, (0.0, decay), strict=True):
        Trainer(model, Given(batch), lambda step: 1e-2, weight_decay=by).train_step()
    plain, decayed = (list(model.parameters()) for model in models)
    for start, without, with_decay in zip(before, plain, decayed, strict=True):
        torch.testing.assert_close(with_decay, without - 1e-2 * decay * start)


@pytest.mark.parametrize("parts", [2, 3])
def test_accumulating_batches_equals_one_large_batch(parts):
    """Batches with very different numbers of tokens: a mean of means would differ."""
    batches = [next(TinyBatches(rows, 2 + 4 * rows, rows)) for rows in range(1, parts + 1)]
    settings = {"rate": lambda step: 1e-2}
    small, large = (tiny_model(dtype=torch.float64, dropout=0.0) for _ in range(2))
    for_small = Trainer(small, Given(*batches), accumulate=parts, **settings)
    for_large = Trainer(large, Given(joined(*batches)), **settings)
    for _ in range(3):
        ours, expected = for_small.train_step(), for_large.train_step()
        assert_close(ours.loss, expected.loss)
        assert_close(ours.gradient_norm, expected.gradient_norm)
        assert ours.tokens == expected.tokens
    assert_close(dict(small.named_parameters()), dict(large.named_parameters()))


def test_only_long_gradients_are_clipped():
    steps = {}
    for max_norm in (1e-3, 1e3, 1e6):
        trainer = tiny_trainer(max_norm=max_norm)
        norm = trainer.train_step().gradient_norm
        left = torch.stack([p.grad.norm() for p in trainer.model.parameters()]).norm().item()
        steps[max_norm] = norm, left
    assert len({norm for norm, _ in steps.values()}) == 1, "the record tells it uncut"
    assert steps[1e-3][1] == pytest.approx(1e-3, rel=1e-3)
    assert steps[1e3][1] == steps[1e6][1] == pytest.approx(steps[1e3][0])


def test_the_model_is_trained_with_dropout_even_after_an_evaluation():
    trainer = tiny_trainer()
    trainer.model.eval()
    trainer.train_step()
    assert trainer.model.training


def test_the_decoder_reads_the_target_without_its_last_token():
    """The decoder's input is the target without its last token."""
    seen = []
    model = tiny_model(dropout=0.0)
    model.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[1]))
    batch = next(TinyBatches())
    Trainer(model, Given(batch)).train_step()
    assert torch.equal(seen[0], batch.tgt[:, :-1])


class Poisoned(LayerNorm):
    """A norm that returns NaN from some call on."""

    calls = 0

    def forward(self, x):
        self.calls += 1
        return super().forward(x) * (math.nan if self.calls > 3 else 1.0)


def test_a_loss_that_is_nan_stops_with_the_step_and_the_weights_before_it():
    trainer = tiny_trainer()
    poisoned = Poisoned(16)
    trainer.model.encoder.norm = poisoned
    trainer = Trainer(trainer.model, trainer.batches)
    trainer.run(3)
    before = {name: weight.clone() for name, weight in trainer.model.named_parameters()}
    with pytest.raises(LossNotFiniteError, match=r"got nan .* at step 4; try a smaller rate"):
        trainer.run(3)
    assert trainer.step == len(trainer.history) == 3
    assert same(before, dict(trainer.model.named_parameters()))


def test_bfloat16_trains_as_well():
    trainer = tiny_trainer(autocast=True)
    plain = tiny_trainer(autocast=False)
    ours, expected = trainer.run(5)[-1].loss, plain.run(5)[-1].loss
    assert ours == pytest.approx(expected, rel=0.05) and ours != expected
    assert all(p.dtype == torch.float32 for p in trainer.model.parameters())


@pytest.mark.parametrize("pad_id", [None, 5])
def test_batches_with_another_padding_id_are_refused(pad_id):
    model, batches = tiny_model(), real_trainer().batches
    model.pad_id = pad_id
    with pytest.raises(ValueError, match=f"must be that of its batches, 0, got {pad_id}"):
        Trainer(model, batches)
