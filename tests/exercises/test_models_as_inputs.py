"""Exercises about models: a model that comes in is a copy, and counts are those of real ones."""

import torch

from transformer_lite.exercises import descendants
from transformer_lite.models.build import build_decoder_only
from transformer_lite.models.config import TransformerConfig


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


def test_the_weights_of_a_decoder_are_those_of_the_packages_own():
    counts = descendants.count_decoder.right_answers[0]
    for sizes in [case.inputs for case in descendants.count_decoder.cases[1:]]:
        config = TransformerConfig(
            sizes["vocab_size"],
            sizes["vocab_size"],
            sizes["d_model"],
            num_heads=1,
            d_ff=sizes["d_ff"],
            num_decoder_layers=sizes["num_layers"],
            residual="pre",
            positions="learned",
            max_len=sizes["max_len"],
            tie_embeddings=True,
        )
        weights = build_decoder_only(config).parameters()
        assert counts(**sizes)["total"] == sum(weight.numel() for weight in weights)


def test_the_smallest_gpt_2_has_124_439_808_weights():
    first = descendants.count_decoder.case(1)
    assert descendants.count_decoder.right_answers[0](**first)["total"] == 124_439_808
