"""Chapter 25: The same parts, other machines: descendants of the Transformer."""

from lessons.lazy import attributes

__all__ = ["FamilyTree"]
__getattr__ = attributes(__name__, FamilyTree="lessons.descendants.family_tree.family_tree")
