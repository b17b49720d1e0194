//! The largest memory of the program while it imports a file.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread::sleep,
    time::Duration,
};

/// How often the program is looked at. Its peak never goes down, so only the last moment can be missed.
const LOOK: Duration = Duration::from_millis(2);

/// In KiB; `None` where there is no `/proc`.
pub fn peak_of_import(file: &Path) -> Option<u64> {
    let folder = tempfile::tempdir().ok()?;
    let mut child = Command::new(env!("CARGO_BIN_EXE_plybook"))
        .args(["import", "--quiet", "-a"])
        .arg(folder.path().join("games.db"))
        .arg(file)
        .stdout(Stdio::null())
        .spawn()
        .ok()?;
    let mut peak = None;
    while child.try_wait().ok()?.is_none() {
        peak = peak_of(child.id()).or(peak);
        sleep(LOOK);
    }
    peak
}

fn peak_of(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().strip_suffix(" kB")?.trim().parse().ok()
}
