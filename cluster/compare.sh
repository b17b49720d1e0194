#!/usr/bin/env bash
# Asks an archive, DuckDB, Spark and Ballista the same ten questions; prints their times and compares their answers. Needs Java 17,
# and some 600 MB for what it installs into a Python of its own.
#
#   cluster/compare.sh FOLDER PLYBOOK PLYBOOK_CLUSTER ARCHIVE [RUNS]     FOLDER takes that Python
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${1:?the folder of the Python that is made}
shift
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install -q --disable-pip-version-check -r "$here/spark/requirements.txt" duckdb==2.0.0
"$venv/bin/pip" install -q --disable-pip-version-check --force-reinstall --no-deps "$here/../bindings/python"
"$venv/bin/python" "$here/compare.py" "$@"
