"""Exercises about models: an input model is a copy, and the model is judged after the call."""

import torch

from lessons.kit.exercises import descendants


def test_an_input_model_is_a_copy_whose_weights_are_still_tied(capsys):
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


def test_a_converter_is_judged_by_the_model_that_it_changed(capsys):
    """An optimizer updates two parameters that share storage separately."""

    def shares_its_numbers(model, weights):
        table = weights["embedding.weight"].clone()
        model.embedding.weight = torch.nn.Parameter(table)
        model.output.weight = torch.nn.Parameter(table)
        model.middle.weight.data.copy_(weights["middle.weight"])
        state = model.state_dict()
        assert state["output.weight"].data_ptr() == state["embedding.weight"].data_ptr()
        return state

    message = " ".join(descendants.tied_weights.check(shares_its_numbers).message.split())
    assert "The numbers are right. But after one step of training" in message
