"""The memory and processor time of a process with its descendants. Linux only."""

import os
import threading
import time
from collections import defaultdict
from typing import NamedTuple

_PAGE, _TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
_FRESH = 0.03  # seconds for which all threads share one look at the processes
_lock = threading.Lock()
_seen = (0.0, {}, {})  # type: tuple[float, dict[int, list[int]], dict[int, Usage]]


class Usage(NamedTuple):
    """Bytes in memory, seconds of a processor, and whether it runs or waits for a processor."""

    memory: int
    seconds: float
    busy: bool


def usage(process: int) -> Usage:
    """Add up what a process and its descendants use."""
    children, used = _all()
    found, waiting = [], [process]
    while waiting:
        process_id = waiting.pop()
        waiting += children.get(process_id, [])
        found += [used[process_id]] if process_id in used else []
    memory, seconds = sum(entry.memory for entry in found), sum(entry.seconds for entry in found)
    return Usage(memory, seconds, any(entry.busy for entry in found))


def children_of(process: int) -> list[int]:
    """Return the current child processes of a process."""
    return _look()[0].get(process, [])


def _all() -> tuple[dict[int, list[int]], dict[int, Usage]]:
    """Return the children and the usage of every process."""
    global _seen
    with _lock:
        if time.monotonic() - _seen[0] > _FRESH:
            _seen = (time.monotonic(), *_look())
        return _seen[1], _seen[2]


def _look() -> tuple[dict[int, list[int]], dict[int, Usage]]:
    children, used = defaultdict(list), {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                file = os.open(f"/proc/{name}/stat", os.O_RDONLY)
                try:  # unbuffered, since it runs thirty times a second for each sandbox
                    words = os.read(file, 2_000).rpartition(b")")[2].split(None, 24)
                finally:
                    os.close(file)
            except OSError:  # the process has ended meanwhile
                continue
            children[int(words[1])].append(int(name))
            ticks = sum(map(int, words[11:15]))  # including those of children that have ended
            used[int(name)] = Usage(int(words[21]) * _PAGE, ticks / _TICKS, words[0] == b"R")
    return children, used
