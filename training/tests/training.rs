//! Runs the program on a few games.

#![allow(clippy::unwrap_used, missing_docs)]

use std::{fs, path::Path, process::Command};

use plybook::{
    codec::zstd_frame::Unpacker,
    import::{Options, import_paths},
    model::Model,
};

/// Trains on the bundled games. Returns the file and what is printed.
fn train(folder: &Path, options: &[&str]) -> (Vec<u8>, String) {
    let (archive, output) = (folder.join("games.db"), folder.join("model.zst"));
    if !archive.exists() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
        let sources = ["famous.pgn", "annotated.pgn"].map(|name| data.join(name));
        import_paths(&archive, &sources, &Options::default()).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_plybook-training"));
    let run =
        command.arg("-a").arg(&archive).arg("-o").arg(&output).arg("--force").args(options).output().unwrap();
    let errors = String::from_utf8(run.stderr).unwrap();
    assert!(run.status.success(), "{errors}");
    (fs::read(&output).unwrap(), String::from_utf8(run.stdout).unwrap())
}

fn unpacked(file: &[u8]) -> Vec<u8> {
    Unpacker::new(b"").unpack(file, 1 << 24).unwrap()
}

#[test]
fn one_thread_with_the_same_seed_gives_the_same_model() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--passes", "1", "--threads", "1", "--seed", "3"];
    let (first, report) = train(folder.path(), &options);
    assert!(report.contains(" games (every 15th game, "), "{report}");
    assert_eq!(train(folder.path(), &options).0, first);
    assert_ne!(train(folder.path(), &["--passes", "1", "--threads", "1", "--seed", "4"]).0, first);
    assert!(Model::from_bytes(&unpacked(&first)).is_ok());
}

#[test]
fn without_games_there_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    train(folder.path(), &["--passes", "1"]);
    let archive = folder.path().join("games.db");
    let mut command = Command::new(env!("CARGO_BIN_EXE_plybook-training"));
    command.arg("-a").arg(&archive).arg("-o").arg(folder.path().join("no.zst"));
    let run = command.args(["--where", "player=Nobody at all"]).output().unwrap();
    let errors = String::from_utf8(run.stderr).unwrap();
    assert!(!run.status.success() && errors.contains("no game of standard chess to train on"), "{errors}");
    assert!(!folder.path().join("no.zst").exists());
}

#[test]
fn an_archive_and_an_existing_file_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    train(folder.path(), &["--passes", "1"]);
    let archive = folder.path().join("games.db");
    let before = fs::read(&archive).unwrap();
    for (output, options, error) in [
        ("games.db", &["--force"][..], "the archive used by this command"),
        ("model.zst", &[], "already exists"),
        ("missing/model.zst", &[], "missing"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plybook-training"));
        command.arg("-a").arg(&archive).arg("-o").arg(folder.path().join(output)).args(options);
        let run = command.output().unwrap();
        let errors = String::from_utf8(run.stderr).unwrap();
        assert!(!run.status.success() && errors.contains(error), "{errors}");
        assert!(run.stdout.is_empty(), "it trained first");
    }
    assert_eq!(fs::read(&archive).unwrap(), before);
}
