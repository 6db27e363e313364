"""A progress bar for a terminal, or occasional lines for a file."""

from __future__ import annotations

import sys
import time
from typing import TextIO

WIDTH = 24
LINES = 20  # of progress, in a file


class TerminalBar:
    """Show progress, speed and remaining time of a training run on one line.

    Args:
        done: the number of steps already done.
        total: the total number of steps.
        stream: where to write; None takes the standard error stream.
        unit: the name of a step.

    >>> bar = TerminalBar(done=0, total=20, stream=sys.stdout)
    >>> bar.note("held-out loss 2.31")
    held-out loss 2.31
    """

    def __init__(
        self, done: int, total: int, stream: TextIO | None = None, unit: str = "steps"
    ) -> None:
        self.first, self.total, self.unit = done, total, unit
        self.stream = sys.stderr if stream is None else stream
        self.start, self.tokens = time.monotonic(), 0
        self.shown_at = -1.0

    def show(self, done: int, text: str, tokens: int = 0) -> None:
        """Show the number of steps done and a text; `tokens` were read since the last call."""
        self.tokens += tokens
        now = time.monotonic()
        if self.stream.isatty():
            if now - self.shown_at >= 0.1 or done == self.total:  # a terminal is slow
                self.shown_at = now
                self.stream.write(f"\r{self._line(done, text, now)}\x1b[K")
                self.stream.flush()
        elif done * LINES // self.total > (done - 1) * LINES // self.total:
            self.note(self._line(done, text, now))

    def note(self, text: str) -> None:
        """Write a permanent line."""
        start, end = ("\r", "\x1b[K\n") if self.stream.isatty() else ("", "\n")
        self.stream.write(f"{start}{text}{end}")
        self.stream.flush()

    def close(self) -> None:
        """End the line."""
        if self.stream.isatty():
            self.stream.write("\n")
            self.stream.flush()

    def _line(self, done: int, text: str, now: float) -> str:
        filled = WIDTH * done // self.total
        seconds = max(now - self.start, 1e-9)
        left = int(seconds / (done - self.first) * (self.total - done)) if done > self.first else 0
        rate = f"{self.tokens / seconds:,.0f} tokens/s, " if self.tokens else ""
        clock = f"{left // 60}:{left % 60:02d} left"
        bar = "█" * filled + "░" * (WIDTH - filled)
        return f"{bar} {done:,} of {self.total:,} {self.unit}, {text}, {rate}{clock}"
