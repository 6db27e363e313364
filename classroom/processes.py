"""The memory and processor time of a process with its descendants. Linux only."""

import os
import threading
import time
from collections import defaultdict
from typing import NamedTuple

_PAGE, _TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
_FRESH = 0.03  # seconds for which one look at all processes serves every thread that asks
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
        one = waiting.pop()
        waiting += children.get(one, [])
        found += [used[one]] if one in used else []
    memory, seconds = sum(one.memory for one in found), sum(one.seconds for one in found)
    return Usage(memory, seconds, any(one.busy for one in found))


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
                try:  # some thirty times a second for each sandbox: nothing is buffered
                    words = os.read(file, 2_000).rpartition(b")")[2].split(None, 24)
                finally:
                    os.close(file)
            except OSError:  # it has ended meanwhile
                continue
            children[int(words[1])].append(int(name))
            ticks = sum(map(int, words[11:15]))  # its own, and those of children that ended
            used[int(name)] = Usage(int(words[21]) * _PAGE, ticks / _TICKS, words[0] == b"R")
    return children, used
