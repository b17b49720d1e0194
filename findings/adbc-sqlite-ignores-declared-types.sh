#!/usr/bin/env bash
# Expected: the ADBC driver of SQLite reads a column that is declared as TEXT as text.
# Seen: it takes the type from the values of the first 1,024 rows. If all of these are NULL, the column becomes int64,
#   and the first text in it is an error (adbc-driver-sqlite 1.13.0; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check adbc-driver-sqlite==1.13.0 pyarrow==25.0.1
venv/bin/python -W ignore - <<'PYTHON'
import sqlite3
import adbc_driver_sqlite, adbc_driver_sqlite.dbapi

def read(nulls):
    with sqlite3.connect(f"{nulls}.db") as db:
        db.execute("CREATE TABLE note (id INTEGER, text TEXT)")
        db.executemany("INSERT INTO note VALUES (?, ?)", [(1, None)] * nulls + [(2, "a word")])
    with adbc_driver_sqlite.dbapi.connect(f"{nulls}.db") as db, db.cursor() as cursor:
        cursor.execute("SELECT text FROM note")
        return str(cursor.fetch_arrow_table().schema.field("text").type)

print(f"adbc-driver-sqlite {adbc_driver_sqlite.__version__}: after 1,023 NULLs: {read(1_023)}")
try:
    raise SystemExit(f"the behaviour has changed: {read(1_024)}")
except OSError as error:
    print(f"after 1,024 NULLs: {error}")
    assert "expected INT64 but got STRING" in str(error), "the behaviour has changed"
PYTHON
