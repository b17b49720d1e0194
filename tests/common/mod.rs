//! What the integration tests share: the real binary, bundled games, and the large collections if present.
#![allow(dead_code, unused_imports, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod bounded;
pub mod html;
pub mod needs;
pub mod questions;
pub mod server;
#[cfg(unix)]
pub mod shim;
#[cfg(unix)]
pub mod signals;
pub mod terminal;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

pub use needs::{corpus, installed, must, python, python_that, skip};

/// A file of the project's `data/`.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

/// A temporary folder in which the binary runs.
pub struct Bench {
    pub folder: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Bench {
        Bench { folder: tempfile::tempdir().unwrap() }
    }

    /// Another bench with the same files (links and folders are left out).
    pub fn twin(&self) -> Bench {
        let bench = Bench::new();
        for entry in fs::read_dir(self.folder.path()).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_file() {
                fs::copy(entry.path(), bench.path(entry.file_name().to_str().unwrap())).unwrap();
            }
        }
        bench
    }

    /// A bench with the bundled famous games imported.
    pub fn with_games() -> Bench {
        let bench = Bench::new();
        bench.ok(&["import", "--quiet", data("famous.pgn").to_str().unwrap()]);
        bench
    }

    /// The famous games, and a near duplicate of each: a copy with another site. Of games with a round, an import would
    /// make one game.
    pub fn with_near_duplicates() -> Bench {
        let bench = Bench::with_games();
        let famous = fs::read_to_string(data("famous.pgn")).unwrap();
        let lines = famous.lines().filter(|line| !line.starts_with("[Round"));
        let copy: String = lines.map(|line| line.replace("[Site \"", "[Site \"In ") + "\n").collect();
        fs::write(bench.path("copy.pgn"), copy).unwrap();
        bench.import(&["copy.pgn"]);
        bench
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plybook"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env_remove("PLYBOOK_ARCHIVE");
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

    /// Runs a command whose arguments make no sense: code 2, and what would.
    pub fn refused_usage(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains("--help"), "{arguments:?}: {error}");
        error
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

/// One who may read in a bench's folder and not write there: this user, or nobody where this user is root, who may
/// write everywhere.
#[cfg(unix)]
pub struct Guest<'a> {
    bench: &'a Bench,
    /// The binary, where nobody can reach it.
    tools: tempfile::TempDir,
    temporary: PathBuf,
}

