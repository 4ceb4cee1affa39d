"""The service as a Ray Serve application on a cluster of this machine: it starts, answers and stops."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
import yaml

from controldag.checkpoint.folder import has_weights
from controldag.client import Client

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not has_weights("sgd-mini"), reason="the weights of sgd-mini are not in this copy"),
]
SERVE = Path(sysconfig.get_path("scripts")) / "serve"
ITEM = {"service": "Restaurants_1", "acts": ["OFFER(restaurant_name=Zum Bock)", "OFFER(city=Los Gatos)"]}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_ready(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 200
    while time.monotonic() < until:
        assert process.poll() is None
        try:
            if httpx.get(f"{url}readyz", timeout=20).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    raise AssertionError("it was not ready in time")


def test_it_starts_answers_and_stops(tmp_path: Path) -> None:
    port = free_port()
    config = {
        "http_options": {"host": "127.0.0.1", "port": port},
        "applications": [
            {
                "name": "controldag",
                "route_prefix": "/",
                "import_path": "controldag.serving.ray_app:build",
                "args": {"models": "sgd-mini", "replicas": 2, "deadline_ms": 30_000},
            }
        ],
    }
    (tmp_path / "serve.yaml").write_text(yaml.safe_dump(config))
    quiet = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "CONTROLDAG_TOKEN": "secret"}
    command = [str(SERVE), "run", str(tmp_path / "serve.yaml")]
    # Where the tests run in a shell's background, SIGINT is ignored, and so it would be in what they start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, env=quiet, stdout=log, stderr=log)
    signal.signal(signal.SIGINT, before)
    url = f"http://127.0.0.1:{port}/"
    try:
        wait_until_ready(url, process)
        with Client(url, token="secret") as client, ThreadPoolExecutor(8) as pool:
            texts = [answer.text for answer in pool.map(client.generate, [ITEM] * 16)]
        assert all("Zum Bock" in text and "Los Gatos" in text for text in texts)
        refused = httpx.post(f"{url}v1/generate", json={"items": [ITEM]}, timeout=60)
        assert refused.status_code == 401
        process.send_signal(signal.SIGINT)
        process.wait(200)  # Ray waits for a replica that still loads its model
        with pytest.raises(httpx.TransportError):
            httpx.get(f"{url}readyz", timeout=20)
    finally:
        process.kill()
        process.wait()
        print((tmp_path / "log").read_text("utf-8", "replace"))
