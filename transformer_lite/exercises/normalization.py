"""Chapter 12, normalization: groups of features, a scaler that saw the test, and undoing it."""

import torch

from transformer_lite import norms
from transformer_lite.exercises._exercise import Case, Exercise, Mistake
from transformer_lite.exercises._properties import GRADIENT
from transformer_lite.exercises._random import normal_numbers

BUG_HUNTS = ("scale_test_data",)

_double = torch.float64
_normal = normal_numbers(12)
_IN_PLACE = (
    "An operation such as -= writes into the tensor that it was given. Make a new one instead."
)
_FLOAT = "The result has become float32. Keep the dtype of the input."
_CUT_OFF = (
    "The mean and the standard deviation are cut off from the data, by detach, item or "
    "torch.tensor. They depend on it too, and the gradient has to know."
)


def _group_cases() -> tuple[Case, ...]:
    batch = [
        [[2, 1, 4, 5], [6, 2, 3, 1], [1, 5, 2, 8]],
        [[3, 1, 7, 5], [7, 3, 1, 1], [2, 6, 4, 4]],
    ]
    x = torch.tensor(batch, dtype=torch.float32)
    constant = 3 * _normal(2, 3, 8)
    constant[0, :, 4:] = 0.5  # the second of two groups does not vary
    wide, single = _normal(2, 5, 6, dtype=_double), _normal(3, 2, 4)
    return (
        Case(
            "The cat sat and A dog ran, 2 groups, ε=1e-5",
            {"x": x, "num_groups": 2, "eps": 1e-5},
        ),
        Case("float64, ε=0.25, B=2, T=5, D=6, 3 groups", {"x": wide, "num_groups": 3, "eps": 0.25}),
        Case("B=3, T=2, D=4, 1 group", {"x": single, "num_groups": 1, "eps": 1e-5}),
        Case(
            "a group that does not vary, B=2, T=3, D=8, 2 groups",
            {"x": constant, "num_groups": 2, "eps": 1e-5},
        ),
    )


def _group_by(axes, root=lambda variance, eps: torch.sqrt(variance + eps), correction=0):
    """Return a group norm with statistics over these axes of (B, T, groups, D / groups)."""

    def function(x, num_groups, eps):
        groups = x.unflatten(-1, (num_groups, -1))
        variance, mean = torch.var_mean(groups, dim=axes, correction=correction, keepdim=True)
        return ((groups - mean) / root(variance, eps)).flatten(start_dim=2)

    return function


def _group_interleaved(x, num_groups, eps):
    groups = x.unflatten(-1, (-1, num_groups))
    variance, mean = torch.var_mean(groups, dim=(1, 2), correction=0, keepdim=True)
    return ((groups - mean) / torch.sqrt(variance + eps)).flatten(start_dim=2)


def _group_by_plain_view(x, num_groups, eps):
    groups = x.reshape(x.shape[0], num_groups, -1)
    return norms.standardize(groups, eps=eps).view(x.shape)


def _group_in_place(x, num_groups, eps):
    groups = x.unflatten(-1, (num_groups, -1))
    variance = groups.var(dim=(1, 3), correction=0, keepdim=True)
    groups -= groups.mean(dim=(1, 3), keepdim=True)
    return (groups / torch.sqrt(variance + eps)).flatten(start_dim=2)


def _group_detached(x, num_groups, eps):
    groups = x.unflatten(-1, (num_groups, -1))
    variance, mean = torch.var_mean(groups.detach(), dim=(1, 3), correction=0, keepdim=True)
    return ((groups - mean) / torch.sqrt(variance + eps)).flatten(start_dim=2)


