"""The two models that the chapter assembles are those of Hugging Face's library."""

from functools import partial
from pathlib import Path

import nbformat
import pytest
import torch
from transformers import Gemma3ForCausalLM, Gemma3TextConfig, Qwen3Config, Qwen3ForCausalLM

import transformer_lite as tl

NOTEBOOK = Path(__file__).parents[3] / "notebooks" / "29_a_decoder_of_today.ipynb"
SIZES = {
    "vocab_size": 60,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "rms_norm_eps": 1e-6,
    "attn_implementation": "eager",
    "pad_token_id": None,
}
SLOW, FAST = ({"rope_type": "default", "rope_theta": base} for base in (1e6, 1e4))
TOLERANCE = {"rtol": 1e-5, "atol": 1e-5}


def theirs(name: str) -> torch.nn.Module:
    """Return a model of their class with random weights, norms included."""
    if name == "qwen3":
        sizes = SIZES | {"num_hidden_layers": 3, "rope_parameters": SLOW}
        model: torch.nn.Module = Qwen3ForCausalLM(Qwen3Config(**sizes))
    else:
        ropes = {"full_attention": SLOW, "sliding_attention": FAST}
        sizes = SIZES | {"num_hidden_layers": 6, "rope_parameters": ropes}
        config = Gemma3TextConfig(**sizes, sliding_window=8, query_pre_attn_scalar=16)
        model = Gemma3ForCausalLM(config)
    for weight in model.parameters():
        weight.data += 0.1 * torch.randn_like(weight)
    return model.eval()


@pytest.fixture(scope="module")
def chapter() -> dict:
    """Run the chapter's cells that assemble the models."""
    cells = {cell["id"]: cell["source"] for cell in nbformat.read(NOTEBOOK, 4).cells}
    names = {"torch": torch, "tl": tl, "partial": partial, "generator": None}
    for name in ("qwen-layer", "gemma-layer", "models"):
        exec(cells[f"29-{name}"], names)
    return names


@pytest.mark.parametrize("name", ["qwen3", "gemma3"])
@torch.no_grad()
def test_the_chapters_model_equals_theirs_with_the_cache_and_without(chapter, name):
    ours, model = chapter[name], theirs(name)
    ours.load_state_dict(tl.models.from_hugging_face(model).state_dict())
    ids = torch.randint(60, (2, 24))
    expected = model(ids).logits
    torch.testing.assert_close(ours(ids), expected, **TOLERANCE)
    cache = ours.new_cache()
    steps = [ours(ids[:, [t]], cache) for t in range(24)]
    torch.testing.assert_close(torch.cat(steps, dim=1), expected, **TOLERANCE)
    step, past = [], None
    for t in range(24):
        output = model(ids[:, [t]], past_key_values=past, use_cache=True)
        past = output.past_key_values
        step.append(output.logits)
    torch.testing.assert_close(torch.cat(steps, 1), torch.cat(step, 1), **TOLERANCE)
