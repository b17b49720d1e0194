#!/usr/bin/env bash
# Checks plybook for Windows under Wine: windows.sh [PROGRAM]
#
# PROGRAM is a plybook.exe; by default it is built, with little optimization to save time. The script installs Wine.
# PLYBOOK_BIN is a plybook of the same version for this system, by default target/release/plybook: both must export the
# same bytes. The last line is the number of failed checks; if it is not 0, the exit code is 1.
set -euo pipefail
exe=${1+$(realpath "$1")}
cd "$(dirname "$0")/.."
root=$PWD
quick=(--config profile.release.codegen-units=16 --config profile.release.lto=false
    --config profile.release.opt-level=1)
exe=${exe:-$(packaging/windows_exe.sh "${quick[@]}")}
native=$(realpath -m "${PLYBOOK_BIN:-target/release/plybook}")
missing=$(for tool in wine curl; do command -v "$tool" > /dev/null || echo "$tool"; done)
[ -z "$missing" ] || { apt-get update -qq; apt-get install -qq -y wine wine64 curl; } > /dev/null
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)

work=$root/target/windows/check
rm -rf "$work"
mkdir -p "$work/games"
cp "$exe" "$work/plybook.exe"
cp -r data "$work/games"
# Wine 8 lacks the Windows library for random numbers.
x86_64-w64-mingw32-gcc -shared -o "$work/bcryptprimitives.dll" -x c - -ladvapi32 << 'END'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) {
    return SystemFunction036(bytes, (ULONG)count);
}
END

export WINEDEBUG=-all WINEPREFIX=$root/target/windows/prefix
unset PLYBOOK_ARCHIVE
plybook() { timeout 300 "$wine" "$work/plybook.exe" "$@"; }
# The first call initializes Wine.
plybook --version > "$work/output" 2>&1 || { cat "$work/output"; exit 1; }
cd "$work/games"

failed=0
# Runs a check function; prints the last line of its output if it fails.
check() {
    if "$2" > "$work/output" 2>&1; then
        echo "holds   $1"
    else
        echo "FAILS   $1: $(tail -n 1 "$work/output")"
        failed=$((failed + 1))
    fi
}
ids() { plybook games --format ids "$@" | wc -l; }
stored() { plybook import "${@:2}" --format json > answer && grep -Eq "\"stored\": ?$1," answer; }

imports() { stored 67 data --index; }
imports_nothing_twice() { stored 0 data; }
names_sources_with_slashes() {
    printf '[White "A"]\n\n1. e5 *\n' > data/illegal.pgn
    plybook import 'data\illegal.pgn' > answer
    grep -q 'data/illegal.pgn game 1, line 3' answer && rm data/illegal.pgn \
        && plybook sql 'SELECT name FROM source' --format csv > answer \
        && grep -q '^data/xelto/first.xelto' answer && ! grep -F '\' answer
}
answers() {
    [ "$(ids --player kasparov)" = 4 ] && [ "$(ids --result 1-0 --player morphy)" -gt 0 ] \
        && plybook find 'sicilian defense' --result 1-0 --format ids > answer && [ "$(wc -l < answer)" = 3 ] \
        && plybook explore '1. e4 e5' --format json > answer && grep -q Nf3 answer
}
draws() { plybook show 16 --format png -o board.png && head -c 8 board.png | grep -q PNG; }
exports_the_same_bytes() {
    # The exit code is 1, because games of Xelto have no PGN.
    plybook export -o windows.pgn
    "$native" export -a plybook.db -o native.pgn
    cmp windows.pgn native.pgn
}
verifies() { plybook verify; }
ends_with_its_reader() { said=$({ plybook export -a large.db | head -n 3 > /dev/null; } 2>&1) && [ -z "$said" ]; }
reports_a_missing_file() { plybook import 'C:\nothing.pgn' || [ $? = 2 ]; }
has_two_writers() {
    plybook import data/famous.pgn -q -a two.db &
    plybook import data/famous.pgn -q -a two.db && wait $! && [ "$(ids -a two.db)" = 62 ]
}
# The positions of 30,000 games exceed the memory limit of an index build, so all threads write them to a file.
builds_a_large_index() {
    plybook generate --games 30000 --seed 7 -o large.pgn && plybook import large.pgn -q -a large.db \
        && plybook explore '1. d4 d5' -a large.db --format csv > scanned && plybook index -a large.db \
        && plybook explore '1. d4 d5' -a large.db --format csv > indexed \
        && [ "$(wc -l < indexed)" -gt 10 ] && cmp scanned indexed && plybook verify -a large.db
}
serves() {
    for _ in $(seq 100); do [ -s address ] && break; sleep 0.3; done
    url=$(tr -d '\r' < address)
    curl -sf "$url" -o page && grep -qi plybook page && curl -sf "${url}masters?play=e2e4" -o answer && grep -q e7e5 answer
}
# Windows itself does not allow replacing an open file, but a file server may.
notices_a_replaced_archive() {
    plybook import data/setup.pgn -q -a other.db && mv other.db plybook.db \
        && curl -sf "${url}api/v1/info" -o answer && grep -Eq '"games": ?1,' answer
}

check "a folder is imported and indexed" imports
check "what was imported is not imported again" imports_nothing_twice
check "sources are named with slashes" names_sources_with_slashes
check "games, find and explore answer" answers
check "show draws a board" draws
if [ -x "$native" ]; then
    check "an archive written here is exported to the same bytes on both systems" exports_the_same_bytes
else
    echo "SKIPPED an archive written here is exported to the same bytes on both systems: no program $native"
fi
check "verify finds no fault" verifies
check "a missing file is exit code 2" reports_a_missing_file
check "two imports at once lose nothing" has_two_writers
check "an index larger than its memory answers as a scan does" builds_a_large_index
check "a reader that stops early is no error" ends_with_its_reader
timeout 300 "$wine" "$work/plybook.exe" serve --bind 127.0.0.1:0 -q > address &
check "the server answers" serves
check "the server notices that its archive was replaced" notices_a_replaced_archive
kill $!
echo "$failed failed"
[ "$failed" = 0 ]
