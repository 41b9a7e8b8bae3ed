#!/usr/bin/env bash
# Builds the playground: the compiler as WebAssembly, packed into a script beside the page, since browsers fetch nothing from
# file://. Needs rustup and what every Unix has; `--size` says how large it came out.
set -euo pipefail
cd "$(dirname "$0")"
target=wasm32-unknown-unknown
if ! [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
  rustup target add "$target"
fi
cargo build --locked -p looplets-playground --lib --profile page --target "$target"
built=$(cargo metadata --locked --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
wasm="$built/$target/page/looplets_playground.wasm"
{
  printf 'const LOOPLETS_WASM = "'
  gzip -9 -n -c "$wasm" | base64 | tr -d '\n'
  printf '";\n'
} >wasm.js
if [ "${1:-}" = --size ]; then
  printf 'wasm: %d bytes, gzip: %d bytes, wasm.js: %d bytes\n' \
    "$(wc -c <"$wasm")" "$(gzip -9 -n -c "$wasm" | wc -c)" "$(wc -c <wasm.js)"
fi
echo "open $PWD/index.html"
