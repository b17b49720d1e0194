//! Runs every example and checks its output.

use std::{env, fs, path::PathBuf, process::Command};

/// Runs an example in the project's folder and returns its output.
fn run(name: &str, arguments: &[&str]) -> String {
    // Examples are built next to this test, unless only this test was requested.
    let built = env::current_exe().unwrap().parent().unwrap().parent().unwrap().join("examples").join(name);
    if !built.exists() {
        let cargo =
            Command::new(env!("CARGO")).args(["build", "--locked", "--example", name]).status().unwrap();
        assert!(cargo.success());
    }
    let output =
        Command::new(built).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_blob_is_decoded_without_an_archive() {
    let said = run("decode_blob", &[]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 5);
    assert!(lines[2].starts_with("2. Nf3"), "{said}");
    assert_eq!(lines[3], "2... f6     rnbqkbnr/pppp2pp/5p2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3");
    assert_eq!(lines[4], "*");
}

#[test]
fn pgn_is_read_with_what_was_odd_about_it() {
    let famous = run("read_pgn", &[]);
    let games =
        fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/famous.pgn")).unwrap();
    assert_eq!(
        famous.lines().filter(|line| line.contains(" plies, ")).count(),
        games.matches("[Event ").count()
    );
    let odd = run("read_pgn", &["data/malformed/castling_zeros.txt"]);
    assert!(odd.lines().any(|line| line.starts_with("  ")), "{odd}");
}

#[test]
fn an_archive_is_made_and_explored() {
    let said = run("explore_archive", &[]);
    assert!(said.starts_with("62 games stored, 0 rejected\n"), "{said}");
    let first_moves: u32 = said
        .lines()
        .filter_map(|line| line.split_whitespace().collect::<Vec<_>>().try_into().ok())
        .filter_map(|[_, games]: [&str; 2]| games.parse::<u32>().ok())
        .sum();
    assert_eq!(first_moves, 62);
    assert!(said.contains("Morphy"));
}

#[test]
fn a_custom_codec_appears_in_the_list() {
    let said = run("own_codec", &[]);
    let bits = |name: &str| -> u32 {
        let line = said.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    assert!(bits("index ") < bits("nibbles") && bits("nibbles") < bits("byte"), "{said}");
}
