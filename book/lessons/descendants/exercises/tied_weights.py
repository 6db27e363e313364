"""Find the bug: a converter that copies every number and unties the output."""

import torch
from torch import Tensor, nn

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.weight_tying import STAYS_TIED, WEIGHTS_UNCHANGED, TiedModel

_normal = normal_numbers("descendants.tied_weights")

Weights = dict[str, Tensor]
_TABLE, _MIDDLE = "embedding.weight", "middle.weight"


def _fill(model: TiedModel, table: Tensor, middle: Tensor) -> Weights:
    with torch.no_grad():
        model.embedding.weight.copy_(table)
        model.middle.weight.copy_(middle)
    return model.state_dict()


def _reference(model: TiedModel, weights: Weights) -> Weights:
    return _fill(model, weights[_TABLE], weights[_MIDDLE])


def _case(name: str, vocab: int, width: int, dtype: torch.dtype = torch.float32) -> Case:
    table, middle = _normal(vocab, width, dtype=dtype), _normal(width, width, dtype=dtype)
    model = TiedModel(_normal(vocab, width, dtype=dtype), _normal(width, width, dtype=dtype))
    return Case(name, {"model": model, "weights": {_TABLE: table, _MIDDLE: middle}})


_CASES = (
    _case("5 words of width 3", 5, 3),
    _case("4 words of width 6, in float64", 4, 6, torch.float64),
    _case("as many words as features", 4, 4),
    _case("width 1", 3, 1),
)


def _replaced(model: TiedModel, table: Tensor, output: Tensor, middle: Tensor) -> Weights:
    model.embedding.weight, model.output.weight = nn.Parameter(table), nn.Parameter(output)
    model.middle.weight = nn.Parameter(middle)
    return model.state_dict()


def _untied(model: TiedModel, weights: Weights) -> Weights:
    table = weights[_TABLE]
    return _replaced(model, table.clone(), table.clone(), weights[_MIDDLE].clone())


def _two_parameters(model: TiedModel, weights: Weights) -> Weights:
    table = weights[_TABLE].clone()
    return _replaced(model, table, table, weights[_MIDDLE].clone())


def _only_the_embedding(model: TiedModel, weights: Weights) -> Weights:
    model.embedding.weight = nn.Parameter(weights[_TABLE].clone())
    model.middle.weight = nn.Parameter(weights[_MIDDLE].clone())
    return model.state_dict()


def _of_the_file(model: TiedModel, weights: Weights) -> Weights:
    model.embedding.weight.data = weights[_TABLE]
    model.middle.weight.data = weights[_MIDDLE]
    return model.state_dict()


def _assigned(model: TiedModel, weights: Weights) -> Weights:
    everything = weights | {"output.weight": weights[_TABLE]}
    model.load_state_dict(everything, assign=True)
    return model.state_dict()


_MISTAKES = mistakes(
    _untied,
    "Embedding and output get two separate parameters, so what "
    "one of them learns does not reach the other. Copy the numbers into the "
    "existing parameters, or tie them again.",
    _two_parameters,
    "Embedding and output share their numbers, but as two parameters: each has its own "
    "gradient, and an optimizer updates the table twice. There must be only one parameter.",
    _assigned,
    "assign=True puts the file's tensors into the model instead of copying them: embedding "
    "and output become two parameters, and training writes into the caller's weights.",
    _only_the_embedding,
    "The embedding has a new parameter, but the output still uses the old one.",
    _of_the_file,
    "The model uses the file's own tensors instead of copies, so training changes them.",
    lambda model, weights: _fill(model, weights[_TABLE], weights[_MIDDLE].mT),
    "The weight between the two tables is transposed. It is square, so there is no error. "
    "Copy it as it is.",
    lambda model, weights: {
        **{name: value.clone() for name, value in weights.items()},
        "output.weight": weights[_TABLE].clone(),
    },
    "The dict is right, but the model itself still has its old weights. Copy into the model.",
)


def _by_loading(model: TiedModel, weights: Weights) -> Weights:
    model.load_state_dict(weights, strict=False)
    return model.state_dict()


def _tied_again(model: TiedModel, weights: Weights) -> Weights:
    _untied(model, weights)
    model.output.weight = model.embedding.weight
    return model.state_dict()


def _draw(draw: Draw) -> Inputs:
    vocab, width = draw.size(2), draw.size(2)
    model = TiedModel(draw.normal(vocab, width), draw.normal(width, width))
    table, middle = draw.normal(vocab, width), draw.normal(width, width)
    return model, {"embedding.weight": table, "middle.weight": middle}


tied_weights = Exercise(
    name="descendants.tied_weights",
    reference=_reference,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_by_loading, _tied_again),
    draw=_draw,
    hint_texts=(
        "Is `model.output.weight is model.embedding.weight` True before the call? And after it?",
        "An assignment to model.output.weight replaces the parameter. What copies numbers into "
        "an existing parameter?",
        "Under torch.no_grad(): model.embedding.weight.copy_(table), and the same for the middle. "
        "The output needs no line at all.",
    ),
    starter='''\
def tied_weights(model, weights):
    """Copy a file's weights into a tied model. Returns its state dict."""
    table, middle = weights["embedding.weight"], weights["middle.weight"]
    model.embedding.weight = torch.nn.Parameter(table.clone())
    model.middle.weight = torch.nn.Parameter(middle.clone())
    model.output.weight = torch.nn.Parameter(table.clone())
    return model.state_dict()
''',
    properties=(STAYS_TIED, WEIGHTS_UNCHANGED),
)
