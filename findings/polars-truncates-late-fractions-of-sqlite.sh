#!/usr/bin/env bash
# Expected: polars.read_database returns the numbers of a query as the database has them, or stops at one that its
#   guess does not fit, as it does at text.
# Seen: if the first 100 rows are integers, later fractions lose their decimals, without an error: 0.5 becomes 0;
#   infer_schema_length=None reads them (Polars 2.1.0; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check polars==2.1.0
venv/bin/python -W ignore - <<'PYTHON'
import sqlite3
import polars

db = sqlite3.connect(":memory:")
db.execute("CREATE TABLE score (points NUMERIC)")
db.executemany("INSERT INTO score VALUES (?)", [(1,)] * 100 + [(0.5,), (2.75,)])
query = "SELECT points FROM score"
guessed = polars.read_database(query, db)["points"]
complete = polars.read_database(query, db, infer_schema_length=None)["points"]
print(f"Polars {polars.__version__}: 0.5 and 2.75 are read as {guessed[-2:].to_list()}, with all rows inferred {complete[-2:].to_list()}")
assert (guessed[-2:].to_list(), complete[-2:].to_list()) == ([0, 2], [0.5, 2.75]), "the behaviour has changed"
PYTHON
