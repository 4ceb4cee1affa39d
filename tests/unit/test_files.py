"""Files appear whole or not at all; links, devices and pipes stay what they are; a kill leaves nothing behind."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from controldag import files
from controldag.files import atomic_write, atomic_write_text, read_json


@pytest.fixture(params=["nameless", "named"])
def _both_ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "named":
        monkeypatch.setattr(files, "_nameless", lambda _: None)


@pytest.mark.usefixtures("_both_ways")
def test_a_file_is_replaced_whole_and_an_error_leaves_it(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "file.txt"
    for content in ("one", "two"):
        with atomic_write_text(path) as file:
            file.write(content)
        assert path.read_text("utf-8") == content
    with pytest.raises(ZeroDivisionError), atomic_write_text(path) as file:
        file.write("three")
        _ = 1 / 0
    assert path.read_text("utf-8") == "two"
    assert [each.name for each in path.parent.iterdir()] == ["file.txt"]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


@pytest.mark.usefixtures("_both_ways")
def test_a_link_stays_one_and_what_it_points_to_is_replaced(tmp_path: Path) -> None:
    target, link = tmp_path / "there" / "target", tmp_path / "link"
    link.symlink_to(target)
    for content in (b"new", b"newer"):  # the target is not there, then is
        with atomic_write(link) as file:
            file.write(content)
        assert link.is_symlink()
        assert target.read_bytes() == content


def test_a_pipe_and_a_device_are_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    with atomic_write(pipe) as file:
        file.write(b"through")
    reader.join(5)
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    with atomic_write("/dev/null") as file:
        file.write(b"away")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    with pytest.raises(IsADirectoryError), atomic_write(tmp_path):
        pass


def test_standard_output_is_written_to(tmp_path: Path) -> None:
    code = "from controldag.files import atomic_write_text\nwith atomic_write_text('/dev/stdout') as f: f.write('said')"
    piped = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert piped.stdout == "said"
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (tmp_path / "out").read_text("utf-8") == "said"


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_what_standard_output_is_added_to_stays(name: str, tmp_path: Path) -> None:
    """`>> log` was emptied, and what was said before and after stood at its start."""
    log = tmp_path / "log"
    log.write_text("before ", "utf-8")
    code = f"from controldag.files import atomic_write_text\nwith atomic_write_text('{name}') as f: f.write('said ')"
    with log.open("ab") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
        subprocess.run(["/bin/echo", "-n", "after"], stdout=out, check=True)
    assert log.read_text("utf-8") == "before said after"


@pytest.mark.skipif(files._nameless(Path("/tmp")) is None, reason="this file system knows no files without a name")
def test_a_kill_leaves_nothing_behind(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom controldag.files import atomic_write\n"
        "with atomic_write(sys.argv[1]) as f:\n    f.write(b'x' * 100000); f.flush(); print('on', flush=True)\n"
        "    time.sleep(60)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "file")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    assert list(tmp_path.iterdir()) == []


def test_deep_json_is_no_json(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text("[" * 200_000, "utf-8")
    with pytest.raises(ValueError, match="nested too deeply"):
        read_json(path)
