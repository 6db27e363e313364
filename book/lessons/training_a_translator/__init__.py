"""Chapter 22: Training a translator."""

from lessons.lazy import attributes

__all__ = ["TrainingFilm"]
__getattr__ = attributes(
    __name__, TrainingFilm="lessons.training_a_translator.training_film.training_film"
)
