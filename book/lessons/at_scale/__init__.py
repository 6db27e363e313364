"""Chapter 27: At scale: one model, many workers."""

from lessons.lazy import attributes

__all__ = ["TrainingJob"]
__getattr__ = attributes(__name__, TrainingJob="lessons.at_scale.training_job.training_job")
