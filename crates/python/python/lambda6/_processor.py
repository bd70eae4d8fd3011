"""Refuses processors on which the extension would be killed without a message."""

import pathlib
import platform


def lacks_avx2(machine: str, cpuinfo: str) -> bool:
    """Whether this is an x86-64 processor whose flags are known and lack AVX2."""
    flags = next((line for line in cpuinfo.splitlines() if line.startswith("flags")), None)
    return machine == "x86_64" and flags is not None and "avx2" not in flags.split()


def refuse_old(cpuinfo: pathlib.Path = pathlib.Path("/proc/cpuinfo")) -> None:
    """Raises ImportError on such a processor."""
    try:
        text = cpuinfo.read_text()
    except OSError:
        return
    if lacks_avx2(platform.machine(), text):
        raise ImportError(
            "lambda6 was built for processors with AVX2 (any x86-64 since 2013): "
            'build it from its sources with RUSTFLAGS=""'
        )


refuse_old()
