#!/usr/bin/env bash
# Runs many random kernels: tests/random/long.sh COUNT [FIRST_SEED]. Each seed gives a batch of
# LOOPLETS_KERNELS (100) kernels over LOOPLETS_INPUTS (200) inputs each, every fourth in release. With
# LOOPLETS_SANITIZE=N every Nth batch is run by Miri and every Nth under AddressSanitizer, too, which need a
# nightly toolchain with the components miri and rust-src: ten kernels over three inputs by the one, all of
# them over twenty by the other.
#
# What fails is kept under target/random and said at the end: kernels that disagree, and kernels that rustc
# rejects. Those that the compiler refuses with a message of its own are counted by message.
set -uo pipefail
cd "$(dirname "$0")/../.."
count=${1:?how many kernels}
seed=${2:-$(date +%s)}
export LOOPLETS_KERNELS=${LOOPLETS_KERNELS:-100} LOOPLETS_INPUTS=${LOOPLETS_INPUTS:-200} CARGO_TERM_COLOR=never
# Without optimisation, a kernel of thousands of lines takes megabytes of stack.
export RUST_MIN_STACK=${RUST_MIN_STACK:-16777216}
# Kernels are compiled by the thousand: an optimised compiler pays.
export CARGO_PROFILE_DEV_BUILD_OVERRIDE_OPT_LEVEL=2 CARGO_PROFILE_RELEASE_BUILD_OVERRIDE_OPT_LEVEL=2
sanitize=${LOOPLETS_SANITIZE:-0}
target="${CARGO_TARGET_DIR:-target}"
keep="$target/random"
mkdir -p "$keep"
messages="$keep/messages"
: >"$messages"
run=0 batch=0 failed=() refused=0

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

# A message without what differs from kernel to kernel.
general() { sed -E 's/`[^`]*`/`_`/g; s/[0-9]+/N/g' | cut -c1-110; }

# Runs what is compiled, and notes which kernels disagree.
try() {
  local how=$1
  shift
  "$@" >"$log.run" 2>&1 && return
  { echo "== $how"; cat "$log.run"; } >>"$log"
  local wrong
  wrong=$(grep -oE '^== (seed [0-9]+, k[0-9]+|a kernel does not end: seed [0-9]+, k[0-9]+)' "$log.run" |
    grep -oE 'k[0-9]+$' | sort -u | paste -sd,)
  echo "   $how, wrong: ${wrong:-see $log}"
  failed+=("$seed:$how:${wrong:-run}")
}

while [ "$run" -lt "$count" ]; do
  profile=()
  [ $((batch % 4)) = 3 ] && profile=(--release)
  echo "== seed $seed, $run of $count ${profile[*]}"
  export LOOPLETS_SEED=$seed LOOPLETS_SKIP=-
  log="$keep/$seed.log"
  : >"$log"
  for _ in 1 2 3 4; do
    cargo test -p looplets-random "${profile[@]}" --no-run --quiet >"$log.build" 2>&1 && break
    found=$(errors "$log.build")
    [ -n "$found" ] || { echo "   none compiles: see $log.build" && exit 1; }
    broken=$(grep '^rustc' <<<"$found" | named)
    own=$(grep '^own' <<<"$found" | grep -vwE "${broken:+${broken//,/|}|}-" | named)
    if [ -n "$broken" ]; then
      cat "$log.build" >>"$log"
      echo "   do not compile: $broken"
      failed+=("$seed:rustc:$broken")
    fi
    if [ -n "$own" ]; then
      grep -E "^own (${own//,/|}) " <<<"$found" | sort -u -k2,2 | cut -d' ' -f3- | general >>"$messages"
      refused=$((refused + $(tr ',' '\n' <<<"$own" | wc -l)))
    fi
    export LOOPLETS_SKIP="$LOOPLETS_SKIP,$broken,$own"
  done
  try "${profile[0]:-debug}" cargo test -p looplets-random "${profile[@]}" --quiet
  if [ "$sanitize" != 0 ] && [ $((batch % sanitize)) = 0 ]; then
    # The queues of rayon keep the rules of tree borrows only.
    LOOPLETS_INPUTS=3 LOOPLETS_KERNELS=10 \
      MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-ignore-leaks -Zmiri-tree-borrows" \
      try miri cargo +nightly miri test -p looplets-random --target-dir "$target/miri" --quiet
  fi
  if [ "$sanitize" != 0 ] && [ $(((batch + 1) % sanitize)) = 0 ]; then
    LOOPLETS_INPUTS=20 RUSTFLAGS="-Zsanitizer=address" ASAN_OPTIONS=detect_leaks=0 \
      try asan cargo +nightly test -p looplets-random --target x86_64-unknown-linux-gnu \
      --target-dir "$target/asan" --quiet
  fi
  rm -f "$log.build" "$log.run"
  [ -s "$log" ] || rm -f "$log"
  run=$((run + LOOPLETS_KERNELS))
  seed=$((seed + 1)) batch=$((batch + 1))
done
sort "$messages" | uniq -c | sort -rn | sed 's/^/   refused:/'
echo "$run kernels, $refused refused, ${#failed[@]} failures: ${failed[*]:-none} (logs in $keep)"
[ "${#failed[@]}" = 0 ]
