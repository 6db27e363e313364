"""Chapter 29: A decoder of today: what a long context changed."""

from lessons.lazy import attributes

_HOME = "lessons.a_decoder_of_today"

__all__ = [
    "BalancedExperts",
    "CacheSizes",
    "LatentAttention",
    "LookupHead",
    "delta_step",
    "draw_texts",
    "gated_delta_rule",
    "gated_delta_rule_at_once",
    "wanted",
]
__getattr__ = attributes(
    __name__,
    BalancedExperts=f"{_HOME}.balanced_experts",
    LookupHead=f"{_HOME}.lookup_head",
    draw_texts=f"{_HOME}.lookup_head",
    wanted=f"{_HOME}.lookup_head",
    CacheSizes=f"{_HOME}.cache_sizes.cache_sizes",
    LatentAttention=f"{_HOME}.latent_attention",
    delta_step=f"{_HOME}.delta_rule",
    gated_delta_rule=f"{_HOME}.delta_rule",
    gated_delta_rule_at_once=f"{_HOME}.delta_rule",
)
