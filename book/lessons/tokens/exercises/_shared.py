"""What the exercises of tokens share."""

from lessons.kit.exercises import Draw


def draw_words(draw: Draw, letters: tuple[str, ...]) -> list[list[str]]:
    return [[draw.choice(*letters) for _ in range(draw.size(1, 6))] for _ in range(draw.size(1, 5))]
