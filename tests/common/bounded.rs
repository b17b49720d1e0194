//! Commands within bounds of time and memory.

use std::{
    fs,
    process::Stdio,
    thread::sleep,
    time::{Duration, Instant},
};

use super::{Bench, text};

/// What a command may take, in time and in MiB. The time is wide: other tests run beside it.
const MOST_TIME: Duration = Duration::from_secs(20);
const MOST_MEMORY: u64 = 256;

/// Runs a command within the bounds; gives its code and what it said.
pub fn bounded(bench: &Bench, command: &[&str], what: &str) -> (Option<i32>, String) {
    let mut child = bench.command(command);
    let out = fs::File::create(bench.path("out")).unwrap();
    let mut child = child.stdout(out).stderr(Stdio::piped()).spawn().unwrap();
    let (begin, mut memory) = (Instant::now(), 0);
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        memory = memory.max(kib.unwrap_or(0) >> 10);
        if begin.elapsed() > MOST_TIME || memory > MOST_MEMORY {
            child.kill().unwrap();
            panic!("{what}: {command:?} takes {memory} MiB and {:?}", begin.elapsed());
        }
        sleep(Duration::from_millis(3));
    }
    let output = child.wait_with_output().unwrap();
    let (code, said) = (output.status.code(), text(&output.stderr));
    assert!(
        matches!(code, Some(0..=2)) && !said.contains("panicked"),
        "{what}: {command:?}: {code:?}: {said}"
    );
    assert!(code != Some(2) || said.lines().count() == 1, "{what}: {command:?}: {said}");
    (code, said)
}
