"""The training job: a model, its workers, what is cut, and the device."""

import random
from collections.abc import Iterator

from controls import chosen, control, picked, slid, switched

from lessons.at_scale.training_job.job_costs import SHARED, formulas
from lessons.at_scale.training_job.training_job import WRITERS as WRITERS
from lessons.kit.figures.registry import TrainingJob
from transformer_lite.training import costs

FIGURE = TrainingJob
HOME = "notebooks/27_at_scale.html"
SHARDINGS, PRECISIONS = [*SHARED["shardings"]], [*SHARED["precisions"]]
CUTS = [f"Cut among the workers/{label}" for label in SHARED["shardings"].values()]
AGAIN = "compute activations again"
KEYS = [
    ("model", "ArrowDown"),
    ("workers", "ArrowRight"),
    ("tokens in a batch", "ArrowRight"),
    ("device memory", "ArrowLeft"),
    ("link", "ArrowLeft"),
    ("speed", "ArrowRight"),
    (CUTS[0], "ArrowRight"),
    ("numbers", "ArrowDown"),
    (AGAIN, "Space"),
]
LABELS = [AGAIN, CUTS[3]]
SLIDERS = ["workers", "tokens in a batch", "device memory", "link", "speed"]
LIMITS = {"workers": (1, 64)}
REFUSED = [
    ({"model": "GPT-5"}, r"model must be one of \['captions translator', .* got 'GPT-5'"),
    ({"batch_tokens": 1000}, r"batch_tokens must be one of \[1024, .* got 1000"),
    ({"sharding": "fsdp"}, r"sharding must be one of \['ddp', .* got 'fsdp'"),
    ({"precision": "float16"}, r"precision must be one of \['float32', .* got 'float16'"),
    ({"memory": 0}, r"memory must be one of \[8, .* got 0"),
    ({"link": 0}, r"link must be one of \[1, .* got 0"),
    ({"speed": float("nan")}, r"speed must be one of \[0.05, .* got nan"),
]


make = TrainingJob


def functions_case(figure: TrainingJob) -> dict:
    """Return the four functions of costs.py at a figure's settings, with a large latency."""
    job = figure.job
    weights, n, each = job.sizes["weights"], job.workers, job.bytes
    return {
        "sent": costs.all_reduce_bytes(weights, n, each["gradient"]),
        "seconds": costs.ring_all_reduce_seconds(weights, n, job.link * 1e6, 0.25),
        "memory": [*job.states],
        "operations": costs.training_operations(weights, job.batch_tokens),
    }


def cases() -> Iterator[dict]:
    dice = random.Random(26)
    chances = [
        {name: dice.choice(SHARED[name]) for name in ("batch_tokens", "memory", "link", "speed")}
        | {
            "model": dice.choice([*SHARED["models"]]),
            "workers": dice.randint(1, 64),
            "sharding": SHARDINGS[i % 4],
            "precision": PRECISIONS[i % 3],
            "checkpointing": i % 2 == 0,
        }
        for i in range(36)
    ]
    ends = [
        {},
        {"workers": 1, "model": "captions translator", "batch_tokens": 1024},
        {"workers": 64, "model": "Llama 2 70B", "batch_tokens": 4194304, "speed": 0.05, "link": 1},
    ]
    for traits in [*ends, *chances]:
        figure = make(**traits)
        yield {
            "state": figure.state(),
            "expected": figure.results(),
            "formulas": formulas(figure.job),
            "functions": functions_case(figure),
        }


def randomize(host, dice: random.Random) -> dict:
    def listed(label: str, name: str) -> float:
        return SHARED[name][int(slid(host, label, list(range(len(SHARED[name]))), dice))]

    return {
        "model": [*SHARED["models"]][chosen(host, "model", len(SHARED["models"]), dice)],
        "workers": int(slid(host, "workers", [1, 2, 3, 8, 63, 64], dice)),
        "batch_tokens": listed("tokens in a batch", "batch_tokens"),
        "memory": listed("device memory", "memory"),
        "link": listed("link", "link"),
        "speed": listed("speed", "speed"),
        "sharding": SHARDINGS[picked(host, CUTS, dice)],
        "precision": PRECISIONS[chosen(host, "numbers", len(PRECISIONS), dice)],
        "checkpointing": switched(host, AGAIN, dice),
    }


def make_unusual(host) -> None:
    control(host, "model").select_option(index=4)
    control(host, "workers").fill("64")
    control(host, "tokens in a batch").fill("12")
    control(host, "link").fill("0")
    control(host, "speed").fill("0")
    control(host, CUTS[3]).check()
    control(host, "numbers").select_option(index=2)
