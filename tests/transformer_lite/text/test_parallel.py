"""Files of sentence pairs: read as they are, refused with the file's name and line."""

import gzip

import pytest

from transformer_lite.text import Pair, read_parallel

FRENCH, ENGLISH = "Le chat dort.\nMerci\u2028!\n", "The cat sleeps.\nThanks!\n"
PAIRS = [Pair("Le chat dort.", "The cat sleeps."), Pair("Merci\u2028!", "Thanks!")]


@pytest.fixture
def write(tmp_path):
    def to_file(name, content):
        raw = content if isinstance(content, bytes) else content.encode()
        path = tmp_path / name
        path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
        return path

    return to_file


def test_plain_files_and_gzip_are_read(write):
    french, english = write("train.fr", FRENCH), write("train.en.gz", ENGLISH)
    assert read_parallel(french, str(english)) == PAIRS


@pytest.mark.parametrize(
    "french",
    [
        *(FRENCH.replace("\n", end) for end in ("\r\n", "\r", "  \n")),
        FRENCH.rstrip("\n"),
        "\ufeff" + FRENCH,
    ],
)
def test_lines_end_as_on_any_system(write, french):
    assert read_parallel(write("a.fr", french), write("a.en", ENGLISH)) == PAIRS


@pytest.mark.parametrize(
    ("french", "message"),
    [
        ("un\ndeux\ntrois\n", r"a\.fr and .*a\.en must have equally many lines, got 3 and 2"),
        ("un\n\n", r"a\.fr must have text in every line, got none in line 2"),
        ("un\n \t\ndeux\n", r"a\.fr must have text in every line, got none in line 2"),
        ("", r"a\.fr must hold at least one line, got none"),
        ("un\nété\n".encode("latin-1"), r"a\.fr must be UTF-8, got the byte 0xe9 in line 2"),
        ("un\ndeux\n".encode("utf-16"), r"a\.fr must be UTF-8, got the byte 0xff in line 1"),
    ],
)
def test_wrong_pairs_are_refused_with_a_reason(write, french, message):
    with pytest.raises(ValueError, match=message):
        read_parallel(write("a.fr", french), write("a.en", ENGLISH))


@pytest.mark.parametrize("cut", [5, 20, -4])
def test_a_gzip_that_is_cut_short_is_named(write, cut):
    path = write("a.fr.gz", FRENCH)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(ValueError, match=r"a\.fr\.gz must be a whole gzip file, got "):
        read_parallel(path, write("a.en", ENGLISH))
