"""What came before: counts of words, vectors from contexts."""

__all__: list[str] = []
