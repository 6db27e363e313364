"""A Hugging Face config, read option by option.

Published configs hold keys of old versions and of other tools. What decides is what a key does: one
that the code of transformers reads and the conversion does not is refused, unless it has its
default value or is known to change nothing. A key that their code never reads is ignored.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from transformer_lite.models.conversion import require

# Options about training, files and generation, which do not change what the model computes.
# fmt: off
WITHOUT_EFFECT = frozenset({
    "transformers_version", "architectures", "output_hidden_states", "output_attentions",
    "return_dict", "dtype", "chunk_size_feed_forward", "id2label", "label2id", "problem_type",
    "initializer_range", "use_cache", "bos_token_id", "_name_or_path", "model_type",
    "classifier_dropout", "summary_type", "summary_use_proj", "summary_activation",
    "summary_proj_to_labels", "summary_first_dropout", "reorder_and_upcast_attn",
    "_attn_implementation_internal", "gradient_checkpointing", "n_ctx", "task_specific_params",
    "finetuning_task", "tie_word_embeddings", "embedding_size",
})
# fmt: on
# Options that change the published model, although the model's own code does not read them.
WITH_EFFECT = frozenset({"quantization_config", "adapters", "pruned_heads"})
# What a model does that lacks the option.
NEUTRAL = {"is_causal": (True,), "layer_types": ("full_attention",)}
# What shares the config with the code of each family: the masks and the cache.
SHARED = ("transformers.masking_utils", "transformers.cache_utils")
READ = re.compile(r"config\.(\w+)|config, *[\"'](\w+)[\"']")
ACTIVATIONS = {"gelu": "gelu", "gelu_new": "gelu_tanh", "gelu_pytorch_tanh": "gelu_tanh"}
ACTIVATIONS |= {"relu": "relu"}


class Options:
    """A config that records which of its options the conversion has read."""

    def __init__(
        self,
        name: str,
        values: Mapping[str, Any],
        defaults: Mapping[str, Any],
        effective: Collection[str] = (),
    ) -> None:
        self._name, self._values, self._defaults = name, dict(values), defaults
        self._effective = WITH_EFFECT.union(defaults, effective)
        self._unread = self._values.keys() - WITHOUT_EFFECT

    def __getitem__(self, name: str) -> Any:
        self._unread.discard(name)
        require(name in self._values, f"{name} of a {self._name} must be there", "none")
        return self._values[name]

    def mark_as_known(self, *names: str) -> None:
        """Mark options as read that follow from the weights or change nothing."""
        self._unread -= set(names)

    def allow(self, name: str, *allowed: object) -> None:
        """Allow these values of an option that may be missing."""
        if name in self._values:
            self.require(name, *allowed)

    def require(self, name: str, *allowed: object) -> Any:
        """Return an option, which must have one of these values."""
        value = self[name]
        choices = " or ".join(map(repr, allowed))
        require(value in allowed, f"{name} of a {self._name} must be {choices}", value)
        return value

    def refuse_unknown(self) -> None:
        """Refuse each option with an effect that was not read, unless it has its default value."""
        for name in sorted(self._unread & self._effective):
            value, default = self._values[name], self._defaults.get(name)
            entries = value if isinstance(value, list) else [value]
            neutral = all(entry in NEUTRAL.get(name, ()) for entry in entries)
            rule = f"{name} of a {self._name} has an effect that is not known here; it must be"
            require(neutral or value in (None, {}, default), f"{rule} {default!r}", value)

    @property
    def pad_id(self) -> int | None:
        """Return the padding id; None if there is none, or if it is also the end token."""
        self.mark_as_known("eos_token_id")
        pad, end = self["pad_token_id"], self._values.get("eos_token_id")
        ends = end if isinstance(end, list) else [end]
        words = self["vocab_size"]
        rule = f"pad_token_id of a {self._name} must be None or one of its {words} words"
        require(pad is None or 0 <= pad < words, rule, pad)
        return None if pad in ends else pad


@cache
def options_read_by(module: str) -> frozenset[str]:
    """Return the options of a config that a module of transformers reads, by its source."""
    sources = [inspect.getsource(sys.modules[name]) for name in (module, *SHARED)]
    return frozenset(a or b for source in sources for a, b in READ.findall(source))
