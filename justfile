# Short names for the commands of CONTRIBUTING.md; "just --list" shows them.

# Build the program
build:
    cargo build --release --locked

# Run all tests
test:
    cargo test --locked

# Check what every change must pass
gate:
    .ci/run

# Run the benchmarks
bench:
    cargo bench --locked

# Build the documentation of the library
docs:
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --locked

# Count what a module of the library makes public, as in "just items present": also in its modules, but no methods or fields
items module:
    cargo doc --no-deps --lib --locked
    grep -o 'href="{{module}}/[^"]*"' "${CARGO_TARGET_DIR:-target}/doc/plybook/all.html" | sort -u | wc -l

# Make web/dist, the page's script and style, of web/src
page:
    web/build.sh

# Build the examples
examples:
    cargo build --examples --locked

# Make the release archive, the Debian package and the archive of the sources, and try them
package:
    packaging/release.sh
    packaging/try.sh

# Fuzz one target (archive, chessbase, codec, pgn or position); needs nightly and cargo-fuzz
fuzz target:
    cargo +nightly fuzz run {{target}}
