"""Say why no sandbox works here, so that the tests that need one are skipped in words."""

import functools
import tempfile
from pathlib import Path

from classroom.sandbox import Mounts, NoSandboxError, find_sandbox


@functools.cache
def sandbox_skip_reason() -> str:
    """What the probe says; an empty text means that there is a sandbox."""
    with tempfile.TemporaryDirectory(prefix="empty-") as folder:
        Path(folder).chmod(0o755)
        try:
            find_sandbox(Mounts(Path(folder)))
        except NoSandboxError as error:
            return str(error)
    return ""
