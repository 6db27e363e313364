"""A tied model, and what to hold a function to that fills one."""

from typing import Any

import torch
from torch import Tensor, nn

from lessons.kit.exercises.exercise import Property
from lessons.kit.exercises.outcome import Function


class TiedModel(nn.Module):
    """A small model of words whose output reads its embedding's table.

    Args:
        table: the first weights of the embedding and of the output, (V, D).
        middle: the first weights of the layer between them, (D, D).
    """

    def __init__(self, table: Tensor, middle: Tensor) -> None:
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(table.clone(), freeze=False)
        with torch.random.fork_rng(devices=[]):  # a check leaves the reader's seed alone
            self.middle = nn.Linear(len(middle), len(middle), bias=False)
            self.output = nn.Linear(table.shape[1], len(table), bias=False)
        self.middle.weight = nn.Parameter(middle.clone())
        self.output.weight = self.embedding.weight

    def forward(self, ids: Tensor) -> Tensor:
        """Return logits (..., V) of what follows ids (...)."""
        logits: Tensor = self.output(self.middle(self.embedding(ids)))
        return logits


def _train(model: TiedModel) -> None:
    """Make one step of equal length for every parameter, down the gradient of a loss."""
    ids = torch.arange(model.embedding.num_embeddings)
    with torch.enable_grad():
        nn.functional.cross_entropy(model(ids), ids.flip(0)).backward()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.sub_(0.5 * parameter.grad / parameter.grad.norm())


def _trained(function: Function, inputs: dict[str, Any]) -> dict[str, Tensor | None]:
    """Return all tables of the model after a step of training after the function."""
    model = inputs["model"]
    function(*inputs.values())
    _train(model)
    return {name: value.clone() for name, value in model.state_dict().items()}


def _kept(function: Function, inputs: dict[str, Any]) -> dict[str, Tensor | None]:
    """Return the weights of the file after a step of training after the function."""
    function(*inputs.values())
    _train(inputs["model"])
    return {name: value.detach().clone() for name, value in inputs["weights"].items()}


#: One step of training later the model is still tied.
TIE = Property(
    "tie",
    _trained,
    "The numbers are right. But one step of training later the model's weights are not those of a "
    "model whose output shares the table of its embedding.",
)
#: One step of training later the file still holds its numbers.
FILE = Property(
    "file",
    _kept,
    "The numbers are right, and the model is tied. But training it changes the caller's weights.",
)
