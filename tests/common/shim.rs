//! The failing disk: a library (`tests/shim/fail.c`) that ends the program, or lets it fail, at the n-th call that
//! changes an archive's files.

use std::{
    fs,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use super::{Bench, must};

const SIGKILL: i32 = 9;

/// What happens at the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It fails with an error; every later one too if it stays.
    Error { errno: i32, stays: bool },
    /// It writes half of the bytes and says so. Calls that do not write fail with the error.
    Short { errno: i32 },
    /// The program is killed before it.
    Kill,
    /// The program is killed when half of the bytes are written. Calls that do not write have no half: before them.
    Torn,
}

pub struct Shim {
    folder: tempfile::TempDir,
}

impl Shim {
    /// The library, built for this test; says so and gives `None` where it cannot be built.
    pub fn new() -> Option<Shim> {
        let folder = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shim/fail.c");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(folder.path().join("fail.so"));
        let built = compiler.arg(&source).arg("-ldl").status().is_ok_and(|status| status.success());
        must(built, "there is no C compiler (cc) for the failing disk").then_some(Shim { folder })
    }

    fn command(&self, bench: &Bench, arguments: &[&str]) -> Command {
        let mut command = bench.command(arguments);
        command.env("LD_PRELOAD", self.folder.path().join("fail.so"));
        command
    }

    /// Runs a command whose `at`-th call meets its fate.
    pub fn run(&self, bench: &Bench, arguments: &[&str], at: u64, how: How) -> Output {
        self.doomed(bench, arguments, at, how).output().unwrap()
    }

    /// Kills a command at its `at`-th call. Gives whether it came so far: how many calls there are may hang on the threads
    /// that make them.
    pub fn kill(&self, bench: &Bench, arguments: &[&str], at: u64, how: How) -> bool {
        let count = self.folder.path().join(format!("count of a kill at {at}"));
        let output =
            self.doomed(bench, arguments, at, how).env("PLYBOOK_FAIL_COUNT", &count).output().unwrap();
        let is_killed = output.status.signal() == Some(SIGKILL);
        if !is_killed {
            let calls: u64 = fs::read_to_string(count).unwrap().parse().unwrap();
            assert!(calls < at, "{arguments:?} lives after call {at} of {calls}: {output:?}");
        }
        is_killed
    }

    fn doomed(&self, bench: &Bench, arguments: &[&str], at: u64, how: How) -> Command {
        let mut command = self.command(bench, arguments);
        command.env("PLYBOOK_FAIL_AT", at.to_string());
        let (word, number) = match how {
            How::Error { errno, .. } => ("error", errno),
            How::Short { errno } => ("short", errno),
            How::Kill => ("kill", 0),
            How::Torn => ("torn", 0),
        };
        command.env("PLYBOOK_FAIL_HOW", word).env("PLYBOOK_FAIL_ERRNO", number.to_string());
        if matches!(how, How::Error { stays: true, .. }) {
            command.env("PLYBOOK_FAIL_STAYS", "1");
        }
        command
    }

    /// Runs a command undisturbed; gives its calls.
    pub fn calls(&self, bench: &Bench, arguments: &[&str]) -> u64 {
        let count = self.folder.path().join("count");
        let output = self.command(bench, arguments).env("PLYBOOK_FAIL_COUNT", &count).output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
        fs::read_to_string(count).unwrap().parse().unwrap()
    }

    /// Runs a command to which the bench's folder is read-only; temporary files go to another.
    pub fn run_read_only(&self, bench: &Bench, arguments: &[&str], temporary: &Path) -> Output {
        let mut command = self.command(bench, arguments);
        command.env("PLYBOOK_READ_ONLY", real(bench.folder.path())).env("TMPDIR", temporary);
        command.output().unwrap()
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap()
}

/// Points of a sweep over so many calls: all of them in the long form, else every `step`-th and those at either
/// end, where an archive is made, changes its ways of writing and is put away.
pub fn points(calls: u64, ends: u64, step: u64) -> Vec<u64> {
    let near_end = |at: u64| at <= ends || at + ends > calls;
    (1..=calls).filter(|&at| super::long() || near_end(at) || at % step == 0).collect()
}
