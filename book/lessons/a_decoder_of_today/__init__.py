"""Chapter 29: A decoder of today: what a long context changed."""

from lessons.lazy import attributes

_HOME = "lessons.a_decoder_of_today"

__all__ = [
    "CacheSizes",
    "LatentAttention",
    "delta_step",
    "gated_delta_rule",
    "gated_delta_rule_at_once",
]
__getattr__ = attributes(
    __name__,
    CacheSizes=f"{_HOME}.cache_sizes.cache_sizes",
    LatentAttention=f"{_HOME}.latent_attention",
    delta_step=f"{_HOME}.delta_rule",
    gated_delta_rule=f"{_HOME}.delta_rule",
    gated_delta_rule_at_once=f"{_HOME}.delta_rule",
)
