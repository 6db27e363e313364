"""Chapter 28: From continuing to answering."""

from lessons.lazy import attributes

__all__ = ["AnswerGroup"]
__getattr__ = attributes(
    __name__, AnswerGroup="lessons.from_continuing_to_answering.answer_group.answer_group"
)
