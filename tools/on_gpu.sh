#!/usr/bin/env bash
# One call on a GPU machine; the commands stand at the end.
# Reads prepared data from prepared/ (make it first: `controldag train CONFIG --prepare-only`); writes to $OUT.
# Of several runs each compiles while the one before it trains; their clocks run one after another.
set -euo pipefail
cd "$(dirname "$0")/.."
export PYTHONPATH=src:. PYTHONUNBUFFERED=1 TOKENIZERS_PARALLELISM=false
export TORCHINDUCTOR_CACHE_DIR="${TORCHINDUCTOR_CACHE_DIR:-/tmp/controldag-inductor}"
export TORCHINDUCTOR_FX_GRAPH_CACHE=1 PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
out="${OUT:-runs/gpu}"
mkdir -p "$out"
python=${PYTHON:-python3}

# The package imports its C++ core, which is not installed there: built once, beside the sources.
if ! $python -c "import controldag" 2>/dev/null; then
  build=/tmp/controldag-build
  cmake -S . -B "$build" -DSKBUILD=1 -DPython_EXECUTABLE="$(command -v "$python")" >"$out/build.log" 2>&1 &&
    cmake --build "$build" -j "$(nproc)" --target _core >>"$out/build.log" 2>&1 &&
    cp "$build"/_core*.so src/controldag/
  $python -c "import controldag" || { tail -20 "$out/build.log" >&2; exit 1; }
fi

start() { # CONFIG MINUTES[@STEP:LOSS] GATE: a run in the background, whose clock waits for the file GATE
  local name minutes=${2%%@*} expect=()
  name=$(basename "$1" .yaml)
  if [[ $2 == *@* ]]; then expect=(--expect "${2#*@}"); fi
  rm -f "runs/$name/results.json" "runs/$name/trained"
  $python -W ignore -m controldag.training.run "$1" --minutes "$minutes" "${expect[@]}" --out "runs/$name" --half \
    --validation-examples 0 --after "$3" >"$out/$name.log" 2>&1 &
}

