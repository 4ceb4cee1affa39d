"""The same service on a Ray cluster: `serve run controldag.serving.ray_app:build models=sgd-mini replicas=2`."""

from __future__ import annotations

import os
from typing import Annotated, Any

from fastapi import FastAPI
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from ray import serve

from controldag.checkpoint.choice import ModelChoice
from controldag.checkpoint.folder import bundled, has_weights
from controldag.pipeline import ControlDag
from controldag.serving.app import make_app
from controldag.serving.options import ServiceOptions
from controldag.serving.run import warm_up

Names = Annotated[list[str], BeforeValidator(lambda given: given.split(",") if isinstance(given, str) else given)]


class RaySettings(BaseModel):
    """What `serve run` takes as NAME=VALUE, or a Serve config as `args`.

    models: names or folders that every machine has, with commas between; the first is the default. replicas: processes,
    each with all models, batches and a queue of its own. cpus, gpus: of each of them. The rest: as `controldag serve`
    has it; the token is `CONTROLDAG_TOKEN` where the application is built.
    """

    model_config = ConfigDict(extra="forbid")

    models: Names = Field(default_factory=lambda: [name for name in bundled() if has_weights(name)])
    replicas: int = Field(1, ge=1)
    cpus: float = Field(1, gt=0)
    gpus: float = Field(0, ge=0)
    device: str = "cpu"
    precision: str = ""
    batch: int = 32
    wait_ms: float = 4.0
    queue: int = 256
    deadline_ms: int = 10_000
    threads: int = 2

    def options(self) -> ServiceOptions:
        return ServiceOptions(
            batch=self.batch,
            wait_ms=self.wait_ms,
            queue=self.queue,
            deadline_ms=self.deadline_ms,
            threads=self.threads,
            token=os.environ.get("CONTROLDAG_TOKEN", ""),
        )

    def choices(self) -> list[ModelChoice]:
        return [ModelChoice(name=name, device=self.device, precision=self.precision).absolute() for name in self.models]


class Replica:
    """One process of the service: it loads the models and then answers as `controldag serve` does."""

    def __init__(self, choices: list[ModelChoice], options: ServiceOptions) -> None:
        models = [ControlDag.from_choice(choice) for choice in choices]
        for model in models:
            warm_up(model)
        self._app = make_app(models, options)

    def __serve_build_asgi_app__(self) -> FastAPI:
        return self._app

    def check_health(self) -> None:
        """Ray replaces a replica whose threads have ended."""
        if not self._app.state.service.ready:
            raise RuntimeError("The service is not ready.")


def build(arguments: dict[str, Any]) -> serve.Application:
    """The application that Ray Serve runs; `arguments` are those of RaySettings."""
    settings = RaySettings.model_validate(arguments)
    deployment: serve.Deployment = serve.deployment(
        name="controldag",
        num_replicas=settings.replicas,
        ray_actor_options={"num_cpus": settings.cpus, "num_gpus": settings.gpus},
        # Our own queue refuses first, with a Retry-After; Ray's bounds stand behind it.
        max_ongoing_requests=2 * settings.queue,
        max_queued_requests=settings.queue,
        graceful_shutdown_timeout_s=settings.deadline_ms / 1000 + 5,
    )(serve.ingress()(Replica))
    return deployment.bind(settings.choices(), settings.options())
