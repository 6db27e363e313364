"""Show a text while its tokens arrive, although a character may need two of them."""

import codecs

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes


def _reference(tokens: list[bytes]) -> list[str]:
    decoder = codecs.getincrementaldecoder("utf-8")()
    return [decoder.decode(token) for token in tokens]


def _cut(text: str, *lengths: int) -> list[bytes]:
    """Cut the bytes of a text into tokens of these lengths; the last one takes the rest."""
    raw, tokens = text.encode(), []
    for length in lengths:
        tokens.append(raw[:length])
        raw = raw[length:]
    return [*tokens, raw]


def _cases() -> tuple[Case, ...]:
    texts = {
        "naïve, cut inside the ï": _cut("naïve", 3),
        "plain letters": _cut("low and lower", 3, 4),
        "a letter before the cut": _cut("aé", 2),
        "one byte a token": _cut("é漢", 1, 1, 1, 1),
        "an emoji of four bytes": _cut("ok 🙂!", 2, 3, 1, 1),
        "the end of one and the start of the next": _cut("éèê", 1, 2, 2),
        "the last character is never whole": [b"na", b"\xc3"],
        "a token without bytes": [b"\xe6\xbc", b"", b"\xa2"],
        "no tokens": [],
    }
    return tuple(Case(name, {"tokens": tokens}) for name, tokens in texts.items())


def _so_far(tokens: list[bytes]) -> list[str]:
    return [b"".join(tokens[: i + 1]).decode("utf-8", "ignore") for i in range(len(tokens))]


def _all_or_nothing(tokens: list[bytes]) -> list[str]:
    shown, waiting = [], b""
    for token in tokens:
        waiting += token
        try:
            shown.append(waiting.decode())
            waiting = b""
        except UnicodeDecodeError:
            shown.append("")
    return shown


def _marked_and_mended(tokens: list[bytes]) -> list[str]:
    shown, length = [], 0
    for i in range(len(tokens)):
        text = b"".join(tokens[: i + 1]).decode("utf-8", "replace")
        shown.append(text[length:])
        length = len(text)
    return shown


_MISTAKES = mistakes(
    lambda tokens: [token.decode("utf-8", "replace") for token in tokens],
    "Each token is decoded by itself, and half a character becomes �. Keep the bytes of a "
    "character until it is whole.",
    lambda tokens: [token.decode("utf-8", "ignore") for token in tokens],
    "Each token is decoded by itself, and half a character is thrown away. Keep its bytes "
    "until it is whole.",
    _so_far,
    "This is the whole text so far. Return only what each token adds.",
    _all_or_nothing,
    "A whole character waits for the broken one after it. Show what is whole, and keep only "
    "the bytes of the last character.",
    _marked_and_mended,
    "The text so far is decoded with a � at its end, which is shown and cannot be taken back.",
)


def _by_lengths(tokens: list[bytes]) -> list[str]:
    shown, length = [], 0
    for i in range(len(tokens)):
        text = b"".join(tokens[: i + 1]).decode("utf-8", "ignore")
        shown.append(text[length:])
        length = len(text)
    return shown


def _by_first_bytes(tokens: list[bytes]) -> list[str]:
    shown, waiting = [], b""
    for token in tokens:
        text = ""
        for byte in token:
            waiting += bytes([byte])
            first = waiting[0]
            needed = 1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0)
            if len(waiting) == needed:
                text, waiting = text + waiting.decode(), b""
        shown.append(text)
    return shown


def _draw(draw: Draw) -> Inputs:
    text = "".join(draw.choice("a", "é", "漢", "🙂", "ß") for _ in range(draw.size(0, 6)))
    raw, tokens = text.encode(), []
    for _ in range(draw.size(0, 7)):
        length = draw.size(0, 3)
        tokens.append(raw[:length])
        raw = raw[length:]
    return (tokens,)


stream = Exercise(
    name="tokens.stream",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_lengths, _by_first_bytes),
    draw=_draw,
    hint_texts=(
        "é is two bytes. What can you show after the first one, and what do you have to keep?",
        "Join all bytes so far and decode them; what is cut off at the end may be ignored. How "
        "much of that text has been shown already?",
        "text = b''.join(tokens[:i + 1]).decode('utf-8', 'ignore'), and token i adds "
        "text[len(the text before):].",
    ),
    starter='''\
def stream(tokens):
    """What each token adds to the text on the screen: bytes -> texts."""
    ...  # a character appears once all its bytes are there
''',
)
