# The service on a CPU. Build: docker build -t controldag . ; run: docker run -p 8000:8000 controldag
# A model of your own: docker run -v "$PWD/library-model:/model:ro" -p 8000:8000 controldag --model /model

FROM python:3.12-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /source
RUN python -m venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY constraints.txt ./
RUN pip install -c constraints.txt pip cmake ninja nanobind scikit-build-core
COPY pyproject.toml CMakeLists.txt README.md LICENSE ./
COPY cpp cpp
COPY src src
RUN pip install -c constraints.txt --no-build-isolation '.[serve]'

FROM python:3.12-slim-bookworm
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin controldag
COPY --from=build /opt/venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 HF_HUB_OFFLINE=1
USER 10001
WORKDIR /home/controldag
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["controldag", "serve", "--host", "0.0.0.0", "--port", "8000"]
