#!/usr/bin/env bash
# Has the tests write files, and Python read them: needs a `python3` with numpy, scipy and sparse, or PYTHON.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
written=$(mktemp -d)
trap 'rm -r "$written"' EXIT
cd "$here/../.."
LOOPLETS_WRITTEN="$written" cargo test --features npz --test numpy -- written
"${PYTHON:-python3}" "$here/check.py" "$written"
