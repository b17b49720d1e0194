//! The largest memory of the program while it runs a command.

use std::{
    ffi::OsStr,
    fs,
    process::{Command, Stdio},
    thread::sleep,
    time::Duration,
};

/// How often the program is looked at. Its peak never goes down, so only the last moment can be missed.
const LOOK: Duration = Duration::from_millis(2);

/// Runs the program with some arguments. In KiB; `None` where there is no `/proc`, or it fails.
pub fn peak_of_run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Option<u64> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plybook"));
    let mut child = command.args(arguments).stdout(Stdio::null()).spawn().ok()?;
    let mut peak = None;
    let status = loop {
        if let Some(status) = child.try_wait().ok()? {
            break status;
        }
        peak = peak_of(child.id()).or(peak);
        sleep(LOOK);
    };
    // 1 is its word for games that could not be stored.
    peak.filter(|_| matches!(status.code(), Some(0 | 1)))
}

fn peak_of(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().strip_suffix(" kB")?.trim().parse().ok()
}
