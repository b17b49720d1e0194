#!/usr/bin/env bash
# Tests the output of packaging/release.sh in empty directories, with nothing of the project or of Rust on the path: the
# unpacked archive, the unpacked Debian package, the installed wheel, and the list of the sources; and under Wine the
# program for Windows, if it was built.
set -euo pipefail
packages=$(cd "$(dirname "$0")/../target/packages" && pwd)
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
fail() { echo "packaging/try.sh: $*" >&2; exit 1; }

# First steps with the program in $prefix, whose docs and games are in $1.
try_program() {
    local work=$folder/work
    # Like a user who has only these files.
    local alone=(env -i HOME="$folder/home" PATH="$prefix/bin:/usr/bin:/bin" LC_ALL=C.UTF-8)
    rm -rf "$work" && mkdir -p "$work" "$folder/home" && cd "$work"
    [ "$("${alone[@]}" sh -c 'command -v plybook')" = "$prefix/bin/plybook" ] || fail "no program"
    "${alone[@]}" plybook import "$1/data" | grep -x 'stored *67' > /dev/null || fail "import"
    "${alone[@]}" plybook explore '1. e4 e5' | grep '^Nf3 ' > /dev/null || fail "explore"
    "${alone[@]}" plybook export --format parquet -o games.parquet
    [ "$(head -c 4 games.parquet)" = PAR1 ] || fail "parquet"
    "${alone[@]}" plybook serve --bind 127.0.0.1:0 --quiet > address &
    server=$!
    for _ in $(seq 100); do [ -s address ] && break; sleep 0.1; done
    python3 - "$(cat address)" << 'END' || fail "serve"
import sys, urllib.request
page = urllib.request.urlopen(sys.argv[1], timeout=30).read().decode()
answer = urllib.request.urlopen(sys.argv[1] + "masters?play=e2e4", timeout=30).read().decode()
sys.exit(not ("<html" in page and '"moves"' in answer))
END
    kill "$server"
    wait "$server" || fail "serve ends with exit code $?"
    server=

    # man finds pages next to a bin directory on the path; any other prefix would need MANPATH.
    if command -v man > /dev/null; then
        local page
        for page in plybook plybook-import plybook-game-encode; do
            [ "$("${alone[@]}" man -w "$page")" = "$prefix/share/man/man1/$page.1.gz" ] || fail "man does not find $page"
        done
        "${alone[@]}" man --warnings plybook-games > page 2> warnings || fail "man"
        [ ! -s warnings ] || fail "man warns: $(cat warnings)"
        grep -e --player page > /dev/null || fail "the page of games"
    else
        echo "packaging/try.sh: SKIPPED: man is not installed" >&2
    fi
    "${alone[@]}" bash --norc -c ". '$prefix/share/bash-completion/completions/plybook' && complete -p plybook" > /dev/null \
        || fail "completions of bash"
    [ -s "$prefix/$zsh/_plybook" ] && [ -s "$prefix/share/fish/vendor_completions.d/plybook.fish" ] \
        || fail "completions of zsh and fish"

    try_pages "$1"
    # Stripped.
    [ -z "$(readelf -S "$prefix/bin/plybook" | grep '\.symtab')" ] || fail "the program has its symbols"
}

# The docs in a directory.
try_pages() {
    local file
    for file in $(grep -o ']([^)#]*' "$1/README.md" | cut -c 3-) LICENCES.txt schema.sql; do
        [ -s "$1/$file" ] || [ "$file" = LICENSE ] || fail "the README links $file, which is absent"
    done
    grep shakmaty "$1/LICENCES.txt" > /dev/null || fail "licences"
}

(cd "$packages" && sha256sum --check --quiet SHA256SUMS)

mkdir "$folder/archive" && tar -C "$folder/archive" -xzf "$packages"/plybook-*-linux.tar.gz
prefix=$(echo "$folder"/archive/plybook-*)
zsh=share/zsh/site-functions
try_program "$prefix"

mkdir "$folder/debian" && dpkg-deb -x "$packages"/plybook_*.deb "$folder/debian"
prefix=$folder/debian/usr
zsh=share/zsh/vendor-completions
try_program "$prefix/share/doc/plybook"
dpkg-deb -f "$packages"/plybook_*.deb Depends | grep 'libc6 (>=' > /dev/null || fail "the Debian package names no libc"

python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check --no-index "$packages"/plybook-*-abi3-*.whl
(cd "$folder" && python/bin/python - "$prefix/share/doc/plybook/data" << 'END') || fail "the wheel"
import sys, plybook
plybook.import_pgn(sys.argv[1], "wheel.db")
sys.exit(plybook.open("wheel.db").game(1).fen(0).split()[0] != "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
END

# The sources build in an empty directory.
mkdir "$folder/sources" && tar -C "$folder/sources" -xzf "$packages"/plybook-*-source.tar.gz
(cd "$folder"/sources/plybook-* && cargo build --release --locked --quiet && target/release/plybook --version) || fail "sources"
windows=$(find "$packages" -name '*-windows.zip')
if [ -n "$windows" ]; then
    unzip -q "$windows" -d "$folder/windows"
    try_pages "$folder"/windows/plybook-*
    [ -d "$folder"/windows/plybook-*/data/xelto ] || fail "the zip archive has no games to try"
    PLYBOOK_BIN=$folder/debian/usr/bin/plybook "$packages/../../packaging/windows.sh" "$folder"/windows/plybook-*/plybook.exe
fi
echo "${windows:+the program for Windows, }the archive, the Debian package, the wheel and the sources are complete"
