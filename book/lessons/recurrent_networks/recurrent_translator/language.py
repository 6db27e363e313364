"""The small language of the figure: who does what, to what, where, with colors.

French puts a color after its noun, English before it. An *avocat* who does something is a lawyer;
an *avocat* that is eaten is an avocado.
"""

from random import Random

from transformer_lite.text import Pair

#: Singular and plural of who does something, in French and in English.
DOERS = (
    ("chat", "chats", "cat", "cats"),
    ("chien", "chiens", "dog", "dogs"),
    ("garçon", "garçons", "boy", "boys"),
    ("oiseau", "oiseaux", "bird", "birds"),
    ("avocat", "avocats", "lawyer", "lawyers"),
)
FOODS = (("avocat", "avocado"), ("pain", "bread"), ("melon", "melon"))
COLORS = (
    ("noir", "noirs", "black"),
    ("blanc", "blancs", "white"),
    ("vert", "verts", "green"),
    ("gris", "gris", "gray"),
)
ACTS = (
    ("dort", "dorment", "sleeps", "sleep"),
    ("chante", "chantent", "sings", "sing"),
    ("joue", "jouent", "plays", "play"),
)
DEEDS: tuple[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]], ...] = (
    (("mange", "mangent", "eats", "eat"), FOODS),
    (("voit", "voient", "sees", "see"), DOERS),
)
PLACES = (
    ("ici", "here"),
    ("dehors", "outside"),
    ("dans le jardin", "in the garden"),
)


def noun_phrase(rng: Random, noun: str, english: str, plural: bool) -> tuple[str, str]:
    """Draw an article and perhaps a color for a noun, and return both languages."""
    the_noun = f"l'{noun}" if noun[0] in "ao" else f"le {noun}"
    singular = ((the_noun, "the"), (f"un {noun}", "a"))
    french, article = (f"les {noun}", "the") if plural else rng.choice(singular)
    if rng.random() < 0.4:
        return french, f"{article} {english}"
    *forms, color = rng.choice(COLORS)
    return f"{french} {forms[plural]}", f"{article} {color} {english}"


def sentence(rng: Random) -> Pair:
    """Draw one sentence and its translation."""
    plural = rng.random() < 0.5
    doer = rng.choice(DOERS)
    parts = [noun_phrase(rng, doer[plural], doer[2 + plural], plural)]
    if rng.random() < 0.5:
        deed, things = rng.choice(DEEDS)
        done = rng.choice(things)
        parts += [
            (deed[plural], deed[2 + plural]),
            noun_phrase(rng, done[0], done[len(done) // 2], plural=False),
        ]
    else:
        act = rng.choice(ACTS)
        parts += [(act[plural], act[2 + plural]), rng.choice(PLACES)]
    french, english = zip(*parts, strict=True)
    return Pair(" ".join(french), " ".join(english))


def sentences(count: int, seed: int) -> list[Pair]:
    """Draw so many different sentences."""
    rng, found = Random(seed), dict[str, Pair]()
    while len(found) < count:
        pair = sentence(rng)
        found.setdefault(pair.source, pair)
    return list(found.values())
