"""z-scores, batch and layer normalization, by :mod:`transformer_lite.layers.norms`."""

import math

from torch import Tensor

from lessons.worked_examples.registry import computes
from transformer_lite.layers.masks import padding_mask
from transformer_lite.layers.norms import batch_norm, layer_norm, layer_norm_steps, standardize
from transformer_lite.layers.norms.layer import LayerNormSteps


def feature_statistics(x: Tensor) -> LayerNormSteps:
    """Return the steps of the columns: batch statistics are layer statistics of the transpose."""
    return layer_norm_steps(x.mT, eps=0.0)


@computes("zscore-mean", "ln-2468-mean")
def mean(x: Tensor) -> Tensor:
    """Return the mean of x."""
    return layer_norm_steps(x).mean.squeeze()


@computes("zscore-std")
def std(x: Tensor) -> Tensor:
    """Return the population standard deviation of x."""
    return layer_norm_steps(x, eps=0.0).std.squeeze()


@computes("ln-2468-variance")
def variance(x: Tensor) -> Tensor:
    """Return the population variance of x."""
    return layer_norm_steps(x).variance.squeeze()


@computes("ln-2468-std")
def std_with_eps(x: Tensor) -> Tensor:
    """Return √(variance + ε) of x."""
    return layer_norm_steps(x).std.squeeze()


@computes("zscore-of-16")
def last_z_score(x: Tensor) -> Tensor:
    """Return the z-score of the last number of x."""
    return standardize(x)[-1]


@computes("zscore-all-values")
def z_scores(x: Tensor) -> Tensor:
    """Return the z-scores of x."""
    return standardize(x)


@computes("zscore-population-vs-sample")
def two_deviations(x: Tensor) -> dict[str, Tensor]:
    """Return the standard deviation and the last z-score of x, of a population and of a sample."""
    return {
        "population standard deviation": std(x),
        "sample standard deviation": x.std(correction=1),
        "z-score of 16, population": standardize(x)[-1],
        "z-score of 16, sample": standardize(x, unbiased=True)[-1],
    }


@computes("zscore-two-sigma-unreachable")
def largest_z_score(extreme: Tensor, x: Tensor) -> dict[str, Tensor]:
    """Return the largest z-score of four extreme numbers and of x."""
    return {
        "largest z-score that four numbers can have": standardize(extreme).max(),
        "largest z-score in the example": standardize(x).max(),
    }


@computes("house-table-zscore")
def house_table(size: Tensor, rooms: Tensor) -> dict[str, object]:
    """Return the z-scores of two columns, with the statistics they come from."""
    return {
        "z-scores of the sizes": standardize(size),
        "z-scores of the rooms": standardize(rooms),
        "means": [mean(size), mean(rooms)],
        "standard deviations": [std(size), std(rooms)],
        "z-scores with the sample formula": standardize(size, unbiased=True),
    }


@computes("house-normalized-045-060")
def house_z_scores(size: Tensor, rooms: Tensor) -> dict[str, Tensor]:
    """Return the z-scores of two columns."""
    return {"z-scores of the sizes": standardize(size), "z-scores of the rooms": standardize(rooms)}


@computes("hi-hello-table-batchnorm-stats-with-pad")
def batch_statistics(x: Tensor) -> dict[str, Tensor]:
    """Return the mean, deviation and variance of each feature over all tokens."""
    steps = feature_statistics(x)
    return {name: getattr(steps, name).flatten() for name in ("mean", "std", "variance")}


@computes("hi-hello-table-batchnorm-stats-without-pad")
def batch_statistics_without_pads(x: Tensor, token_ids: Tensor) -> dict[str, Tensor]:
    """Return the statistics of each feature over real tokens, and what pads change."""
    padded, real = batch_statistics(x), batch_statistics(x[padding_mask(token_ids)[0]])
    return {
        "mean": real["mean"],
        "std": real["std"],
        "std with pads / without": padded["std"] / real["std"],
        "mean with pads / without": padded["mean"] / real["mean"],
    }


@computes("hi-hello-table-batchnorm-output")
def batch_norm_of_the_table(x: Tensor, token_ids: Tensor) -> dict[str, Tensor]:
    """Normalize each feature over the batch, with pads and without."""
    real = padding_mask(token_ids)[0]
    return {"with pads": batch_norm(x), "without pads": batch_norm(x, real)[real]}


@computes("batchnorm-formula-variance-wording")
def variance_or_deviation(x: Tensor, feature: int) -> dict[str, float]:
    """Return the deviation of one feature, its square and the square of that."""
    steps = feature_statistics(x)
    return {
        "standard deviation": steps.std[feature].item(),
        "its square, the variance": steps.variance[feature].item(),
        "the square of the variance": steps.variance[feature].square().item(),
    }


