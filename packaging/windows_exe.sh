#!/usr/bin/env bash
# Builds plybook for 64-bit Windows on Debian, and prints the path of the program: windows_exe.sh [OPTION]...
#
# OPTIONS are passed to cargo build. The script installs the compiler, and the sources of Rust's standard library for the
# nightly toolchain unless `rustup component add rust-src` has done so: the library is built too, so that only that
# toolchain and Debian packages are needed. The sources come from Debian unstable, whose Rust is close to the nightly.
set -euo pipefail
cd "$(dirname "$0")/.."
target=x86_64-pc-windows-gnu
work=$PWD/target/windows

cargo +nightly --version > /dev/null 2>&1 \
    || { echo "packaging/windows_exe.sh: first run rustup toolchain install nightly" >&2; exit 1; }
command -v x86_64-w64-mingw32-gcc > /dev/null || {
    apt-get update -qq
    apt-get install -qq -y gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64
} > /dev/null

library=$(rustc +nightly --print sysroot)/lib/rustlib/src/rust/library
if [ ! -f "$library/Cargo.toml" ]; then
    # Separate package lists and downloads, so that nothing from unstable is installed on the system.
    apt=$work/apt
    rm -rf "$apt"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$(dirname "$library")"
    mirror=$(awk '/^URIs:/ { print $2; exit }' /etc/apt/sources.list.d/debian.sources)
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" > "$apt/sid.list"
    sid() {
        apt-get -qq -o Dir::Etc::sourcelist="$apt/sid.list" -o Dir::Etc::sourceparts=- \
            -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root "$@" >&2
    }
    sid update
    (cd "$apt" && sid download rust-src && dpkg -x rust-src*.deb unpacked)
    mv "$apt"/unpacked/usr/src/rustc-*/library "$library"
    rm -rf "$apt"
fi

cargo +nightly build --release --locked -Z build-std=std,panic_unwind --target "$target" --target-dir "$work/build" "$@" >&2
echo "$work/build/$target/release/plybook.exe"
