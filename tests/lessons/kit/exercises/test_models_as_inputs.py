"""Exercises about models: a model that comes in is a copy, and layers do what the package's do."""

import torch

from lessons.kit.exercises import descendants
from transformer_lite.layers import MixtureOfExperts
from transformer_lite.layers.masks import sliding_window_mask


def test_a_model_among_the_inputs_is_a_copy_that_shares_what_it_shared(capsys):
    exercise = descendants.tied_weights
    before = exercise.case(1)["model"].state_dict()
    model, other = exercise.case(1)["model"], exercise.case(1)["model"]
    assert model.output.weight is model.embedding.weight is not other.embedding.weight
    torch.nn.init.zeros_(model.embedding.weight)
    for mistake in exercise.mistakes:
        exercise.check(mistake.function)
    after = exercise.case(1)["model"].state_dict()
    assert before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before)


def test_a_converter_is_judged_by_the_model_that_it_leaves_behind(capsys):
    """Two parameters that share their numbers are two to an optimizer, whatever a dict shows."""

    def shares_its_numbers(model, weights):
        table = weights["embedding.weight"].clone()
        model.embedding.weight = torch.nn.Parameter(table)
        model.output.weight = torch.nn.Parameter(table)
        model.middle.weight.data.copy_(weights["middle.weight"])
        state = model.state_dict()
        assert state["output.weight"].data_ptr() == state["embedding.weight"].data_ptr()
        return state

    message = " ".join(descendants.tied_weights.check(shares_its_numbers).message.split())
    assert "The numbers are right. But one step of training later" in message


def test_the_gates_of_a_router_are_those_of_the_packages_own_mixture():
    for inputs in [case.inputs for case in descendants.route.cases]:
        scores, chosen = inputs["scores"], inputs["num_chosen"]
        experts = scores.shape[1]
        mixture = MixtureOfExperts(experts, [torch.nn.Identity()] * experts, chosen)
        mixture.router.weight = torch.nn.Parameter(torch.eye(experts, dtype=scores.dtype))
        gates, share = descendants.route.reference(**inputs)
        torch.testing.assert_close(gates, mixture.gates(scores))
        assert abs(share.sum() - 1) < 1e-6


def test_the_mask_of_a_window_is_the_packages_own():
    for inputs in [case.inputs for case in descendants.window_mask.cases]:
        mask = descendants.window_mask.reference(**inputs)
        assert torch.equal(mask, sliding_window_mask(**inputs))
