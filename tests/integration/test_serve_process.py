"""The service as a process: it stops without losing anything, and outlives what clients and disks do."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from benchmarks.serving.served_process import ServedProcess, served_process
from controldag.checkpoint.folder import BUNDLED, has_weights

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not has_weights("sgd-mini"), reason="the weights of sgd-mini are not in this copy"),
]
ITEM: dict[str, Any] = {
    "service": "Restaurants_1",
    "acts": ["OFFER(restaurant_name=Zum Bock)", "OFFER(city=Los Gatos)"],
}


def asking(url: str, stop: threading.Event, answered: dict[str, httpx.Response], name: str) -> None:
    """Asks again and again, each time under an id of its own, until the service is gone."""
    with httpx.Client(base_url=url, timeout=120) as client:
        count = 0
        while not stop.is_set():
            key = f"{name}-{count}"
            count += 1
            try:
                answered[key] = client.post("/v1/generate", json={"items": [ITEM]}, headers={"X-Request-ID": key})
            except httpx.TransportError:
                return  # it no longer listens


def test_being_stopped_under_load_loses_no_accepted_request() -> None:
    with served_process("--model", "sgd-mini", "--deadline-ms", "60000", "--batch", "4") as served:
        answered: dict[str, httpx.Response] = {}
        stop = threading.Event()
        clients = [threading.Thread(target=asking, args=(served.url, stop, answered, f"client{n}")) for n in range(12)]
        for client in clients:
            client.start()
        until = time.monotonic() + 60
        while len(answered) < 24 and time.monotonic() < until:
            time.sleep(0.05)
        served.process.send_signal(signal.SIGTERM)
        status = served.finish(120)
        stop.set()
        for client in clients:
            client.join()
    assert status == 0
    taken = {line["request_id"]: line for line in served.lines if line["event"] == "request"}
    assert len(taken) >= 24
    assert {line["status"] for line in taken.values()} <= {200, 503}
    # What the service says it answered has arrived, and says what it must.
    assert set(taken) <= set(answered)
    for key in taken:
        if answered[key].status_code == 200:
            text = answered[key].json()["results"][0]["text"]
            assert "Zum Bock" in text
            assert "Los Gatos" in text
    assert served.lines[-1]["event"] in ("stopped", "library")


def test_several_processes_are_one_service_that_outlives_one_of_them() -> None:
    with served_process("--model", "sgd-mini", "--workers", "2") as served:
        until = time.monotonic() + 60
        while sum(line["event"] == "ready" for line in served.lines) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        for _ in range(8):  # each on a connection of its own
            answer = httpx.post(f"{served.url}v1/generate", json={"items": [ITEM]}, timeout=120)
            assert "Zum Bock" in answer.json()["results"][0]["text"]
        # Whoever answers tells the figures of both.
        figures = httpx.get(f"{served.url}metrics", timeout=60).text
        assert 'controldag_items_total{model="sgd-mini",outcome="ok"} 8.0' in figures
        assert 'controldag_queue_items{model="sgd-mini"} 0.0' in figures
        os.kill(_serving(served)[0], signal.SIGKILL)
        for _ in range(8):
            assert _patient_get(f"{served.url}readyz").status_code == 200
        while len(_serving(served)) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        assert [line["status"] for line in served.lines if line["event"] == "process ended"] == [-signal.SIGKILL]
        served.process.send_signal(signal.SIGTERM)
        assert served.finish(120) == 0
        assert served.lines[-1]["event"] == "stopped"


def test_its_processes_end_with_the_one_that_looks_after_them() -> None:
    with served_process("--model", "sgd-mini", "--workers", "2") as served:
        processes = _serving(served)
        served.process.kill()
        until = time.monotonic() + 60
        while any(Path(f"/proc/{each}").exists() for each in processes) and time.monotonic() < until:
            time.sleep(0.05)
        assert not any(Path(f"/proc/{each}").exists() for each in processes)


def test_what_keeps_a_process_from_starting_is_told_once() -> None:
    command = [sys.executable, "-m", "controldag.cli.main", "serve", "--model", "none", "--workers", "2", "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert done.stderr.count("`model` must be one of") == 1 and "Traceback" not in done.stderr


def _serving(served: ServedProcess) -> list[int]:
    """The processes that serve, beside the one that Python keeps for its own use."""
    number = served.process.pid
    children = Path(f"/proc/{number}/task/{number}/children").read_text("utf-8").split()
    commands = {int(each): Path(f"/proc/{each}/cmdline").read_bytes() for each in children}
    return [each for each, command in commands.items() if b"--multiprocessing-fork" in command]


def connection(served: ServedProcess) -> socket.socket:
    address = urlsplit(served.url)
    return socket.create_connection((address.hostname, address.port), timeout=60)


def test_it_outlives_rude_clients_and_a_model_folder_that_disappears(tmp_path: Path) -> None:
    folder = tmp_path / "sgd-mini"
    shutil.copytree(BUNDLED / "sgd-mini", folder)
    with served_process("--model", str(folder), "--deadline-ms", "60000", "--body-seconds", "2") as served:
        shutil.rmtree(folder)
        head = b"POST /v1/generate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n"
        slow, gone = connection(served), connection(served)
        slow.sendall(head)
        gone.sendall(head + b'{"items":')
        gone.close()
        for _ in range(20):
            time.sleep(0.3)
            try:
                slow.sendall(b" ")
            except OSError:
                break
        told = slow.recv(1000)
        slow.close()
        assert b" 408 " in told
        answer = httpx.post(f"{served.url}v1/generate", json={"items": [ITEM]}, timeout=120)
        assert answer.status_code == 200
        assert "Zum Bock" in answer.json()["results"][0]["text"]
        # A client that asks and does not wait for the answer.
        body = b'{"items":[{"service":"Restaurants_1","acts":["REQUEST(city)"]}]}'
        hasty = connection(served)
        hasty.sendall(head.replace(b"500", str(len(body)).encode()) + body)
        hasty.close()
        assert httpx.get(f"{served.url}readyz", timeout=60).status_code == 200


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_under_the_log_stops_nothing() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "controldag.cli.main", "serve", "--model", "sgd-mini", "--port", str(port)]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        process = subprocess.Popen(command, stderr=full)
    try:
        answer = _patient_get(f"http://127.0.0.1:{port}/readyz")
        assert answer.status_code == 200
        figures = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=60).text
        lost = next(line for line in figures.splitlines() if line.startswith("controldag_lost_log_lines_total"))
        assert float(lost.split()[1]) > 0
    finally:
        process.terminate()
        process.wait(60)


def _patient_get(url: str) -> httpx.Response:
    until = time.monotonic() + 120
    while True:
        try:
            return httpx.get(url, timeout=60)
        except httpx.TransportError:
            if time.monotonic() > until:
                raise
            time.sleep(0.3)
