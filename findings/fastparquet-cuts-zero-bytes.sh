#!/usr/bin/env bash
# Expected: a column of fixed-size binary values, such as a hash, has the same bytes and lengths when read.
# Seen: fastparquet removes the zero bytes at the end of every value; the same values in a column of variable size
#   stay complete (fastparquet 2026.9.0, pyarrow 25.0.1; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check fastparquet==2026.9.0 pandas==3.1.1 pyarrow==25.0.1
venv/bin/python -W ignore - <<'PYTHON'
import fastparquet, pandas, pyarrow, pyarrow.parquet

values = [b"\x01\x02", b"\x01\x00", b"\x00\x00"]
for size in [2, -1]:
    column = pyarrow.array(values, pyarrow.binary(size))
    pyarrow.parquet.write_table(pyarrow.table({"hash": column}), f"{size}.parquet")
fixed, variable = (list(pandas.read_parquet(f"{size}.parquet", engine="fastparquet")["hash"]) for size in [2, -1])
print(f"fastparquet {fastparquet.__version__}: wrote {values}, read {fixed} of fixed and {variable} of variable size")
assert (fixed, variable) == ([b"\x01\x02", b"\x01", b""], values), "the behaviour has changed"
PYTHON
