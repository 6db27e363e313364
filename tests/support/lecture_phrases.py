"""Find nine words in a row that a text shares with one of the lecture documents.

The documents are not part of this repository. `lecture_phrases.txt` holds fingerprints in their
place: the hash of every fifth run of five words. Nine words in a row always contain one of these
runs whole, so no copy of that length passes; a shorter one may be found too.

To write the fingerprints anew: python tests/support/lecture_phrases.py DOCUMENT...
"""

import hashlib
import re
import sys
import textwrap
from pathlib import Path

RUN = 5
FINGERPRINTS = Path(__file__).with_name("lecture_phrases.txt")


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def fingerprint(run: list[str]) -> str:
    return hashlib.sha256(" ".join(run).encode()).hexdigest()[:8]


def fingerprints(text: str) -> set[str]:
    """Hash the runs that start at the words 0, 5, 10 and so on."""
    found = words(text)
    return {fingerprint(found[i : i + RUN]) for i in range(0, len(found) - RUN + 1, RUN)}


def shared_phrases(text: str, known: set[str]) -> list[str]:
    """Return the runs of five words of `text`, at any position, that are known."""
    found = words(text)
    runs = [found[i : i + RUN] for i in range(len(found) - RUN + 1)]
    return [" ".join(run) for run in runs if fingerprint(run) in known]


def lecture_fingerprints() -> set[str]:
    return set(FINGERPRINTS.read_text().split())


if __name__ == "__main__":
    known = set().union(*(fingerprints(Path(name).read_text()) for name in sys.argv[1:]))
    FINGERPRINTS.write_text(textwrap.fill(" ".join(sorted(known)), 89) + "\n")