_GROUP_MISTAKES = (
    Mistake(
        lambda x, num_groups, eps: norms.layer_norm(x, eps=eps),
        "Each token is normalized by itself over all its features. That is layer normalization; "
        "here a group runs over the tokens of its sentence as well.",
    ),
    Mistake(
        _group_by((3,)),
        "The features are cut into groups, but each token keeps its own statistics. Average over "
        "the tokens of the sentence too.",
    ),
    Mistake(
        _group_by((0, 1, 3)),
        "The statistics run over all sentences of the batch. Each sentence has its own.",
    ),
    Mistake(
        lambda x, num_groups, eps: norms.instance_norm(x, eps=eps),
        "Each feature is a group of its own. That is instance normalization; here D / num_groups "
        "features share a mean and a variance.",
    ),
    Mistake(
        lambda x, num_groups, eps: norms.group_norm(x, 1, eps=eps),
        "All features of a sentence are one group. Cut them into num_groups first.",
    ),
    Mistake(
        _group_interleaved,
        "The groups are interleaved: features that are num_groups apart share statistics. "
        "Neighbors should; cut D into (num_groups, D / num_groups), in this order.",
    ),
    Mistake(
        _group_by_plain_view,
        "Reshaping (B, T, D) straight to (B, num_groups, …) cuts along the tokens, because tokens "
        "come before features in memory. Split the last axis instead.",
    ),
    Mistake(
        _group_by((1, 3), correction=1),
        "This is the sample variance, divided by n − 1. Normalization divides by n.",
    ),
    Mistake(
        _group_by((1, 3), lambda variance, eps: variance.sqrt() + eps),
        "ε is added to the standard deviation. It belongs to the variance, inside the root.",
    ),
    Mistake(
        _group_by((1, 3), lambda variance, eps: variance.sqrt()),
        "ε is not used. A group that does not vary has variance 0, and 0 / 0 is nan.",
    ),
    Mistake(
        _group_by((1, 3), lambda variance, eps: variance + eps),
        "The numbers are divided by the variance. The root is missing.",
    ),
    Mistake(
        lambda x, num_groups, eps: norms.group_norm(x, num_groups, eps=eps).unflatten(
            -1, (num_groups, -1)
        ),
        "The result still has an axis for the groups. Join it with the last one again.",
    ),
    Mistake(_group_in_place, _IN_PLACE),
    Mistake(lambda x, num_groups, eps: norms.group_norm(x.float(), num_groups, eps=eps), _FLOAT),
    Mistake(_group_detached, _CUT_OFF),
)


def _group_by_torch(x, num_groups, eps):
    return torch.nn.functional.group_norm(x.mT, num_groups, eps=eps).mT


group_norm = Exercise(
    name="normalization.group_norm",
    reference=lambda x, num_groups, eps: norms.group_norm(x, num_groups, eps=eps),
    cases=_group_cases(),
    mistakes=_GROUP_MISTAKES,
    right_answers=(_group_by((1, 3)), _group_by_torch),
    hint_texts=(
        "How many numbers share one mean, for 3 tokens, 4 features and 2 groups? Which of the "
        "axes B, T and D do they lie along?",
        "Split the last axis into two: (B, T, num_groups, D / num_groups). Take mean and variance "
        "over the tokens and over the last of the four, and join the two axes again at the end.",
        "groups = x.unflatten(-1, (num_groups, -1)); torch.var_mean(groups, dim=(1, 3), "
        "correction=0, keepdim=True) gives variance and mean; flatten(start_dim=2) joins.",
    ),
    starter='''\
def group_norm(x, num_groups, eps):
    """Normalize groups of neighboring features of x (B, T, D)."""
    raise NotImplementedError
''',
    properties=(GRADIENT,),
)


def _scaler_cases() -> tuple[Case, ...]:
    def draw(name, n, m, d, dtype=torch.float32):
        """Test data from elsewhere: another center and another spread, so that a leak shows."""
        train = 2 + 3 * _normal(n, d, dtype=dtype)
        return Case(name, {"train": train, "test": 9 + 0.5 * _normal(m, d, dtype=dtype)})

    houses = torch.tensor([[1200, 2], [1500, 3], [1800, 5]], dtype=torch.float32)
    new = torch.tensor([[2400, 6], [900, 1]], dtype=torch.float32)
    return (
        Case("three houses, and two that nobody has seen", {"train": houses, "test": new}),
        draw("N=7, M=4, D=3", 7, 4, 3),
        draw("float64, N=4, M=6, D=5", 4, 6, 5, _double),
        draw("a single row to scale, N=5, M=1, D=3", 5, 1, 3),
    )


def _scaled_by(rows_of, center=lambda rows: rows.mean(dim=0), spread=None):
    """Return a scaler of the test data with statistics from the rows of (train, test)."""
    spread = spread or (lambda rows: rows.std(dim=0, correction=0))

    def function(train, test):
        rows = rows_of(train, test)
        return (test - center(rows)) / spread(rows)

    return function


def _train(train, test):
    return train


def _both(train, test):
    return torch.cat([train, test])


def _scaled_in_place(train, test):
    test -= train.mean(dim=0)
    return test / train.std(dim=0, correction=0)


