"""What a benchmark says of its machine."""

import subprocess
import sys
import time

from core.benchmark.hardware import hardware, peak_memory, usable_cores, versions


def test_the_machine_is_named():
    machine = hardware()
    assert machine.cpu
    assert machine.cores == usable_cores() >= 1
    assert machine.memory_mb > 100


def test_versions_name_python_and_what_is_installed():
    found = versions()
    assert found["python"] == ".".join(map(str, sys.version_info[:3]))
    assert "numpy" in found


def test_peak_memory_sees_what_was_freed_again():
    with peak_memory() as memory:
        before = memory.peak
        block = bytearray(200_000_000)
        block[::4096] = b"x" * len(block[::4096])
        time.sleep(0.6)
        del block
    assert memory.peak - before > 150_000_000
    assert memory.megabytes == round(memory.peak / 1e6, 1)


def test_peak_memory_counts_children():
    script = "import time; b = bytearray(200_000_000); b[::4096] = b'x' * len(b[::4096]); "
    script += "print(flush=True); time.sleep(60)"
    with peak_memory() as memory:
        before = memory.peak
        child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
        assert child.stdout is not None
        with child.stdout:
            child.stdout.readline()
            memory.sample()
        child.kill()
        child.wait()
    assert memory.peak - before > 150_000_000
