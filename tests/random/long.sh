#!/usr/bin/env bash
# Runs many random kernels: tests/random/long.sh COUNT [FIRST_SEED]. Each seed gives a batch of
# LOOPLETS_KERNELS (100); what fails is kept under target/random, and said at the end.
set -uo pipefail
cd "$(dirname "$0")/../.."
count=${1:?how many kernels}
seed=${2:-$(date +%s)}
export LOOPLETS_KERNELS=${LOOPLETS_KERNELS:-100} CARGO_TERM_COLOR=never
keep="${CARGO_TARGET_DIR:-target}/random"
mkdir -p "$keep"
run=0 failed=()

# The kernels that errors of the compiler stand in.
named() {
  grep -oE '[^ ]+/out/kernels\.rs:[0-9]+' "$1" | sort -u | while IFS=: read -r file line; do
    head -n "$line" "$file" | grep -oE '^ *pub mod k[0-9]+' | tail -n 1 | grep -oE 'k[0-9]+'
  done | sort -u | paste -sd,
}

while [ "$run" -lt "$count" ]; do
  echo "== seed $seed, $run of $count"
  export LOOPLETS_SEED=$seed LOOPLETS_SKIP=
  log="$keep/$seed.log"
  : >"$log"
  for _ in 1 2 3 4; do
    cargo test -p looplets-random --no-run --quiet >"$log.build" 2>&1 && break
    broken=$(named "$log.build")
    cat "$log.build" >>"$log"
    echo "   do not compile: ${broken:-all of them}"
    [ -n "$broken" ] || exit 1
    failed+=("$seed:$broken")
    export LOOPLETS_SKIP="$LOOPLETS_SKIP,$broken"
  done
  if ! cargo test -p looplets-random --quiet >"$log.run" 2>&1; then
    cat "$log.run" >>"$log"
    wrong=$(grep -oE '^== seed [0-9]+, k[0-9]+' "$log.run" | grep -oE 'k[0-9]+' | sort -u | paste -sd,)
    echo "   wrong: ${wrong:-see $log}"
    failed+=("$seed:${wrong:-run}")
  fi
  rm -f "$log.build" "$log.run"
  [ -s "$log" ] || rm -f "$log"
  run=$((run + LOOPLETS_KERNELS))
  seed=$((seed + 1))
done
echo "$run kernels, ${#failed[@]} failures: ${failed[*]:-none} (logs in $keep)"
[ "${#failed[@]}" = 0 ]