_SCALER_MISTAKES = (
    Mistake(
        _scaled_by(_both),
        "The test data take part in the statistics. Whatever is reported about them afterwards, "
        "they were seen before.",
    ),
    Mistake(
        _scaled_by(lambda train, test: test),
        "The test data are scaled with their own statistics. The model learned in the units of "
        "the training data; in other units the same house looks like another one.",
    ),
    Mistake(
        lambda train, test: (
            (test - train.mean(dim=0)) / _both(train, test).std(dim=0, correction=0)
        ),
        "The mean is right. The standard deviation still comes from the test data as well.",
    ),
    Mistake(
        lambda train, test: (
            (test - _both(train, test).mean(dim=0)) / train.std(dim=0, correction=0)
        ),
        "The standard deviation is right. The mean still comes from the test data as well.",
    ),
    Mistake(
        _scaled_by(_train, spread=lambda rows: rows.std(dim=0)),
        "The right rows. The standard deviation divides by n − 1, as torch does unless you tell it "
        "otherwise; these z-scores divide by n.",
    ),
    Mistake(
        _scaled_by(_train, lambda rows: rows.mean(), lambda rows: rows.std(correction=0)),
        "One mean and one standard deviation serve all features. Each column needs its own pair.",
    ),
    Mistake(
        _scaled_by(_train, spread=lambda rows: rows.var(dim=0, correction=0)),
        "The numbers are divided by the variance. The root is missing.",
    ),
    Mistake(
        _scaled_by(_train, center=lambda rows: 0),
        "The mean is not subtracted.",
    ),
    Mistake(
        _scaled_by(
            _train, lambda rows: rows.amin(dim=0), lambda rows: rows.amax(dim=0) - rows.amin(dim=0)
        ),
        "This is min–max scaling. z-scores subtract the mean and divide by the standard deviation.",
    ),
    Mistake(
        lambda train, test: norms.standardize(train, dim=0),
        "These are the scaled training data. The test data are wanted, in the same units.",
    ),
    Mistake(_scaled_in_place, _IN_PLACE),
    Mistake(lambda train, test: _scaled_by(_train)(train.float(), test.float()), _FLOAT),
    Mistake(_scaled_by(lambda train, test: train.detach()), _CUT_OFF),
)


def _scaled_behind_the_training_data(train, test):
    variance, mean = torch.var_mean(train, dim=0, correction=0, keepdim=True)
    return (test - mean) * torch.rsqrt(variance)


scale_test_data = Exercise(
    name="normalization.scale_test_data",
    reference=_scaled_by(_train),
    cases=_scaler_cases(),
    mistakes=_SCALER_MISTAKES,
    right_answers=(_scaled_by(_train), _scaled_behind_the_training_data),
    hint_texts=(
        "Imagine that the test data arrive a year after the model was trained. Which numbers are "
        "known by then?",
        "The mean and the standard deviation describe the training data. Which rows may they be "
        "computed from?",
        "Take train.mean(dim=0) and train.std(dim=0, correction=0); nothing is concatenated.",
    ),
    starter='''\
def scale_test_data(train, test):
    """Return test (M, D) in the z-scores that train (N, D) defines."""
    rows = torch.cat([train, test])
    mean = rows.mean(dim=0)
    std = rows.std(dim=0, correction=0)
    return (test - mean) / std
''',
    properties=(GRADIENT,),
)


def _folding_cases() -> tuple[Case, ...]:
    def draw(name, d, dtype=torch.float32):
        return Case(
            name,
            {
                "weight": _normal(d, dtype=dtype),
                "bias": _normal(dtype=dtype),
                "mean": 3 * _normal(d, dtype=dtype),
                "std": 0.5 + _normal(d, dtype=dtype).abs(),
            },
        )

    houses = {"weight": [12, 8], "bias": 60, "mean": [1500, 3], "std": [400, 1.25]}
    worked = {name: torch.tensor(value, dtype=torch.float32) for name, value in houses.items()}
    return (
        Case("size and rooms: weights [12, 8], bias 60", worked),
        draw("D=3", 3),
        draw("float64, D=5", 5, _double),
        draw("one feature, D=1", 1),
    )


def _folded(weight_of, bias_of):
    """Return a folding with this weight of (weight, mean, std) and this bias of all four."""

    def function(weight, bias, mean, std):
        raw_bias = bias_of(weight, bias, mean, std)
        return torch.cat([weight_of(weight, mean, std), raw_bias.view(1)])

    return function


