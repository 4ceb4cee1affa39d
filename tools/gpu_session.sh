#!/usr/bin/env bash
# One call on a GPU machine: `tools/gpu_session.sh check | bench CONFIG… | train CONFIG MINUTES [options…]`.
# Reads prepared data from carry/ (make it first: `controldag train CONFIG --prepare-only`); writes to $OUT.
set -euo pipefail
cd "$(dirname "$0")/.."
export PYTHONPATH=src PYTHONUNBUFFERED=1 TOKENIZERS_PARALLELISM=false
export TORCHINDUCTOR_CACHE_DIR="${TORCHINDUCTOR_CACHE_DIR:-/tmp/controldag-inductor}"
export TORCHINDUCTOR_FX_GRAPH_CACHE=1 PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
out="${OUT:-runs/gpu}"
mkdir -p "$out"
python=${PYTHON:-python3}

case "${1:-}" in
check)
  $python -W ignore -m controldag.model.check_gpu 2>&1 | tee "$out/check.txt"
  ;;
bench)
  shift
  $python -W ignore -m controldag.training.bench "$@" 2>&1 | tee "$out/bench.txt"
  ;;
train)
  config=$2 minutes=$3
  shift 3
  name=$(basename "$config" .yaml)
  rm -f "runs/$name/results.json"
  $python -W ignore -m controldag.experiments.training_run "$config" --minutes "$minutes" --out "runs/$name" --half \
    --validation-examples 0 "$@" 2>&1 | tee "$out/$name.log"
  if [ ! -f "runs/$name/results.json" ]; then
    echo "not done yet: call again to go on"
    exit 0
  fi
  # Small things in one archive; weights in shards that a transfer of 16 MiB a file can take.
  tar -cf "$out/$name.tar" -C "runs/$name" results.json outputs.json.gz log.jsonl \
    -C final $(cd "runs/$name/final" && ls | grep -v '\.safetensors$')
  size=$(du -cb "runs/$name"/final/*.safetensors | tail -1 | cut -f1)
  if [ "$size" -le 48000000 ]; then
    for shard in "runs/$name"/final/*.safetensors; do cp "$shard" "$out/$name-$(basename "$shard")"; done
  else
    echo "weights of $size bytes stay on this machine"
  fi
  ;;
*)
  echo "usage: tools/gpu_session.sh check | bench CONFIG... | train CONFIG MINUTES [options...]" >&2
  exit 2
  ;;
esac
