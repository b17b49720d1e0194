#!/usr/bin/env bash
# Installs the package with its one command and compares it with python-chess.
set -euo pipefail
cd "$(dirname "$0")"
venv=${1:?usage: check.sh FOLDER (created if it does not exist)}

# The same profile and target directory as the tests of plybook, so that shared crates are compiled once.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$venv/cargo} MATURIN_PEP517_ARGS="--profile dev"
cargo fmt --check
cargo clippy -q --locked -- -D warnings
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install -q --disable-pip-version-check -r tests/requirements.txt
"$venv/bin/pip" install -q --disable-pip-version-check --force-reinstall --no-deps .
"$venv/bin/python" -m pytest -q -p no:cacheprovider
