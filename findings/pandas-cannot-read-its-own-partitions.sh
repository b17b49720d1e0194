#!/usr/bin/env bash
# Expected: pandas reads a partitioned table that it has just written, whatever the values of the key are.
# Seen: if one row has no value of the key, pandas writes the table and then cannot read it: "Cannot yet unify
#   dictionaries with nulls". Without that row it can (pandas 3.1.1, pyarrow 25.0.1; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check pandas==3.1.1 pyarrow==25.0.1
venv/bin/python -W ignore - <<'PYTHON'
import pandas, pyarrow

table = pandas.DataFrame({"id": [1, 2, 3], "country": ["NO", None, "IN"]})
table.dropna().to_parquet("complete", partition_cols=["country"])
print(f"pandas {pandas.__version__}, pyarrow {pyarrow.__version__}:")
print("without the row:", len(pandas.read_parquet("complete")), "rows")
table.to_parquet("written", partition_cols=["country"])
try:
    raise SystemExit(f"the behaviour has changed: {len(pandas.read_parquet('written'))} rows")
except pyarrow.ArrowInvalid as error:
    print("with the row:", error)
    assert "unify dictionaries with nulls" in str(error), "the behaviour has changed"
PYTHON
