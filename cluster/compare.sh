#!/usr/bin/env bash
# Runs the same ten queries on an archive, DuckDB, Spark and Ballista; prints their times and compares the results. Needs Java 17,
# and about 600 MB for a separate Python environment.
#
#   cluster/compare.sh FOLDER PLYBOOK PLYBOOK_CLUSTER ARCHIVE [RUNS]     FOLDER gets that environment
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${1:?the folder of the Python that is made}
shift
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install -q --disable-pip-version-check -r "$here/spark/requirements.txt" duckdb==2.0.0
"$venv/bin/pip" install -q --disable-pip-version-check --force-reinstall --no-deps "$here/../bindings/python"
"$venv/bin/python" "$here/compare.py" "$@"
