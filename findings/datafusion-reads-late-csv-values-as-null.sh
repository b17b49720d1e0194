#!/usr/bin/env bash
# Expected: DataFusion stops at a value of a CSV file that does not have the type it guessed from the first rows, as
#   it does at text in a column of numbers.
# Seen: a column that is empty in the first 1,000 rows gets the type Null, and all its later values are null, without
#   an error (DataFusion 55.0.0; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check datafusion==55.0.0 pyarrow==25.0.1
venv/bin/python -W ignore - <<'PYTHON'
import importlib.metadata, datafusion

def column(name, first, last):
    with open(name, "w") as file:
        file.write("id,rating\n" + f"1,{first}\n" * 1_000 + f"2,{last}\n")
    return datafusion.SessionContext().read_csv(name).to_pydict()["rating"]

late = column("late.csv", "", "2700")
print(f"DataFusion {importlib.metadata.version('datafusion')}: the last of {len(late)} values, 2700, is read as {late[-1]}")
assert late == [None] * 1_001, "the behaviour has changed"
try:
    raise SystemExit(f"the behaviour has changed: {column('text.csv', '2700', 'unrated')[-1]}")
except Exception as error:
    print("text after 1,000 numbers:", str(error).splitlines()[0])
PYTHON
