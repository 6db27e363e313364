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
        *(FRENCH.replace("\n", end) for end in ("\r\n", "\r", "  \n", "\r\r\n")),
        FRENCH.replace("\n", "\r\n", 1),
        FRENCH.rstrip("\n"),
        "\ufeff" + FRENCH,
    ],
)
def test_lines_end_as_on_any_system(write, french):
    assert read_parallel(write("a.fr", french), write("a.en", ENGLISH)) == PAIRS


def test_only_a_line_feed_ends_a_line_and_a_lone_carriage_return_is_refused(write):
    inside = "a\v\f\x1c\x1d\x1e\x85\u2028\u2029b"
    english = write("a.en", ENGLISH)
    assert read_parallel(write("a.fr", f"{inside}\ndeux\n"), english)[0].source == inside
    for mixed in ("un\nde\rux\n", "un\ndeux\rtrois", "un\r\nde\rux\r\n"):
        with pytest.raises(ValueError, match=r"a\.fr .* carriage return .* after 'de.* in line 2"):
            read_parallel(write("a.fr", mixed), english)


def test_gzip_is_recognized_by_its_bytes_and_byte_order_marks_are_dropped(write):
    members = [
        gzip.compress(f"\ufeff{line}\n".encode()) for line in FRENCH.rstrip("\n").split("\n")
    ]
    for name in ("a.GZ", "a.fr"):
        assert read_parallel(write(name, b"".join(members)), write("a.en", ENGLISH)) == PAIRS


@pytest.mark.parametrize(
    ("french", "message"),
    [
        *(
            (f"un\n{sign}\n", r"a\.fr must have text .*, got '\\\w+' in line 2; delete it")
            for sign in "\u200b\ufe0f\u00ad\u2060\u2800\u3164"
        ),
        ("un", "find the line that only one of them has"),
        ("un\ndeux\n".encode("utf-16-le"), r"a\.fr must be UTF-8, got the byte 0x00 in line 1"),
        ("un\ndeux\ntrois\n", r"a\.fr and .*a\.en must have equally many lines, got 3 and 2"),
        ("un\n \t\ndeux\n", r"a\.fr must have text in every line, got none in line 2"),
        ("un\nété\n".encode("latin-1"), r"a\.fr must be UTF-8, got the byte 0xe9 in line 2"),
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
