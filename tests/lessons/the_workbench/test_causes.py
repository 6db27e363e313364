"""The numbers in the causes that the workbench gives, measured with PyTorch."""

import pytest
import torch

from lessons.kit.races import TASKS, Machine, Options, RandomNumbers, batch_of, train
from transformer_lite import record_attention

SEEDS = (1, 2, 3)
DEEP = {"layers": 6, "width": 16, "head_width": 4, "hidden": 64}
WIDE = {"heads": 1, "head_width": 32}


def new_machine(task: str, **options) -> Machine:
    machine = Machine(TASKS[task], Options(**options))
    machine.initialize()
    return machine


def examples(task: str) -> tuple[torch.Tensor, ...]:
    return batch_of(TASKS[task], RandomNumbers(5), 64, held_out=False)


@torch.no_grad()
def tokens(machine: Machine) -> torch.Tensor:
    """The tokens after the last layer."""
    found: list[torch.Tensor] = []
    handle = machine.parts[-1].register_forward_hook(lambda *args: found.append(args[-1]))
    machine(examples("reverse")[0])
    handle.remove()
    return found[0]


def mean_cosine(machine: Machine) -> float:
    """The mean cosine of the tokens of a sequence."""
    unit = torch.nn.functional.normalize(tokens(machine), dim=-1)
    others = ~torch.eye(unit.shape[1], dtype=torch.bool)
    return (unit @ unit.mT)[:, others].mean().item()


def gradient(machine: Machine) -> float:
    """The length of the gradient at the table of the embedding."""
    machine.zero_grad()
    machine.loss(*examples("reverse")).backward()
    return machine.embedding.table.weight.grad.norm().item()


@torch.no_grad()
def largest_weight(machine: Machine) -> float:
    """The mean of the largest weight with which the last token reads in the first layer."""
    weights = record_attention(machine, examples("count")[0]).weights
    return next(iter(weights.values()))[:, 0, -1].max(dim=-1).values.mean().item()


@pytest.mark.parametrize("seed", SEEDS)
def test_without_residual_connections_six_layers_make_all_tokens_alike(seed):
    assert mean_cosine(new_machine("reverse", **DEEP, residual=False, seed=seed)) > 0.995
    assert 0.35 < mean_cosine(new_machine("reverse", **DEEP, seed=seed)) < 0.6
    assert mean_cosine(new_machine("reverse", residual=False, seed=seed)) < 0.97


@pytest.mark.parametrize("seed", SEEDS)
def test_unscaled_scores_give_most_of_the_weight_to_one_letter(seed):
    assert 0.75 < largest_weight(new_machine("count", **WIDE, scaled=False, seed=seed)) < 0.9
    assert 0.25 < largest_weight(new_machine("count", **WIDE, seed=seed)) < 0.45


def test_unscaled_attention_reads_one_letter_after_training_too():
    unscaled, scaled = (train("count", Options(**WIDE, scaled=s), 300)[0] for s in (False, True))
    # Training differs between processors in its last digits. These were 0.88 and 0.58 on one.
    assert largest_weight(unscaled) > 0.8 > 0.7 > largest_weight(scaled)


@pytest.mark.parametrize("seed", SEEDS)
def test_ten_full_steps_make_the_tokens_of_a_deep_post_norm_stack_equal(seed):
    options = {**DEEP, "place": "post", "rate": 0.01, "seed": seed}
    before = gradient(new_machine("reverse", **options))
    hasty, _ = train("reverse", Options(**options, warmup=0), 10)
    careful, _ = train("reverse", Options(**options, warmup=100), 10)
    assert mean_cosine(hasty) > 0.995 > 0.98 > mean_cosine(careful)
    assert gradient(hasty) < before / 30
    assert gradient(careful) > before / 5


@pytest.mark.parametrize("seed", SEEDS)
def test_without_a_norm_the_numbers_of_six_layers_are_large_before_training(seed):
    machine = new_machine("reverse", **DEEP, norm="none", seed=seed)
    with torch.no_grad():
        embedded = machine.embedding(examples("reverse")[0])
        first_loss = machine.loss(*examples("reverse")).item()
    assert tokens(machine).std() > 10 * embedded.std()
    assert 16 < first_loss < 30  # a random guess has 2.08
    small = new_machine("reverse", **DEEP, norm="none", size=0.5, seed=seed)
    assert tokens(small).std() < 1
