//! Signals to running commands.

use std::{
    fs,
    process::Command,
    thread::sleep,
    time::{Duration, Instant},
};

/// Waits until a process handles Ctrl-C and SIGTERM, or has ended. On a busy machine, starting takes a while.
pub fn until_handled(process: u32) {
    let begin = Instant::now();
    while !handles(process) {
        assert!(begin.elapsed() < Duration::from_secs(30), "it does not handle signals");
        sleep(Duration::from_millis(1));
    }
}

/// Sends a signal ("INT") to a process that handles it, or is about to.
pub fn signal(process: u32, name: &str) {
    if name != "KILL" {
        until_handled(process);
    }
    let sent = Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Whether a process handles SIGINT (2) and SIGTERM (15), or has ended.
#[cfg(target_os = "linux")]
fn handles(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let both = 1 << (2 - 1) | 1 << (15 - 1);
    // A process that has ended has no such line, or catches nothing and is a zombie.
    let ended = status.lines().any(|line| line.starts_with("State:") && line.contains('Z'));
    ended || caught.is_none_or(|caught| u64::from_str_radix(caught.trim(), 16).unwrap() & both == both)
}

/// Other systems do not say it: as long as a slow start takes.
#[cfg(not(target_os = "linux"))]
fn handles(_process: u32) -> bool {
    sleep(Duration::from_secs(1));
    true
}
