#!/usr/bin/env bash
# Builds the packages of this version in target/packages: release.sh [--windows] [BINARY]
#
#   plybook-VERSION-x86_64-linux.tar.gz   the program, manual pages, completions, licences, docs, sample games
#   plybook_VERSION_amd64.deb             the same as a Debian package, built with cargo-deb
#   plybook-VERSION-source.tar.gz         the sources of the last commit
#   plybook-VERSION-cp310-abi3-*.whl      the package for Python 3.10 and later, built with maturin
#   plybook-VERSION-x86_64-windows.zip    with --windows: plybook.exe, built by packaging/windows_exe.sh, licences, docs,
#                                         sample games
#
# BINARY is a release build for Linux with the features columns and web; by default it is built. packaging/try.sh tests
# all packages.
set -euo pipefail
cd "$(dirname "$0")/.."
unset PLYBOOK_ARCHIVE
umask 022

features=columns,web
cargo_deb=3.6.4
system=$(uname -m)-linux
[ "$system" = x86_64-linux ] || { echo "packages can only be built on x86_64-linux, not on $system" >&2; exit 1; }
[ -z "$(git status --porcelain)" ] || echo "warning: the packages include uncommitted changes" >&2
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

windows=
[ "${1-}" != --windows ] || { windows=yes; shift; }
binary=${1-}
if [ -z "$binary" ]; then
    cargo build --release --locked --features "$features"
    binary=target/release/plybook
fi
[ "$("$binary" --version)" = "plybook $version" ] || { echo "$binary is not plybook $version" >&2; exit 1; }
"$binary" export --help | grep parquet > /dev/null || { echo "$binary was built without columns" >&2; exit 1; }
"$binary" serve --help > /dev/null || { echo "$binary was built without web" >&2; exit 1; }

out=$PWD/target/packages
stage=$out/stage
rm -rf "$out"
mkdir -p "$stage"

# The program, with the files that a shell and man look for next to a bin directory.
install -D "$binary" "$stage/bin/plybook"
strip "$stage/bin/plybook"
share=$stage/share
"$binary" man -o "$share/man/man1"
gzip -9n "$share"/man/man1/*.1
mkdir -p "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
"$binary" completions bash > "$share/bash-completion/completions/plybook"
"$binary" completions zsh > "$share/zsh/site-functions/_plybook"
"$binary" completions fish > "$share/fish/vendor_completions.d/plybook.fish"

# The docs, the games that they refer to, and the licences.
install -m 644 README.md CHANGELOG.md CONTRIBUTING.md LICENSE schema.sql "$stage"
packaging/licences.py --features "$features" > "$stage/LICENCES.txt"
cp -r docs "$stage"
for binding in sqlite python; do
    install -D -m 644 "bindings/$binding/README.md" "$stage/bindings/$binding/README.md"
done
mkdir "$stage/data"
cp -r data/README.md data/*.pgn data/xelto "$stage/data"

name=plybook-$version-$system
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --transform "s/^stage/$name/" \
    -C "$out" -cf - stage | gzip -9n > "$out/$name.tar.gz"

# Built without optimization, cargo-deb takes half the time to build and packs as fast.
command -v cargo-deb > /dev/null || cargo install cargo-deb --version "$cargo_deb" --locked --debug --quiet
cargo deb --no-build --no-strip --deb-revision= --locked --quiet --output "$out/plybook_${version}_amd64.deb" \
    > /dev/null

git archive --prefix="plybook-$version/" HEAD | gzip -9n > "$out/plybook-$version-source.tar.gz"

# One wheel for all versions of Python, because it uses the stable ABI.
python3 -m venv "$out/python"
MATURIN_PEP517_ARGS=--locked "$out/python/bin/pip" wheel --quiet --disable-pip-version-check --no-deps \
    --wheel-dir "$out" ./bindings/python
rm -r "$out/python"

if [ -n "$windows" ]; then
    command -v zip > /dev/null || { apt-get update -qq; apt-get install -qq -y zip; } > /dev/null
    exe=$(packaging/windows_exe.sh --features "$features")
    rm -r "$stage/bin" "$stage/share"
    x86_64-w64-mingw32-strip -o "$stage/plybook.exe" "$exe"
    {
        packaging/licences.py --features "$features" --filter-platform x86_64-pc-windows-gnu
        printf '\nmingw-w64, the C library that is part of the program:\n\n'
        cat /usr/share/doc/mingw-w64-x86-64-dev/copyright
    } > "$stage/LICENCES.txt"
    name=plybook-$version-x86_64-windows
    mv "$stage" "$out/$name"
    find "$out/$name" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
    (cd "$out" && find "$name" -type f | LC_ALL=C sort | TZ=UTC zip -9qX "$name.zip" -@)
    rm -r "${out:?}/$name"
fi

rm -rf "$stage" "$out/cargo" "$out/debian"
(cd "$out" && sha256sum -- * > SHA256SUMS && ls -l)
