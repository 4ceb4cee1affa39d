"""The page to try the models: files of the package, under a policy that lets nothing else run or load."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

from fastapi import FastAPI
from fastapi.responses import Response

from controldag.drawing.style import PICTURE
from controldag.serving.faults import Refused

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}


def add_page(app: FastAPI) -> None:
    """Adds `/` and the files it needs; they are read once."""
    files = _files()

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        return _response("index.html", files["index.html"])

    @app.get("/static/{name}", include_in_schema=False)
    async def static(name: str) -> Response:
        if name not in files:
            raise Refused(404, "There is no such page.")
        return _response(name, files[name])


def _files() -> Mapping[str, bytes]:
    folder = resources.files("controldag.serving") / "static"
    texts = {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
    texts["picture.css"] = PICTURE.encode()
    return texts


def _response(name: str, content: bytes) -> Response:
    kind = _KINDS["." + name.rpartition(".")[2]]
    headers = {"content-security-policy": POLICY, "cache-control": "no-cache"}
    return Response(content, media_type=f"{kind}; charset=utf-8", headers=headers)
