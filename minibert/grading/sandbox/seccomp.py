"""Block Linux system calls that no answer needs, with a seccomp filter.

Such calls could bypass the limits (with memory that is not charged to any process), access other processes,
or reach rarely used parts of the kernel. bubblewrap isolates answers even without the filter, which exists
only for the processors in MACHINES.
"""

import platform
import struct
from collections.abc import Sequence

# number of each call on x86_64 and on aarch64 (Linux's unistd.h); calls added since 2019 have the same
# number on both
REFUSED = {
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "splice": (275, 76),
    "tee": (276, 77),
    "vmsplice": (278, 75),
    "inotify_init": (253, 26),  # x86_64 only; elsewhere the same call as the next
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "perf_event_open": (298, 241),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_by_handle_at": (304, 265),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
}
CLONE, CLONE3, SETSOCKOPT = (56, 220), (435, 435), (54, 208)
SOL_SOCKET, BUFFER_SIZES = 1, (7, 8, 32, 33)  # SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE, SO_RCVBUFFORCE
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column of REFUSED, architecture number
NAMESPACES = 0x7E020080  # CLONE_NEW* of linux/sched.h
ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026  # SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO | number
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # from linux/bpf_common.h
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, (16, 24, 32)  # offsets in struct seccomp_data
OTHER_ABI = 0x40000000  # where the numbers of x86's x32 ABI begin


def filter_program(machine: str | None = None) -> bytes | None:
    """Return the compiled filter for a processor, by default `platform.machine()`, or None if unknown."""
    known = MACHINES.get(machine or platform.machine())
    if known is None:
        return None
    column, architecture = known
    lines: list[str | tuple] = [
        (LOAD, ARCHITECTURE),
        (EQUAL, architecture, None, "refuse"),
        (LOAD, NUMBER),
        (AT_LEAST, OTHER_ABI, "refuse", None),
        (EQUAL, CLONE3[column], "unknown", None),
        (EQUAL, CLONE[column], "clone", None),
        (EQUAL, SETSOCKOPT[column], "option", None),
    ]
    lines += [(EQUAL, numbers[column], "refuse", None) for numbers in REFUSED.values()]
    # clone3 returns ENOSYS, so the C library falls back to clone, whose flags the filter can read
    lines += [
        (RETURN, ALLOW),
        "unknown",
        (RETURN, ENOSYS),
        "clone",
        (LOAD, ARGUMENTS[0]),
        (ANY_BIT, NAMESPACES, "refuse", None),
        (RETURN, ALLOW),
        "option",  # larger buffers would be memory that no process is charged for
        (LOAD, ARGUMENTS[1]),
        (EQUAL, SOL_SOCKET, None, "allow"),
        (LOAD, ARGUMENTS[2]),
        *((EQUAL, option, "refuse", None) for option in BUFFER_SIZES),
        "allow",
        (RETURN, ALLOW),
        "refuse",
        (RETURN, EPERM),
    ]
    return assemble(lines)


def assemble(lines: Sequence[str | tuple]) -> bytes:
    """Assemble instructions and labels into bytes (an array of struct sock_filter).

    Each line is a label, or (code, value, label to jump to if true, label to jump to if false).
    """
    places: dict[str, int] = {}
    program: list[tuple] = []
    for line in lines:
        if isinstance(line, str):
            places[line] = len(program)
        else:
            program.append(line)
    made = b""
    for place, (code, value, *labels) in enumerate(program):
        jumps = [places[label] - place - 1 if label else 0 for label in labels] or [0, 0]
        made += struct.pack("HBBI", code, *jumps, value)
    return made
