#!/usr/bin/env bash
# Runs many random kernels: tests/random/long.sh COUNT [FIRST_SEED]. Each seed gives a batch of
# LOOPLETS_KERNELS (100); what fails is kept under target/random, and said at the end. Kernels that the
# compiler refuses with a message of its own (too many regions, say) are counted apart.
set -uo pipefail
cd "$(dirname "$0")/../.."
count=${1:?how many kernels}
seed=${2:-$(date +%s)}
export LOOPLETS_KERNELS=${LOOPLETS_KERNELS:-100} CARGO_TERM_COLOR=never
keep="${CARGO_TARGET_DIR:-target}/random"
mkdir -p "$keep"
run=0 failed=() refused=0

# Where errors stand, one a line: `rustc` or `own` for a message of the compiler itself, kernel, message.
errors() {
  awk '/^error/ { kind = /^error\[/ ? "rustc" : "own"; what = $0 }
    /^ *--> .*\/out\/kernels\.rs:/ && what != "" { print kind, $2, what; what = "" }' "$1" |
    while read -r kind place what; do
      IFS=: read -r file line _ <<<"$place"
      name=$(head -n "$line" "$file" | grep -oE '^ *pub mod k[0-9]+' | tail -n 1 | grep -oE 'k[0-9]+')
      echo "$kind $name ${what#*: }"
    done | sort -u
}

# The kernels of a list of errors, with commas.
named() { cut -d' ' -f2 | sort -u | paste -sd,; }

while [ "$run" -lt "$count" ]; do
  echo "== seed $seed, $run of $count"
  export LOOPLETS_SEED=$seed LOOPLETS_SKIP=
  log="$keep/$seed.log"
  : >"$log"
  for _ in 1 2 3 4; do
    cargo test -p looplets-random --no-run --quiet >"$log.build" 2>&1 && break
    found=$(errors "$log.build")
    [ -n "$found" ] || { echo "   none compiles: see $log.build" && exit 1; }
    broken=$(grep '^rustc' <<<"$found" | named)
    own=$(grep '^own' <<<"$found" | grep -vwE "${broken:+${broken//,/|}|}-" | named)
    if [ -n "$broken" ]; then
      cat "$log.build" >>"$log"
      echo "   do not compile: $broken"
      failed+=("$seed:$broken")
    fi
    if [ -n "$own" ]; then
      grep '^own' <<<"$found" | cut -d' ' -f2- | cut -c1-90 | sed 's/^/   refused: /'
      refused=$((refused + $(tr ',' '\n' <<<"$own" | wc -l)))
    fi
    broken="$broken,$own"
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
echo "$run kernels, $refused refused, ${#failed[@]} failures: ${failed[*]:-none} (logs in $keep)"
[ "${#failed[@]}" = 0 ]
