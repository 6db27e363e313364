"""Jupyter's servers, from their first word to their end."""

import re
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit


@contextmanager
def served(command: list[str | Path], **options) -> Iterator[str]:
    """Start a server, yield its address once it answers there, and stop it with its kernels."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **options) as server:
        try:
            yield announced(server)
        finally:
            end(server)


def announced(server: subprocess.Popen) -> str:
    """Read the server's log up to its address, and go on reading aside."""
    log = []
    for line in server.stderr:
        log.append(line)
        if found := re.search(r"http://127\.0\.0\.1:\d+", line):
            threading.Thread(target=server.stderr.read, daemon=True).start()
            reach(server, found[0])
            return found[0]
    raise RuntimeError(f"the server ended at its start:\n{''.join(log)}")


def reach(server: subprocess.Popen, address: str) -> None:
    """Wait until a server listens: it says where a moment before."""
    where = urlsplit(address)
    while server.poll() is None:
        with suppress(ConnectionRefusedError):
            socket.create_connection((where.hostname, where.port)).close()
            return
    raise RuntimeError(f"the server ended before it listened at {address}")


def end(server: subprocess.Popen) -> None:
    """Stop the server, which stops its kernels; kill it if it does not go."""
    server.terminate()
    try:
        server.wait(timeout=15)
    except subprocess.TimeoutExpired:
        server.kill()
