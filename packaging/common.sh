# SPDX-License-Identifier: Apache-2.0
# Shared by the scripts of this folder; sourced, not run.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/stageloom
torch_version=2.11.0
say() { printf '%s\n' "$*" >&2; }
die() { say "stageloom: $*"; exit 1; }

# build PRESET [-DOPTION=VALUE…] [TARGET…]: configures and builds; everything it says goes to stderr.
build() {
  local preset=$1 options=(); shift
  while [[ ${1:-} == -D* ]]; do options+=("$1"); shift; done
  local log=$root/build/$preset-build.log jobs
  mkdir -p "$root/build"
  # A Torch source takes about 1 GiB of memory to compile.
  jobs=$(awk -v cores="$(nproc)" '/MemAvailable/ {m = int($2 / 1048576 / 1.2); if (m < 1) m = 1; print (m < cores ? m : cores)}' /proc/meminfo)
  export LIBTORCH_ROOT
  (cd "$root" && cmake --preset "$preset" "${options[@]}") >"$log" 2>&1 || { tail -n 40 "$log" >&2; die "configuring preset '$preset' failed; the whole log is $log"; }
  local targets=()
  [ $# -eq 0 ] || targets=(--target "$@")
  if [ -t 2 ]; then
    (cd "$root" && cmake --build --preset "$preset" -j "$jobs" "${targets[@]}") >&2 || die "building preset '$preset' failed"
  else
    (cd "$root" && cmake --build --preset "$preset" -j "$jobs" "${targets[@]}") >>"$log" 2>&1 || { grep -nE 'error|FAILED' "$log" | head -n 40 >&2; tail -n 20 "$log" >&2; die "building preset '$preset' failed; the whole log is $log"; }
  fi
}
