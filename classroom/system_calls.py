"""System calls that are forbidden in the sandbox, as a filter program for the kernel.

They bypass the limits, for example with memory that no process owns, or reach parts of the kernel
that an answer to an exercise never needs: new namespaces, mounts, other processes' memory. Sockets
do both: no process owns the data waiting in them, and some kinds reach the host machine.
"""

import errno
import json
import platform
import struct

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_MACHINES = tuple(_ARCHITECTURES)

#: Each call's numbers on the two kinds of machine, in this order.
FORBIDDEN = {
    **{"unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39)},
    **{"pivot_root": (155, 41), "chroot": (161, 51), "ptrace": (101, 117)},
    **{"process_vm_readv": (310, 270), "process_vm_writev": (311, 271)},
    **{"memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194)},
    **{"msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180)},
    **{"keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218)},
    **{"bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282)},
    **{"io_uring_setup": (425, 425), "io_uring_enter": (426, 426)},
    **{"io_uring_register": (427, 427), "open_by_handle_at": (304, 265)},
    **{"name_to_handle_at": (303, 264), "init_module": (175, 105), "finit_module": (313, 273)},
    **{"kexec_load": (246, 104), "open_tree": (428, 428), "move_mount": (429, 429)},
    **{"fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432)},
    **{"mount_setattr": (442, 442), "pidfd_getfd": (438, 438)},
    **{"socket": (41, 198), "socketpair": (53, 199)},
}
_CLONE, _CLONE3 = (56, 220), (435, 435)
_NEW_NAMESPACES = 0x7E020000  # the flags CLONE_NEW… of clone

_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_REFUSE = 0x00050000  # with an errno
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_OTHER_TABLE = 0x40000000  # the second system call table of x86_64


def filter_program(machine: str | None = None) -> bytes:
    """Return the program that bubblewrap passes to the kernel with `--seccomp`.

    Args:
        machine: the kind of processor, as `platform.machine` names it; None is this one.

    Raises:
        ValueError: the system call numbers of `machine` are not known here.
    """
    machine = machine or platform.machine()
    if machine not in _MACHINES:
        raise ValueError(f"machine must be one of {', '.join(_MACHINES)}, got {machine!r}")
    column = _MACHINES.index(machine)
    refused = _REFUSE | errno.EPERM
    program = [
        *_unless(_ARCHITECTURE, _EQUAL, _ARCHITECTURES[machine], _KILL, turned=True),
        *_unless(_NUMBER, _AT_LEAST, _OTHER_TABLE, _KILL),
        *_unless(_NUMBER, _EQUAL, _CLONE3[column], _REFUSE | errno.ENOSYS),
    ]
    for numbers in FORBIDDEN.values():
        program += _unless(_NUMBER, _EQUAL, numbers[column], refused)
    program += [
        _step(_LOAD, 0, 0, _NUMBER),
        _step(_EQUAL, 0, 3, _CLONE[column]),
        *_unless(_FIRST_ARGUMENT, _ANY_BIT, _NEW_NAMESPACES, refused),
        _step(_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(program)


def container_profile() -> str:
    """Return the same list as the JSON that podman and docker read with `seccomp=FILE`."""
    refused = [
        {"names": sorted(FORBIDDEN), "action": "SCMP_ACT_ERRNO", "errnoRet": errno.EPERM},
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": errno.ENOSYS},
    ]
    return json.dumps({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": refused})


def _unless(offset: int, test: int, value: int, verdict: int, turned: bool = False) -> list[bytes]:
    """Return the verdict if the word at this offset passes the test (or, turned, fails it)."""
    jumps = (1, 0) if turned else (0, 1)
    return [
        _step(_LOAD, 0, 0, offset),
        _step(test, *jumps, value),
        _step(_RETURN, 0, 0, verdict),
    ]


def _step(code: int, if_true: int, if_false: int, value: int) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
