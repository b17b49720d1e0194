#!/usr/bin/env bash
# Proves that a guest needs no C compiler of plybook's, and reads what plybook has written.
set -euo pipefail
cd "$(dirname "$0")"
target=${1:?the folder of compiled files}
archive=${2:?an archive made of data}

plain() { cargo tree --locked -p plybook -e normal,build --prefix none --format '{p}' "$@"; }
if plain | grep -E '^(cc|cmake|pkg-config|bindgen|[a-z0-9_-]+-sys) '; then
    echo "plybook needs a C compiler without its default features" >&2
    exit 1
fi

cargo build -q --locked --target-dir "$target"
guest=$target/debug/guest
[ "$("$guest" "$archive" 1 20)" = "$(cat expected.txt)" ] || { "$guest" "$archive" 1 20; echo "not what was expected" >&2; exit 1; }
echo "a guest reads a stored game without plybook's C libraries"
