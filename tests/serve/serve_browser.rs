//! The page in a browser: Chromium makes moves by mouse and keys, replays and searches, and axe checks accessibility.
//! The tests are in `web/tests`. Without Node and Chromium this test passes with a message, but fails in CI.
#![cfg(feature = "web")]

use std::{
    path::Path,
    process::{Command, Output},
    sync::Once,
};

use crate::common::{Bench, data, must, server::Served, text};

/// The exit status of `run.sh` if a requirement is missing.
const ABSENT: i32 = 3;

#[test]
fn the_page_passes_its_tests_in_a_browser() {
    let bench = Bench::new();
    for name in ["annotated.pgn", "famous.pgn"] {
        bench.ok(&["import", "--quiet", data(name).to_str().unwrap()]);
    }
    let word = "w".repeat(10_000);
    let game = format!(
        "[Event \"Long words {word}\"]\n[Site \"https://example.org/{word}\"]\n[White \"{word}\"]\n[Black \"{word}\"]\n[{} \"{word}\"]\n\n\
         1. e4 {{ {word} }} e5 ( 1... c5 {{ {word} }} 2. Nf3 {{ {word} }} ) 2. Nf3 {{ {word} }} *\n",
        "T".repeat(200)
    );
    std::fs::write(bench.path("long.pgn"), game).unwrap();
    bench.ok(&["import", "--quiet", "long.pgn"]);
    let comment =
        |ply: usize| format!("{{d=38, tl=60000, pv={}, wv=0.{:02},}}", "Nf3 Nf6 ".repeat(60), ply % 90);
    let knights = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let moves =
        (0..200).map(|ply| format!("{} {}", knights[ply % 4], comment(ply))).collect::<Vec<_>>().join("\n");
    std::fs::write(bench.path("engines.pgn"), format!("[White \"Zappa\"]\n\n{moves} *\n")).unwrap();
    bench.ok(&["import", "--quiet", data("xelto").to_str().unwrap()]);
    bench.ok(&["import", "--quiet", "engines.pgn"]);
    bench.ok(&["index"]);
    assert_passes(&Served::new(&bench, &["--embed", "http://club.example"]));
}

#[test]
fn the_pages_for_editing_pass_their_tests_in_a_browser() {
    let bench = Bench::new();
    for name in ["annotated.pgn", "famous.pgn"] {
        bench.ok(&["import", "--quiet", data(name).to_str().unwrap()]);
    }
    assert_passes(&Served::new(&bench, &["--edit"]));
}

/// The packages of the tests, which run at the same time, are installed once.
static PACKAGES: Once = Once::new();

fn run(arguments: &[&str]) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/tests/run.sh");
    Command::new("sh").arg(script).args(arguments).output().unwrap()
}

fn assert_passes(served: &Served) {
    PACKAGES.call_once(|| drop(run(&[])));
    let output = run(&[&served.url]);
    let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
    if output.status.code() == Some(ABSENT) {
        must(false, &format!("the page is not driven in a browser: {printed}"));
        return;
    }
    assert!(output.status.success(), "{printed}");
}
