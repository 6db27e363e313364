"""The API pages document every public name of every subpackage once."""

import importlib
import pkgutil
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import api_packages
import pytest

import lessons
import transformer_lite

BOOK = Path(__file__).parents[1] / "book"
PARTS = [
    part for subpackage in api_packages.public_packages() for part in api_packages.parts(subpackage)
]
DOCUMENTED = [(part, name) for part in PARTS for name in part.names]


def packages() -> list[ModuleType]:
    """Return every subpackage that has an `__all__`.

    The exercises of the lessons are in a list of their own.
    """
    houses = (transformer_lite, lessons)
    found = [info for h in houses for info in pkgutil.walk_packages(h.__path__, f"{h.__name__}.")]
    names = [info.name for info in found if info.ispkg and not info.name.endswith(".exercises")]
    modules = map(importlib.import_module, [*names, "lessons.kit.exercises"])
    return [module for module in modules if hasattr(module, "__all__")]


@pytest.mark.parametrize("package", packages(), ids=lambda package: package.__name__)
def test_every_public_name_of_a_subpackage_is_documented_once(package):
    told = Counter(name for part, name in DOCUMENTED if part.imported_from == package.__name__)
    offered = [n for n in package.__all__ if not isinstance(getattr(package, n), ModuleType)]
    assert told == Counter(offered)


def test_every_subpackage_is_on_one_page():
    text = "".join(path.read_text(encoding="utf-8") for path in BOOK.glob("api*.md"))
    named = " ".join(re.findall(r"{api-packages} (.*)", text)).split()
    assert sorted(named) == sorted(api_packages.public_packages())


def test_every_subpackage_has_a_section_with_names():
    assert all(api_packages.parts(subpackage) for subpackage in api_packages.public_packages())


def test_a_module_without_all_documents_its_public_functions():
    (device,) = api_packages.parts("device")
    assert device.names == ("best_device", "seed_everything")
    assert device.imported_from == "transformer_lite.device"


def test_names_at_the_top_level_link_to_documented_names():
    paths = dict(api_packages.top_paths())
    assert list(paths) == transformer_lite.__all__
    told = {f"{part.imported_from}.{name}" for part, name in DOCUMENTED}
    folders = {name for name, path in paths.items() if path is None}
    assert {path for path in paths.values() if path} <= told
    assert all(isinstance(getattr(transformer_lite, name), ModuleType) for name in folders)


@pytest.mark.parametrize(
    ("part", "name"), DOCUMENTED, ids=lambda value: getattr(value, "title", value)
)
def test_every_public_name_has_its_own_docstring_or_comment(part, name):
    value = part.value(name)
    if not callable(value):
        assert part.comment(name), f"{part.module}.{name} needs a comment that begins with #:"
        return
    words = vars(value).get("__doc__") if isinstance(value, type) else value.__doc__
    assert words and not words.startswith(f"{name}("), f"{part.module}.{name} has no docstring"


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.title)
def test_every_module_begins_with_a_sentence(part):
    assert part.sentence.endswith((".", "?"))


def test_members_are_listed_if_they_have_a_docstring():
    class Sample:
        number = 3

        def told(self):
            """Tell."""

        def silent(self): ...

        def _private(self):
            """Hide."""

        @property
        def size(self):
            """How large."""

    listed = [
        name for name, member in vars(Sample).items() if api_packages.is_documented(name, member)
    ]
    assert listed == ["told", "size"]
