#!/bin/sh
# Runs the engine under AddressSanitizer and UndefinedBehaviorSanitizer: the C++ tests, the engine's Python tests,
# then MINUTES of fuzzing with hostile input and as long again with random searches.
#   usage: tools/sanitize.sh [MINUTES] [PYTHON]      (default: 10, .venv/bin/python)
# Everything is built under build/sanitize; the ordinary installation is not touched.
set -eu
cd "$(dirname "$0")/.."
minutes=${1:-10}
python=${2:-.venv/bin/python}
root=$PWD/build/sanitize
mkdir -p "$root"
bin=$(dirname "$python")
PATH=$(cd "$bin" && pwd):$PATH

cmake -S . -B "$root/cmake" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCONTROLDAG_SANITIZE=ON \
  -DCONTROLDAG_CPP_TESTS=ON -DSKBUILD=2 -DPython_EXECUTABLE="$(command -v python)" >"$root.log" 2>&1 ||
  { cat "$root.log"; exit 1; }
cmake --build "$root/cmake" >>"$root.log" 2>&1 || { tail -50 "$root.log"; exit 1; }

export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
# Python and its extensions keep memory until the process ends: leaks are not looked for there.
ASAN_OPTIONS=detect_leaks=1 ctest --test-dir "$root/cmake" --output-on-failure

# A virtual environment of its own, which takes the other packages from the ordinary one but not the installed engine.
packages=$(python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
test -x "$root/venv/bin/python" || python -m venv --without-pip "$root/venv"
own=$("$root/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
mkdir -p "$root/package"
rm -rf "$root/package/controldag"
cp -r src/controldag "$root/package/"
find "$root/package" -name '_core*.so' -delete
cp "$root"/cmake/_core*.so "$root/package/controldag/"
printf '%s\n%s\n' "$packages" "$root/package" >"$own/engine.pth"

export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 PYTHONMALLOC=malloc
preload="$(${CXX:-c++} -print-file-name=libasan.so) $(${CXX:-c++} -print-file-name=libstdc++.so)"
run() { LD_PRELOAD=$preload "$root/venv/bin/python" "$@"; }
run -c 'import controldag._core as core; print("sanitized:", core.__file__)'
# Freed memory is kept for a while here, so how much a search holds is not looked at.
run -m pytest tests/unit/test_fold_case.py tests/unit/test_dag.py tests/unit/test_lattice.py tests/unit/constraints \
  tests/unit/search tests/property -k "not tokenizer and not read_write and not count_together" -o timeout=1800
run -m tests.fuzz hostile --cases 1000000000 --minutes "$minutes" --first 1000000
run -m tests.fuzz small --cases 1000000000 --minutes "$minutes" --first 1000000
