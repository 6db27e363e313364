"""Chapter 09: Multi-head attention: several lookups at once."""

from lessons.lazy import attributes

__all__ = ["HeadSplitter"]
__getattr__ = attributes(__name__, HeadSplitter="lessons.multi_head.head_splitter.head_splitter")
