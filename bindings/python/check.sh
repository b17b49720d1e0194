#!/usr/bin/env bash
# Proves that the package is installed by its one command, and gives what python-chess reads.
set -euo pipefail
cd "$(dirname "$0")"
venv=${1:?the folder of the Python that it is tried in, which is made}

# Compiled as plybook's own tests are, and by the gate in the same folder: what they have in common is compiled once.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$venv/cargo} MATURIN_PEP517_ARGS="--profile dev"
cargo fmt --check
cargo clippy -q --locked -- -D warnings
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install -q --disable-pip-version-check -r tests/requirements.txt
"$venv/bin/pip" install -q --disable-pip-version-check --force-reinstall --no-deps .
"$venv/bin/python" -m pytest -q -p no:cacheprovider