collect() { # CONFIG: what is small in one archive; weights in shards that a transfer of 16 MiB a file can take
  local name size
  name=$(basename "$1" .yaml)
  grep -v '^ *[0-9]*%' "$out/$name.log" | tail -14
  if [ ! -f "runs/$name/results.json" ]; then
    echo "$name did not finish"
    return
  fi
  tar -cf "$out/$name.tar" -C "runs/$name" results.json outputs.json.gz log.jsonl \
    -C final $(cd "runs/$name/final" && ls | grep -v '\.safetensors$')
  size=$(du -cb "runs/$name"/final/*.safetensors | tail -1 | cut -f1)
  if [ "$size" -le 26000000 ]; then
    for shard in "runs/$name"/final/*.safetensors; do cp "$shard" "$out/$name-$(basename "$shard")"; done
  else
    echo "weights of $size bytes stay on this machine: fetch CONFIG"
  fi
}

run_command() { # MODULE FUNCTION ARGUMENTS: one command alone, since the whole command line needs packages that may be missing
  local module=$1 function=$2
  shift 2
  CONTROLDAG_DATA=${CONTROLDAG_DATA:-prepared/data} $python -W ignore -c "
import typer
from $module import $function
typer.run($function)" "$@"
}

case "${1:-}" in
check)
  $python -W ignore -m tools.check_gpu 2>&1 | tee "$out/check.txt"
  ;;
check-graphs) # CONFIG: whether training steps as CUDA graphs learn what the same steps launched one by one do
  $python -W ignore -m tools.check_graphs "$2" 2>&1 | tee "$out/check-graphs.txt"
  ;;
bench)
  shift
  $python -W ignore -m benchmarks.training.run "$@" 2>&1 | tee "$out/bench.txt"
  ;;
train)
  shift
  gates=$(mktemp -d)
  pids=()
  start "${1%%:*}" "${1#*:}" "$gates/0"
  pids+=($!)
  for ((i = 0; i < $#; i++)); do
    touch "$gates/$i"
    if ((i + 1 < $#)); then
      next=${*:i+2:1}
      start "${next%%:*}" "${next#*:}" "$gates/$((i + 1))"
      pids+=($!)
    fi
    # The next clock may start when this run has trained: its validation needs little of the device.
    current=${*:i+1:1}
    while kill -0 "${pids[i]}" 2>/dev/null && [ ! -f "runs/$(basename "${current%%:*}" .yaml)/trained" ]; do sleep 0.2; done
  done
  for ((i = 0; i < $#; i++)); do
    current=${*:i+1:1}
    wait "${pids[i]}" || echo "${current%%:*} failed"
    collect "${current%%:*}"
  done
  ;;
verifier) # MINUTES WORKERS [options of training]: both verifiers side by side, each going on from the bundled one
  # From prepared/verifier.jsonl.xz (`python -m controldag.verifier.training.prepare DATA prepared/verifier.jsonl.xz`).
  minutes=$2 workers=$3
  shift 3
  learn() {
    $python -W ignore -m controldag.verifier.training.train prepared/verifier.jsonl.xz "runs/$1" --preset "$1" \
      --init "src/controldag/pretrained/$1" --minutes "$minutes" --workers "$workers" "${@:2}"
  }
  pack() { # what there is by now: a run that is cut off leaves its weights of two minutes before
    tar -cf "$out/.verifiers.tar" -C runs verifier verifier-check $(cd runs && ls verifier*.log) || true
    mv "$out/.verifiers.tar" "$out/verifiers.tar"
  }
  mkdir -p runs/verifier runs/verifier-check
  pids=()
  for name in verifier verifier-check; do
    { learn "$name" "$@" || CONTROLDAG_CUDA_GRAPHS=0 learn "$name" "$@"; } >"runs/$name.log" 2>&1 &
    pids+=($!)
    OMP_NUM_THREADS=2 nice $python -W ignore -m controldag.verifier.training.english prepared/verifier.jsonl.xz "runs/$name" \
      --preset "$name" >"runs/$name-english.log" 2>&1 & # needs no device
  done
  while kill -0 "${pids[0]}" 2>/dev/null || kill -0 "${pids[1]}" 2>/dev/null; do
    sleep 10
    pack
  done
  wait
  pack
  tail -n 4 runs/verifier*.log
  ;;
words) # MINUTES OF base, OF words, OF words-fuzzy (0: none): one model for acts and triples, from prepared/data (docs/training.md)
  data=${CONTROLDAG_DATA:-prepared/data}
  read -r -a configs <<<"${CONFIGS:-base words words-fuzzy}"
  training() { # a few files are all that comes back, so the parts of a run write to one log
    $nice $python -W ignore -m controldag.training.run "$@" --data "$data" --prepared runs/prepared 2>&1
  }
  nice=''
  began=$SECONDS
  training "${configs[0]}" --prepare-only | tee "$out/words.log"
  echo "prepared in $((SECONDS - began)) s" | tee -a "$out/words.log"
  nice='nice -n 10' training "${configs[1]}" --prepare-only >runs/prepare-words.log & # on cores that training leaves idle
  preparing=$!
  kept=()
  for i in 0 1 2; do
    minutes=${*:i+2:1}
    if [ "${minutes:-0}" = 0 ]; then continue; fi
    training "${configs[i]}" --minutes "$minutes" --half --validation-examples 2000 | tee -a "$out/words.log"
    if [ "$i" = 0 ]; then wait "$preparing"; fi
    kept+=("$(basename "${configs[i]}" .yaml)")
    echo "${kept[-1]} done after $((SECONDS - began)) s" | tee -a "$out/words.log"
  done
  # The last model and the one before it, for whoever goes on from there: 8 files come back at most.
  for name in "${kept[@]: -2}"; do
    tar -cf "$out/$name.tar" -C "runs/$name" results.json outputs.json.gz log.jsonl \
      -C final $(cd "runs/$name/final" && ls | grep -v '\.safetensors$')
    for shard in "runs/$name"/final/*.safetensors; do cp "$shard" "$out/$name-$(basename "$shard")"; done
  done
  ;;
distil) # CONFIG TWIN [options of `python -m recipes distil`]: the data of CONFIG in the words of the twin in that folder
  shift
  run_command recipes.distil.command distil "$@" --device cuda 2>&1 | tee "$out/distil.txt"
  ;;
fetch) # CONFIG PART: the weights of a finished run, 56 MB at a time (PART from 0)
  name=$(basename "$2" .yaml)
  ls runs/"$name"/final/*.safetensors | tail -n +$((4 * $3 + 1)) | head -4 | while read -r shard; do
    cp "$shard" "$out/$name-$(basename "$shard")"
  done
  ;;
check-inference) # FOLDER: whether CUDA graphs give what a CPU gives
  $python -W ignore -m tools.check_inference "${2:-src/controldag/pretrained/sgd-mini}" 2>&1 | tee "$out/check-inference.txt"
  ;;
end-to-end) # MODEL DATA [options of `controldag bench end-to-end`]: DATA travels in prepared/ (docs/benchmarks.md)
  model=$2 data=$3
  shift 3
  run_command benchmarks.end_to_end.command bench_end_to_end_command \
    --model "$model" --data "$data" --device cuda --out "$out/end-to-end.json" "$@" 2>&1 | tee "$out/end-to-end.txt"
  ;;
tune) # NAME MODEL DATA [options of `python -m recipes tune`]: the best settings, for `reproduce --tuned ROLE=runs/tuned/NAME.json`
  name=$2 model=$3 data=$4
  shift 4
  run_command recipes.tune.command tune_command "$model" --data "$data" --device cuda --batch 512 --out "runs/tuned/$name.json" "$@" 2>&1 |
    tee "$out/tune-$name.txt"
  cp "runs/tuned/$name.json" "$out/tune-$name.json"
  ;;
sparsity) # NAME MODEL DATA [options of `python -m recipes sparsity`]
  name=$2 model=$3 data=$4
  shift 4
  run_command recipes.sparsity.command sparsity_command "$model" --data "$data" --device cuda --out "$out/sparsity-$name.json" "$@"
  ;;
reproduce) # TASK DATA [options of `python -m recipes reproduce`]: texts and times; scored where the archive is unpacked
  task=$2 data=$3
  shift 3
  run_command recipes.reproduce.command reproduce "$task" --data "$data" --device cuda --batch 512 --decode-only --out runs/reproduce "$@" 2>&1 |
    tee "$out/reproduce-$task.txt"
  tar -cf "$out/reproduce-$task.tar" -C runs/reproduce "$task"
  ;;
*)
  echo "usage: tools/on_gpu.sh check | check-graphs CONFIG | check-inference [FOLDER] | end-to-end MODEL DATA [options...] | bench CONFIG... | train CONFIG:MINUTES[@STEP:LOSS]... | words MINUTES MINUTES [MINUTES] | verifier MINUTES WORKERS [options...] | distil CONFIG TWIN [options...] | tune NAME MODEL DATA [options...] | sparsity NAME MODEL DATA [options...] | reproduce TASK DATA [options...] | fetch CONFIG PART" >&2
  exit 2
  ;;
esac
