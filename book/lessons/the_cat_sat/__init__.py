"""Chapter 06: Attention by hand: The, CAT, SAT."""

from lessons.lazy import attributes

__all__ = ["AttentionExplorer"]
__getattr__ = attributes(
    __name__, AttentionExplorer="lessons.the_cat_sat.attention_explorer.attention_explorer"
)