#[cfg(unix)]
impl<'a> Guest<'a> {
    /// Takes the rights to write from the bench's folder, until it is dropped; `temporary` may be written.
    pub fn new(bench: &'a Bench, temporary: &Bench) -> Guest<'a> {
        let tools = tempfile::tempdir().unwrap();
        // By another process: a program that this one had open to write it could not be run while a process that
        // another test starts has it open too.
        let copied =
            Command::new("cp").arg(env!("CARGO_BIN_EXE_plybook")).arg(tools.path()).status().unwrap();
        assert!(copied.success());
        let guest = Guest { bench, tools, temporary: temporary.folder.path().to_owned() };
        allow(guest.tools.path(), 0o755);
        allow(&guest.temporary, 0o777);
        for entry in fs::read_dir(bench.folder.path()).unwrap() {
            allow(&entry.unwrap().path(), 0o444);
        }
        allow(bench.folder.path(), 0o555);
        guest
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        use std::os::unix::process::CommandExt;
        let mut command = Command::new(self.tools.path().join("plybook"));
        command.args(arguments).current_dir(self.bench.folder.path()).stdin(Stdio::null());
        command.env("TMPDIR", &self.temporary);
        if fs::write(self.bench.path("probe"), "").is_ok() {
            fs::remove_file(self.bench.path("probe")).unwrap();
            command.uid(65_534).gid(65_534);
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }
}

#[cfg(unix)]
impl Drop for Guest<'_> {
    fn drop(&mut self) {
        allow(self.bench.folder.path(), 0o755);
    }
}

#[cfg(unix)]
fn allow(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The commands that a help lists: those of plybook in lines of groups, those of a command one below the other.
pub fn listed_commands(help: &str) -> Vec<String> {
    let names: Vec<&str> = match help.split_once("\nCommands:\n") {
        Some((_, list)) => {
            let rows = list.lines().take_while(|row| !row.is_empty());
            rows.filter(|row| !row.starts_with("   "))
                .filter_map(|row| row.split_whitespace().next())
                .collect()
        }
        None if !help.contains("\nCollect ") => Vec::new(),
        None => {
            let groups = &help[help.find("\nCollect ").unwrap() + 1..];
            let rows = groups.lines().take_while(|row| !row.is_empty());
            rows.flat_map(|row| row[10..].split("  ").next().unwrap().split(", ")).collect()
        }
    };
    names.into_iter().filter(|name| *name != "help").map(str::to_owned).collect()
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

/// Small random numbers that are the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).unwrap()
    }
}

/// Whether the long form of the trials is asked for.
pub fn long() -> bool {
    std::env::var("PLYBOOK_TRIALS").is_ok_and(|form| form == "long")
}

/// One number for the short form of a trial, another for the long one.
pub fn trials<T>(short: T, long_form: T) -> T {
    if long() { long_form } else { short }
}

/// A PGN text of so many games, all different but for every 50th, which repeats the one before; every 70th
/// cannot be stored.
pub fn many_games(count: usize) -> String {
    let famous = std::fs::read_to_string(data("famous.pgn")).unwrap();
    let games: Vec<&str> = famous.split("\n[Event ").map(|game| game.trim_start_matches("[Event ")).collect();
    let mut text = String::new();
    for number in 0..count {
        let name = if number % 50 == 49 { number - 1 } else { number };
        let (event, rest) = games[name % games.len()].split_once('\n').unwrap();
        text.push_str(&format!("[Event \"{} {name}\"]\n", event.trim_matches(['"', ']'])));
        let bad = number % 70 == 69;
        text.push_str(&if bad { rest.replacen("1. ", "1. Ke5 ", 1) } else { rest.to_owned() });
        text.push('\n');
    }
    text
}

/// A PGN text of so many games of engines, with what they say of each move in a comment.
pub fn engine_games(count: usize) -> String {
    let (mut random, mut text) = (Random(5), String::new());
    for number in 1..=count {
        text += &format!(
            "[Event \"Engines\"]\n[Round \"{number}\"]\n[Result \"*\"]\n\n{{A {number}, threads=4,}}\n"
        );
        for (ply, word) in ["Nf3", "Nf6", "Ng1", "Ng8"].iter().cycle().take(30).enumerate() {
            let pv: Vec<&str> =
                (0..random.below(12)).map(|_| ["Nf3", "d5", "O-O", "Bxg7+"][random.below(4)]).collect();
            let [depth, nodes, tb] = [40, 1_000_000_000, 90].map(|bound| random.below(bound));
            let (pd, left) = (if ply > 1 { " pd=c5," } else { "" }, 1_800_000 - 4_567 * ply);
            text += &format!(
                "{word} {{d={depth}, sd=62,{pd} mt=4567, tl={left}, n={nodes}, pv={}, ",
                pv.join(" ")
            );
            text += &format!("tb={tb}, R50={}, wv=0.{depth}, mb=+0+0-1+0+0,}}\n", 50 - ply);
        }
        text += "*\n\n";
    }
    text
}

/// What an archive says of the games of its sources, in all: seen, stored, duplicate, rejected.
pub fn totals(archive: &Path) -> [i64; 4] {
    let db = rusqlite::Connection::open(archive).unwrap();
    let sql = "SELECT sum(seen), sum(stored), sum(duplicate), sum(rejected), (SELECT count(*) FROM game) FROM source";
    let totals: [i64; 5] = db
        .query_row(sql, [], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?]))
        .unwrap();
    let [seen, stored, duplicate, rejected, games] = totals;
    assert_eq!(seen, stored + duplicate + rejected);
    assert_eq!(stored, games);
    [seen, stored, duplicate, rejected]
}
