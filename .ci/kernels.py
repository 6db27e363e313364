"""Start kernels as forks of one process that has already imported the slow packages.

Each chapter still has its own kernel. The book has about thirty, and PyTorch alone takes a second
or two to load. jupyter_client finds the provisioner through the entry point in
`kernels.dist-info`, like that of an installed package.
"""

import multiprocessing
import os
import sys
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

# Modules that kernels and chapters import, some of them through PyTorch at the first optimizer.
LOADED = "ipykernel.kernelapp", "matplotlib.pyplot", "sympy", "torch._dynamo", "transformer_lite"
INLINE = "module://matplotlib_inline.backend_inline"  # the kernel's Matplotlib backend


class Fork:
    """A forked kernel, with the methods of `subprocess.Popen` that a provisioner needs."""

    server = multiprocessing.get_context("forkserver" if sys.platform == "linux" else None)
    stdin = stdout = stderr = None

    def __init__(self, *arguments: object):
        self.process = self.server.Process(target=be_kernel, args=arguments)
        self.process.start()
        self.pid = self.process.pid

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self) -> int | None:
        self.process.join()
        return self.process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)


class Forks(LocalProvisioner):
    """Start kernels whose errors go to a file, which are those of chapters, as forks."""

    process: Any

    async def launch_kernel(self, cmd: list[str], **options: Any) -> KernelConnectionInfo:
        if not options.get("stderr"):
            return await super().launch_kernel(cmd, **options)
        folder = options["cwd"]
        self.process = Fork(cmd[cmd.index("-f") :], folder, options["stderr"].name)
        self.pid = self.pgid = self.process.pid
        self.cwd = folder
        return self.connection_info


def be_kernel(arguments: list[str], folder: str, log: str) -> None:
    """Run as a kernel, leading its own process group, until it or the server ends."""
    os.setsid()
    os.chdir(folder)
    os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND), sys.stderr.fileno())
    here = str(Path(__file__).parent)
    sys.path[:] = [place for place in sys.path if place != here]
    from ipykernel.kernelapp import launch_new_instance
    from matplotlib import rcParams

    rcParams["backend"] = INLINE
    launch_new_instance([*arguments, f"--IPKernelApp.parent_handle={os.getppid()}"])


def fork_kernels() -> None:
    """Start kernels as forks if that is safe, which it is on Linux."""
    if sys.platform != "linux":
        return
    Fork.server.set_forkserver_preload(["__main__", __name__, *LOADED])
    KernelProvisionerFactory.instance().default_provisioner_name = "forks"
