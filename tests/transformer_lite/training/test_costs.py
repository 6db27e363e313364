"""The formulas of what training at scale costs: their laws, and numbers of the papers."""

import pytest

from transformer_lite.training.costs import (
    all_reduce_bytes,
    memory_by_sharding,
    pipeline_bubble,
    ring_all_reduce_seconds,
    training_operations,
)


@pytest.mark.parametrize("workers", [2, 3, 8, 1000])
def test_a_ring_sends_nearly_twice_the_numbers(workers):
    sent = all_reduce_bytes(1e6, workers, bytes_each=2)
    assert sent == pytest.approx(2 * 2e6 * (1 - 1 / workers))
    seconds = ring_all_reduce_seconds(2e6, workers, bytes_per_second=1e9)
    assert seconds == pytest.approx(sent / 1e9)
    slow = ring_all_reduce_seconds(2e6, workers, bytes_per_second=1e9, latency=1e-3)
    assert slow - seconds == pytest.approx(2e-3 * (workers - 1))


def schedule(stages, microbatches):
    """The share of idle slots in a pipeline that is run slot by slot, forward only."""
    slots = 0
    done = [0] * stages
    while done[-1] < microbatches:
        ready = [microbatches, *done[:-1]]
        done = [d + (r > d) for d, r in zip(done, ready, strict=True)]
        slots += 1
    return 1 - microbatches / slots


@pytest.mark.parametrize("stages", [1, 2, 5])
@pytest.mark.parametrize("microbatches", [1, 3, 16])
def test_the_bubble_equals_the_idle_share_of_a_simulated_schedule(stages, microbatches):
    assert pipeline_bubble(stages, microbatches) == pytest.approx(schedule(stages, microbatches))


def test_the_memory_of_each_level_of_sharding_matches_the_paper():
    """7.5 billion weights on 64 workers, mixed precision: 120, 31.4, 16.6 and 1.9 GB."""
    sizes = {"bytes_weight": 2, "bytes_gradient": 2, "bytes_optimizer": 12}
    levels = {"ddp": 120, "zero1": 31.4, "zero2": 16.6, "zero3": 1.9}
    for level, gigabytes in levels.items():
        assert memory_by_sharding(7.5e9, 64, level, **sizes).total / 1e9 == pytest.approx(
            gigabytes, abs=0.05
        )
    parts = memory_by_sharding(10, 1, "zero3")
    assert parts == (40, 40, 80) and parts.total == 160


def test_the_training_operations_of_chinchilla_match_the_paper():
    """Chinchilla: 70 billion weights, 1.4 trillion tokens."""
    assert training_operations(70e9, 1.4e12) == pytest.approx(5.88e23)
