"""Files are written as a whole, or not at all."""

import errno
import os

import pytest

from transformer_lite.files import write_together, write_whole


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_folders_are_created_and_temporary_files_removed(tmp_path):
    folder = tmp_path / "new" / "one"
    write_whole(folder / "a", b"first")
    write_whole(str(folder / "a"), b"second")
    write_together({folder / "b": b"b", folder / "c": b"c"})
    assert contents(folder) == {"a": b"second", "b": b"b", "c": b"c"}


def test_no_file_is_renamed_before_all_are_written(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"before")
    (tmp_path / "other.part").mkdir()
    with pytest.raises(IsADirectoryError, match=r"the old file is unchanged: '.*other'"):
        write_together({one: b"after", other: b"after"})
    (tmp_path / "other.part").rmdir()
    assert contents(tmp_path) == {"one": b"before"}


def test_late_disk_error_keeps_the_old_file(tmp_path, monkeypatch):
    """Network disks and quotas may accept a write and fail only when it is flushed."""
    path = tmp_path / "file"
    path.write_bytes(b"before")

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device; the old file is unchanged"):
        write_whole(path, b"after")
    assert contents(tmp_path) == {"file": b"before"}