@computes("hi-hello-table-batch-of-one")
def batch_of_one(x: Tensor, first_sentence: int) -> dict[str, Tensor]:
    """Compare the statistics of the first sentence alone with those of both."""
    alone, both = feature_statistics(x[:first_sentence]), feature_statistics(x)
    change = layer_norm(x)[:first_sentence] - layer_norm(x[:first_sentence])
    return {
        "batch mean, first sentence": alone.mean.flatten(),
        "batch mean, both": both.mean.flatten(),
        "batch deviation, first sentence": alone.std.flatten(),
        "batch deviation, both": both.std.flatten(),
        "largest change of layer normalization": change.abs().max(),
    }


@computes("tensor-shape-of-hi-hello-table")
def table_shape(x: Tensor) -> dict[str, object]:
    """Return the shape of x, of its batch means and of its layer means."""
    return {
        "shape": x.shape,
        "shape of the batch means": feature_statistics(x.flatten(end_dim=1)).mean.flatten().shape,
        "shape of the layer means": layer_norm_steps(x).mean.squeeze(-1).shape,
    }


@computes("hi-hello-table-layernorm-stats")
def layer_statistics(x: Tensor) -> dict[str, Tensor]:
    """Return the mean and the deviation of each token."""
    steps = layer_norm_steps(x, eps=0.0)
    return {"mean": steps.mean.flatten(), "std": steps.std.flatten()}


@computes("hi-hello-table-layernorm-output", "hi-hello-layernorm-pad-row")
def with_and_without_eps(x: Tensor) -> dict[str, Tensor]:
    """Normalize each row of x, with ε and without."""
    return {"ε = 10⁻⁵": layer_norm(x), "ε = 0": layer_norm_steps(x, eps=0.0).output}


@computes("layernorm-without-epsilon")
def constant_row(x: Tensor, constant: Tensor) -> dict[str, Tensor]:
    """Normalize x and a row of equal numbers, with ε and without."""
    rows = with_and_without_eps(x)
    return rows | {f"constant row, {k}": v for k, v in with_and_without_eps(constant).items()}


@computes("layernorm-five-vector")
def five_numbers(x: Tensor) -> dict[str, Tensor]:
    """Return the statistics of five numbers, and what normalization makes of them."""
    steps = layer_norm_steps(x)
    return {
        "mean": steps.mean.squeeze(),
        "variance": steps.variance.squeeze(),
        "standard deviation, ε = 0": std(x),
        "sample standard deviation": x.std(correction=1),
        **with_and_without_eps(x),
    }


@computes("layernorm-five-vector-mean-claim")
def mean_of_the_output(x: Tensor) -> Tensor:
    """Return the mean of x after layer normalization."""
    return mean(layer_norm(x))


@computes("layernorm-five-vector-variance-claim")
def variance_of_the_output(x: Tensor) -> Tensor:
    """Return the variance of x after layer normalization."""
    return variance(layer_norm(x))


@computes("ln-2468-population-vs-sample")
def two_variances(x: Tensor) -> dict[str, Tensor]:
    """Return the variance of x, of a population and of a sample."""
    return {
        "population variance": variance(x),
        "sample variance": x.var(correction=1),
        "normalized with the sample variance": standardize(x, eps=1e-5, unbiased=True),
    }


@computes("ln-2468-epsilon-notation")
def two_epsilons(x: Tensor) -> dict[str, object]:
    """Read ε as 10⁻⁵ and as e⁻⁵, and normalize x with each."""
    return {
        "10⁻⁵": 1e-5,
        "e⁻⁵": math.exp(-5),
        "first output, ε = 10⁻⁵": layer_norm(x)[0],
        "first output, ε = e⁻⁵": layer_norm(x, eps=math.exp(-5))[0],
    }


@computes("ln-2468-xhat-1", "ln-2468-xhat-2", "ln-2468-xhat-3", "ln-2468-xhat-4")
def one_normalized_value(x: Tensor, position: int) -> Tensor:
    """Return one entry of x after normalization."""
    return layer_norm_steps(x).normalized[position]


@computes("ln-2468-vector")
def normalized_vector(x: Tensor) -> Tensor:
    """Return x after normalization, before gain and shift."""
    return layer_norm_steps(x).normalized


@computes("ln-2468-scale-shift")
def scale_and_shift(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Return x after layer normalization with gain and shift."""
    return layer_norm(x, weight, bias)


@computes("ln-2468-zscore-formula-mismatch")
def two_formulas(x: Tensor) -> dict[str, Tensor]:
    """Normalize x with ε and without, and return the largest difference."""
    rows = with_and_without_eps(x)
    return rows | {"largest difference": (rows["ε = 0"] - rows["ε = 10⁻⁵"]).abs().max()}


@computes("layernorm-blind-examples")
def one_output_for_five_vectors(x: Tensor) -> dict[str, Tensor]:
    """Normalize several vectors with the same result."""
    outputs = layer_norm_steps(x, eps=0.0).output
    return {
        "common output": outputs[0],
        "largest difference": (outputs - outputs[0]).abs().max(),
    }


@computes("word-embeddings-the-cat-sat-0.1-1.2")
def normalized_embeddings(x: Tensor) -> dict[str, Tensor]:
    """Normalize each embedding of x, without ε."""
    return {"layer normalization, ε = 0": layer_norm_steps(x, eps=0.0).output}
