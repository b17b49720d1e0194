#!/usr/bin/env bash
# Checks that the extension loads into programs with their own SQLite, and returns the same results there as plybook.
set -euo pipefail
cd "$(dirname "$0")"
target=${1:?the folder of compiled files}
archive=${2:?an archive made of data}
plybook=${3:?the program}

cargo fmt --check
# Built like plybook's own tests, in the same directory, so that shared dependencies are compiled only once.
cargo clippy -q --locked --target-dir "$target" -- -D warnings
cargo build -q --locked --target-dir "$target"
extension=$target/debug/libplybook_sqlite

asked="SELECT id, white, fen(moves, 20, fen, variant), movetext(moves, fen, variant), eco_name(moves, fen, variant), \
reaches(moves, 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -', fen, variant) FROM games ORDER BY id; \
SELECT p.ply, p.san, p.uci, p.fen, p.key FROM games, positions(games.moves) AS p WHERE id = 5;"
expected=$("$plybook" sql "$asked" -a "$archive" --format jsonl | python3 -c '
import json, sys
for line in sys.stdin:
    print(json.dumps(list(json.loads(line).values())))')

ask_in_python() {
    "$1" - "$archive" "$extension" "$asked" <<'PYTHON'
import json, sqlite3, sys
archive, extension, asked = sys.argv[1:]
db = sqlite3.connect(f"file:{archive}?mode=ro", uri=True)
if not hasattr(db, "enable_load_extension"):
    sys.exit(3)
db.enable_load_extension(True)
db.load_extension(extension)
for statement in asked.split("; "):
    for row in db.execute(statement):
        print(json.dumps(list(row)))
try:
    db.execute("SELECT fen('e4', 1)").fetchall()
    sys.exit("an invalid argument was accepted")
except sqlite3.OperationalError as error:
    assert "moves must be a blob" in str(error), error
PYTHON
}

found=
for python in /usr/bin/python3 python3; do
    command -v "$python" > /dev/null || continue
    if answer=$(ask_in_python "$python"); then
        [ "$answer" = "$expected" ] || { echo "$python gives other rows than plybook" >&2; exit 1; }
        found+=" $python"
    elif [ $? != 3 ]; then
        echo "$python cannot use the extension" >&2
        exit 1
    fi
done
[ -n "$found" ] || { echo "no Python found that can load SQLite extensions" >&2; exit 1; }
echo "the extension returns the same results as plybook in:$found"

# The examples of the README, in a virtual environment of the first Python that can load extensions.
command -v sqlite3 > /dev/null || { echo "sqlite3 not found: skipping the examples of the README" >&2; exit 1; }
tools=$target/python-sqlite
read -r python _ <<< "$found"
[ -x "$tools/bin/python" ] || "$python" -m venv "$tools" || { rm -rf "$tools"; "$python" -m venv --without-pip "$tools"; }
python3 -m pip --python "$tools/bin/python" install -q --disable-pip-version-check -r requirements.txt
"$tools/bin/python" check_readme.py "$archive" "$target/debug" "$plybook"
