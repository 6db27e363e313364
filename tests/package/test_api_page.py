"""The page that documents the package names everything that is public, once."""

import re
from pathlib import Path

import transformer_lite

PAGE = Path(__file__).parents[2] / "book/api.md"


def test_the_page_documents_every_public_name_once():
    documented = re.findall(r"^\.\. auto\w+:: (\w+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert sorted(documented) == transformer_lite.__all__


def test_every_public_name_has_a_docstring_of_its_own():
    for name in transformer_lite.__all__:
        documentation = getattr(transformer_lite, name).__doc__
        assert documentation and not documentation.startswith(f"{name}("), name
