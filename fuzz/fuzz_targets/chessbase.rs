#![no_main]

#[path = "../../tests/regressions_support/mod.rs"]
mod support;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| support::chessbase(bytes));