def _folded_weight(weight, mean, std):
    return weight / std


def _folded_bias(weight, bias, mean, std):
    return bias - (weight / std * mean).sum()


def _folded_in_place(weight, bias, mean, std):
    weight /= std
    return torch.cat([weight, (bias - weight @ mean).view(1)])


_FOLDING_MISTAKES = (
    Mistake(
        _folded(_folded_weight, lambda weight, bias, mean, std: bias),
        "The weights are right. The bias has to change as well: what does the model predict for a "
        "house that equals the mean?",
    ),
    Mistake(
        _folded(_folded_weight, lambda w, bias, mean, std: bias + (w / std * mean).sum()),
        "The correction of the bias has the wrong sign. The mean is subtracted from x.",
    ),
    Mistake(
        _folded(_folded_weight, lambda weight, bias, mean, std: bias - (weight * mean).sum()),
        "The bias is corrected with the old weights. The mean is divided by σ too.",
    ),
    Mistake(
        _folded(_folded_weight, lambda weight, bias, mean, std: bias - (mean / std).sum()),
        "The correction of the bias leaves out the weights.",
    ),
    Mistake(
        _folded(
            _folded_weight, lambda weight, bias, mean, std: bias - (weight / std * mean).mean()
        ),
        "The correction of the bias is averaged. The prediction adds up its terms.",
    ),
    Mistake(
        _folded(lambda weight, mean, std: weight * std, _folded_bias),
        "The weights are multiplied by σ. A feature with large numbers needs a small weight.",
    ),
    Mistake(
        lambda weight, bias, mean, std: torch.cat(
            [weight, _folded_bias(weight, bias, mean, std).view(1)]
        ),
        "The bias is right. The weights still belong to the z-scores: divide them by σ.",
    ),
    Mistake(
        lambda weight, bias, mean, std: torch.cat([weight, bias.view(1)]),
        "These are the weights that came in. Write out w (x − μ) / σ + b and collect what "
        "multiplies x.",
    ),
    Mistake(
        lambda weight, bias, mean, std: torch.cat(
            [_folded_bias(weight, bias, mean, std).view(1), weight / std]
        ),
        "The bias comes first. The weights should, then the bias.",
    ),
    Mistake(
        lambda weight, bias, mean, std: weight / std,
        "Only the weights come back. Append the bias as the last entry.",
    ),
    Mistake(_folded_in_place, _IN_PLACE),
    Mistake(
        lambda weight, bias, mean, std: _folded(_folded_weight, _folded_bias)(
            weight.float(), bias.float(), mean.float(), std.float()
        ),
        _FLOAT,
    ),
    Mistake(
        _folded(_folded_weight, lambda w, b, mean, std: b - (w / std * mean).sum().detach()),
        "The correction of the bias is cut off from its inputs, by detach, item or torch.tensor. "
        "It depends on the weights, and the gradient has to know.",
    ),
)


def _folded_by_asking(weight, bias, mean, std):
    """The model is affine: its values at 0 and at each unit vector say everything."""
    points = torch.cat(
        [torch.eye(len(weight), dtype=weight.dtype), weight.new_zeros(1, len(weight))]
    )
    predictions = (points - mean) / std @ weight + bias
    return torch.cat([predictions[:-1] - predictions[-1], predictions[-1:]])


fold_scaling = Exercise(
    name="normalization.fold_scaling",
    reference=_folded(_folded_weight, _folded_bias),
    cases=_folding_cases(),
    mistakes=_FOLDING_MISTAKES,
    right_answers=(
        _folded(
            _folded_weight, lambda weight, bias, mean, std: bias - torch.dot(weight / std, mean)
        ),
        _folded_by_asking,
    ),
    hint_texts=(
        "Multiply out w (x − μ) / σ + b. Which part multiplies x, and which part does not know x?",
        "The raw weight is the old one divided by σ. The bias loses the raw weights times the "
        "means, added up.",
        "raw_weight = weight / std, raw_bias = bias - raw_weight @ mean, then torch.cat of the "
        "two, with raw_bias.view(1).",
    ),
    starter='''\
def fold_scaling(weight, bias, mean, std):
    """Weights (D,), bias (), means (D,), stds (D,) -> (D + 1,), for raw x."""
    raise NotImplementedError
''',
    properties=(GRADIENT,),
)
