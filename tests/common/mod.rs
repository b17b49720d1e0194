//! What the integration tests share: the real binary, bundled games, and the large collections if present.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// A file of the project's `data/`.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

/// A file of the large collections; says so and gives `None` where they are absent.
pub fn corpus(name: &str) -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let folder = std::env::var_os("PLYBOOK_CORPUS").map_or(default, PathBuf::from);
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: {} is absent (set PLYBOOK_CORPUS to the folder of the collections)", path.display());
    None
}

/// A temporary folder in which the binary runs.
pub struct Bench {
    pub folder: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Bench {
        Bench { folder: tempfile::tempdir().unwrap() }
    }

    /// A bench with the bundled famous games imported.
    pub fn with_games() -> Bench {
        let bench = Bench::new();
        bench.ok(&["import", "--quiet", data("famous.pgn").to_str().unwrap()]);
        bench
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plybook"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs with a text on standard input.
    pub fn feed(&self, arguments: &[&str], input: &[u8]) -> Output {
        use std::io::Write;
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        output
    }

    /// Runs a command that must succeed; gives its standard output.
    pub fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// Runs a command that must fail with code 2 and one clear line; gives the line.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
        error.trim().to_owned()
    }

    /// Imports with a JSON report.
    pub fn import(&self, arguments: &[&str]) -> serde_json::Value {
        let output = self.run(&[&["import", "--format", "json"], arguments].concat());
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    pub fn json(&self, arguments: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.ok(arguments)).unwrap()
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Games of a PGN text as a simple reader sees them: tag lines, and the words of the movetext without numbers.
/// For clean PGN only, and independent of the program's own reader.
pub fn simple_games(pgn: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let mut games: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for line in pgn.lines().map(str::trim) {
        if line.starts_with('[') {
            if games.last().is_none_or(|(_, moves)| !moves.is_empty()) {
                games.push(Default::default());
            }
            games.last_mut().unwrap().0.push(line.to_owned());
        } else if let Some((_, moves)) = games.last_mut() {
            for word in line.split_whitespace() {
                let number =
                    word.find('.').filter(|dot| word[..*dot].bytes().all(|byte| byte.is_ascii_digit()));
                let word = number.map_or(word, |dot| word[dot..].trim_start_matches('.'));
                if !word.is_empty() {
                    moves.push(word.to_owned());
                }
            }
        }
    }
    games
}
