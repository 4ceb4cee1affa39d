"""`/docs`: the API as Swagger UI shows it. Its files come with the package `fastapi-swagger`, none from the network."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

from fastapi import FastAPI
from fastapi.responses import Response

from controldag.serving.faults import Refused

# Swagger UI sets styles of its own and draws with data: images; scripts are those of this service alone.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:"
    "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PAGE = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>controldag: the API</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/docs/swagger-ui.css">
  <script defer src="/docs/swagger-ui-bundle.js"></script>
  <script defer src="/docs/start.js"></script>
</head>
<body><div id="swagger-ui"></div></body>
</html>
"""
_START = "SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', validatorUrl: null });\n"
_KINDS = {"css": "text/css", "js": "text/javascript"}


def add_swagger(app: FastAPI) -> None:
    """Adds `/docs` and the files it needs; they are read once."""
    files = _files()

    @app.get("/docs", include_in_schema=False)
    async def page() -> Response:
        return _response(_PAGE.encode(), "text/html")

    @app.get("/docs/{name}", include_in_schema=False)
    async def file(name: str) -> Response:
        if name not in files:
            raise Refused(404, "There is no such page.")
        return _response(files[name], _KINDS[name.rpartition(".")[2]])


def _files() -> Mapping[str, bytes]:
    folder = resources.files("fastapi_swagger") / "resources"
    found = {name: (folder / name).read_bytes() for name in ("swagger-ui-bundle.js", "swagger-ui.css")}
    return {**found, "start.js": _START.encode()}


def _response(content: bytes, kind: str) -> Response:
    headers = {"content-security-policy": _POLICY, "cache-control": "no-cache"}
    return Response(content, media_type=f"{kind}; charset=utf-8", headers=headers)
