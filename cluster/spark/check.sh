#!/usr/bin/env bash
# Starts a standalone cluster of Spark on the loopback and compares its answers with those of an archive. Needs Java 17, and
# some 500 MB for Spark, which it installs into a Python of its own; so it is no part of the gate.
#
#   cluster/spark/check.sh FOLDER PLYBOOK    FOLDER takes that Python; PLYBOOK is built with the feature columns
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${1:?the folder of the Python that is made} plybook=$(realpath "${2:?the program plybook}")
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install -q --disable-pip-version-check -r "$here/requirements.txt"
"$venv/bin/pip" install -q --disable-pip-version-check --force-reinstall --no-deps "$here/../../bindings/python"
"$venv/bin/python" "$here/test_spark.py" "$plybook"
