"""A Hub of one repository on this machine: what huggingface_hub asks for, answered from a folder."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlparse

COMMIT = "0123456789abcdef0123456789abcdef01234567"
REPOSITORY, REVISION = "someone/tiny", "v1"


class Endpoint(ThreadingHTTPServer):
    """Serves the files of a folder as `someone/tiny` at `v1`, and counts how often it gave each."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folder = folder
        self.given: Counter[str] = Counter()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def endpoint(folder: Path) -> Iterator[Endpoint]:
    """The endpoint, while the block lasts."""
    with Endpoint(folder) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _answer(self, *, with_body: bool) -> None:
        path = unquote(urlparse(self.path).path)
        files = {str(p.relative_to(self.server.folder)): p for p in self.server.folder.rglob("*") if p.is_file()}
        headers: dict[str, str] = {}
        if path == f"/api/models/{REPOSITORY}/revision/{REVISION}":
            body = json.dumps({"id": REPOSITORY, "sha": COMMIT, "siblings": [{"rfilename": name} for name in files]})
            content = body.encode()
        elif path == f"/api/models/{REPOSITORY}/tree/{COMMIT}":
            content = json.dumps([_entry(name, file) for name, file in sorted(files.items())]).encode()
        elif (name := path.removeprefix(f"/{REPOSITORY}/resolve/{COMMIT}/")) in files:
            content = files[name].read_bytes()
            headers = {"ETag": f'"{hashlib.sha1(content).hexdigest()}"', "X-Repo-Commit": COMMIT}
            self.server.given[name] += with_body
        else:
            self.send_response(404)
            self.send_header("X-Error-Code", "RevisionNotFound" if REPOSITORY in path else "RepoNotFound")
            self.end_headers()
            return
        self.send_response(200)
        for key, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(key, value)
        self.end_headers()
        if with_body:
            self.wfile.write(content)


def _entry(name: str, file: Path) -> dict[str, object]:
    content = file.read_bytes()
    return {"type": "file", "path": name, "size": len(content), "oid": hashlib.sha1(content).hexdigest()}
