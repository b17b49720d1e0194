#!/usr/bin/env bash
# Proves that the extension loads into programs with a SQLite of their own and gives there what plybook gives.
set -euo pipefail
cd "$(dirname "$0")"
target=${1:?the folder of compiled files}
archive=${2:?an archive made of data}
plybook=${3:?the program}

cargo fmt --check
cargo clippy -q --locked --target-dir "$target" -- -D warnings
cargo build -q --release --locked --target-dir "$target"
extension=$target/release/libplybook_sqlite

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
    sys.exit("a wrong argument was taken")
except sqlite3.OperationalError as error:
    assert "moves are a blob" in str(error), error
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
if command -v sqlite3 > /dev/null; then
    one=$(sqlite3 "$archive" ".load $extension" "SELECT fen(moves, 20) FROM games WHERE id = 5")
    [ "$one" = "$("$plybook" sql 'SELECT fen(moves, 20) AS f FROM games WHERE id = 5' -a "$archive" --format csv | tail -1)" ] || {
        echo "the shell of SQLite gives $one" >&2
        exit 1
    }
    found+=" sqlite3"
fi
[ -n "$found" ] || { echo "there is no program here that can load an extension of SQLite" >&2; exit 1; }
echo "the extension gives what plybook gives in:$found"
