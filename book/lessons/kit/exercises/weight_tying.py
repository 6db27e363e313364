"""A small model with tied weights, and the properties of a function that fills it."""

from typing import Any

import torch
from torch import Tensor, nn

from lessons.kit.exercises.exercise import Property
from lessons.kit.exercises.outcome import Function


class TiedModel(nn.Module):
    """A small language model whose output layer shares the table of its embedding.

    Args:
        table: the initial weights of the embedding and of the output, (V, D).
        middle: the initial weights of the layer between them, (D, D).
    """

    def __init__(self, table: Tensor, middle: Tensor) -> None:
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(table.clone(), freeze=False)
        with torch.random.fork_rng(devices=[]):  # a check must not change the reader's seed
            self.middle = nn.Linear(len(middle), len(middle), bias=False)
            self.output = nn.Linear(table.shape[1], len(table), bias=False)
        self.middle.weight = nn.Parameter(middle.clone())
        self.output.weight = self.embedding.weight

    def forward(self, ids: Tensor) -> Tensor:
        """Return the logits (..., V) of the next token for ids (...)."""
        logits: Tensor = self.output(self.middle(self.embedding(ids)))
        return logits


def _train(model: TiedModel) -> None:
    """Take one gradient step of the same length for every parameter."""
    ids = torch.arange(model.embedding.num_embeddings)
    with torch.enable_grad():
        nn.functional.cross_entropy(model(ids), ids.flip(0)).backward()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.sub_(0.5 * parameter.grad / parameter.grad.norm())


def _trained(function: Function, inputs: dict[str, Any]) -> dict[str, Tensor | None]:
    """Call the function, train for one step, and return the parameters of the model."""
    model = inputs["model"]
    function(*inputs.values())
    _train(model)
    return {name: value.clone() for name, value in model.state_dict().items()}


def _kept(function: Function, inputs: dict[str, Any]) -> dict[str, Tensor | None]:
    """Call the function, train for one step, and return the caller's weights."""
    function(*inputs.values())
    _train(inputs["model"])
    return {name: value.detach().clone() for name, value in inputs["weights"].items()}


#: The model is still tied after one step of training.
STAYS_TIED = Property(
    "tie",
    _trained,
    "The numbers are right. But after one step of training the weights are not those of a model "
    "whose output shares the table of its embedding. Both must use one parameter, not copies.",
)
#: Training the model does not change the caller's weights.
WEIGHTS_UNCHANGED = Property(
    "file",
    _kept,
    "The numbers are right, and the model is tied. But training it changes the caller's weights.",
)
