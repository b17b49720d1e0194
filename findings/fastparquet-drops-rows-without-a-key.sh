#!/usr/bin/env bash
# Expected: a table that is written in partitions has as many rows as before; a row without a value of the key goes to
#   a partition for missing values, as Hive, pyarrow and Spark do.
# Seen: fastparquet does not write that row, and reports nothing: 2 of 3 rows are on disk (fastparquet 2026.9.0,
#   pandas 3.1.1; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check fastparquet==2026.9.0 pandas==3.1.1
venv/bin/python -W ignore - <<'PYTHON'
import fastparquet, pandas

table = pandas.DataFrame({"id": [1, 2, 3], "country": ["NO", None, "IN"]})
table.to_parquet("written", engine="fastparquet", partition_cols=["country"])
rows = sorted(pandas.read_parquet("written", engine="fastparquet")["id"])
print(f"fastparquet {fastparquet.__version__}: wrote the ids 1, 2 and 3, read {rows}")
assert rows == [1, 3], "the behaviour has changed"
PYTHON
