#!/usr/bin/env bash
# Starts a standalone Spark cluster on the loopback interface and compares its results with those of an archive. Needs Java 17, and
# about 500 MB for Spark, which it installs into a separate Python environment; so it is not part of the regular checks.
#
#   cluster/spark/check.sh FOLDER PLYBOOK    FOLDER gets that environment; PLYBOOK is built with the feature columns
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${1:?the folder of the Python that is made} plybook=$(realpath "${2:?the program plybook}")
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install -q --disable-pip-version-check -r "$here/requirements.txt"
"$venv/bin/pip" install -q --disable-pip-version-check --force-reinstall --no-deps "$here/../../bindings/python"
"$venv/bin/python" "$here/test_spark.py" "$plybook"
